import type { SettingRecord } from './setting-types.js';

/** Settings of an engine on another machine; a part of `settingsTable`. */
export const clickhouseSettings = {
  clickhouseUrl: {
    type: 'text',
    default: undefined,
    doc: 'Address of the HTTP interface of a ClickHouse server that holds the events instead of the embedded engine, such as `https://clickhouse.example:8443`. See [clickhouse.md](clickhouse.md). The addresses of several replicas are divided by commas: [cluster.md](cluster.md).',
    reason: 'Nothing else has to be set up without it. A directory stays with the engine it began with.',
  },
  clickhouseUser: {
    type: 'text',
    default: undefined,
    pattern: /^[^:]+$/,
    expected: 'a name without a colon',
    doc: 'User of the ClickHouse server; left out, `default`, which every server has.',
    reason: 'Better is one of its own, with the rights it needs and no others.',
  },
  clickhousePassword: {
    type: 'text',
    default: undefined,
    secret: true,
    doc: 'Password of that user.',
    reason: 'Goes into the environment, because everybody on the machine can see the flags.',
  },
} as const satisfies Record<string, SettingRecord>;

type Name = keyof typeof clickhouseSettings;
/** Settings that concern this machine alone, and why they are nothing for an engine elsewhere. */
const embeddedOnly = {
  engineMemoryBytes: 'limits the embedded engine; ClickHouse has max_server_memory_usage',
  geoNetworks: 'names a file that only the embedded engine can read',
} as const;

/**
 * What is wrong with the settings of an engine elsewhere, each with the setting it is about.
 * @param isGiven whether the operator gave a setting
 */
export function clickhouseProblems(
  url: string | undefined,
  isGiven: (name: Name | keyof typeof embeddedOnly) => boolean,
): readonly (readonly [Name | keyof typeof embeddedOnly, string])[] {
  if (url === undefined) {
    const alone = (['clickhouseUser', 'clickhousePassword'] as const).filter(isGiven);
    return alone.map((name) => [name, 'has no effect without the address of a ClickHouse server'] as const);
  }
  const problems = [...new Set(addressesOf(url).flatMap((address) => addressProblem(address) ?? []))];
  return [
    ...problems.map((problem) => ['clickhouseUrl', problem] as const),
    ...(new Set(addressesOf(url)).size < addressesOf(url).length
      ? [['clickhouseUrl', 'names an address twice; each is that of another replica'] as const]
      : []),
    ...(Object.keys(embeddedOnly) as readonly (keyof typeof embeddedOnly)[])
      .filter(isGiven)
      .map((name) => [name, `${embeddedOnly[name]}; leave it out with an engine elsewhere`] as const),
  ];
}

/** The addresses of the servers: several if they are replicas. */
export const addressesOf = (text: string): readonly string[] => text.split(',').map((address) => address.trim());

/** Never repeats the address: somebody may have put a password into it. */
function addressProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return 'expected an address such as http://127.0.0.1:8123 or https://clickhouse.example:8443, or those of several replicas divided by commas';
  if (url.username !== '' || url.password !== '')
    return 'leave user and password out of it; they are settings of their own';
  return undefined;
}

import type { SettingRecord } from './setting-types.js';

/** Settings of an engine on another machine; a part of `settingsTable`. */
export const clickhouseSettings = {
  clickhouseUrl: {
    type: 'text',
    default: undefined,
    doc: 'Address of the HTTP interface of a ClickHouse server that holds the events instead of the embedded engine, such as `https://clickhouse.example:8443`. See [clickhouse.md](clickhouse.md). The addresses of several replicas are divided by commas, those of several shards by semicolons: [cluster.md](cluster.md).',
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
  const areMixed = new Set(shardAddresses(url).map((addresses) => addresses.length > 1)).size > 1;
  return [
    ...problems.map((problem) => ['clickhouseUrl', problem] as const),
    ...(new Set(addressesOf(url)).size < addressesOf(url).length
      ? [['clickhouseUrl', 'names an address twice; each is that of another server'] as const]
      : []),
    ...(areMixed
      ? [['clickhouseUrl', 'has shards with and without replicas; let all of them have some, or none'] as const]
      : []),
    ...(Object.keys(embeddedOnly) as readonly (keyof typeof embeddedOnly)[])
      .filter(isGiven)
      .map((name) => [name, `${embeddedOnly[name]}; leave it out with an engine elsewhere`] as const),
  ];
}

/** The addresses of the servers of each shard: several if they are replicas. */
export const shardAddresses = (text: string): readonly (readonly string[])[] =>
  text.split(';').map((shard) => shard.split(',').map((address) => address.trim()));

/** The addresses of all servers. */
export const addressesOf = (text: string): readonly string[] => shardAddresses(text).flat();

/** Whether tables have copies on several servers. */
export const isReplicated = (text: string): boolean => shardAddresses(text).some(({ length }) => length > 1);

/** Never repeats the address: somebody may have put a password into it. */
function addressProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return 'expected an address such as http://127.0.0.1:8123 or https://clickhouse.example:8443, or those of several replicas divided by commas, and of several shards by semicolons';
  if (url.username !== '' || url.password !== '')
    return 'leave user and password out of it; they are settings of their own';
  return undefined;
}

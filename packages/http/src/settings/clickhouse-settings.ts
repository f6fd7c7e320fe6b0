import type { SettingRecord } from './setting-types.js';

/** Settings of an engine on another machine; a part of `settingsTable`. */
export const clickhouseSettings = {
  clickhouseUrl: {
    type: 'text',
    default: undefined,
    doc: 'URL of a ClickHouse server that stores the events instead of the embedded engine, such as `https://clickhouse.example:8443`. See [scaling.md](scaling.md#events-in-a-clickhouse-server). Separate replicas with commas, shards with semicolons: [scaling.md](scaling.md).',
    reason: 'The embedded engine needs no setup. A data directory keeps its kind of engine.',
  },
  clickhouseUser: {
    type: 'text',
    default: undefined,
    pattern: /^[^:]+$/,
    expected: 'a name without a colon',
    doc: 'User of the ClickHouse server; defaults to `default`, which every server has.',
    reason: 'A dedicated user with only the required permissions is better.',
  },
  clickhousePassword: {
    type: 'text',
    default: undefined,
    secret: true,
    doc: 'Password of that user.',
    reason: 'Use the environment variable, because all users of the machine can read flags.',
  },
} as const satisfies Record<string, SettingRecord>;

type Name = keyof typeof clickhouseSettings;
/** Settings that apply to this machine only, and why a remote engine ignores them. */
const embeddedOnly = {
  engineMemoryBytes: 'limits the embedded engine; ClickHouse has max_server_memory_usage',
  geoNetworks: 'names a file that only the embedded engine can read',
} as const;

/**
 * Problems of the settings for a remote engine, each with the setting to fix.
 * @param isGiven whether the operator set a setting
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

/** Checks a server address. Messages never repeat the address: it may contain a password. */
function addressProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return 'expected an address such as http://127.0.0.1:8123 or https://clickhouse.example:8443, or those of several replicas divided by commas, and of several shards by semicolons';
  if (url.username !== '' || url.password !== '') return 'must not contain user and password; use their own settings';
  return undefined;
}

import { parseSetting, type SettingRecord, type ValueOf } from './setting-types.js';

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;
const second = 1000;
const minute = 60 * second;

/**
 * Every setting, once. `requestsPerMinute` is the flag `--requests-per-minute` and the environment variable `MILLRACE_REQUESTS_PER_MINUTE`;
 * a flag wins over the environment. docs/settings.md is written from this table.
 */
export const settingsTable = {
  host: {
    type: 'text',
    default: '127.0.0.1',
    doc: 'Address to listen on.',
    reason: 'Nobody else can reach a server before its operator decides so; 0.0.0.0 listens everywhere.',
  },
  port: {
    type: 'integer',
    default: 8080,
    min: 0,
    max: 65_535,
    doc: 'Port to listen on; 0 takes any free one, which is printed.',
    reason: 'Needs no privileges.',
  },
  dataDir: {
    type: 'text',
    default: './data',
    doc: 'Directory of everything the server keeps: log, event data, metadata.',
    reason: 'Visible where the server was started; made if missing, readable by its owner only.',
  },
  adminToken: {
    type: 'text',
    default: undefined,
    secret: true,
    pattern: /^xapt-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    expected: 'xapt- followed by a UUID in lower case',
    doc: 'Personal token of the owner, `xapt-<uuid>`. Another value than at the last start replaces the token.',
    reason: 'Left out, one is made at the first start and printed once; only its hash is kept.',
  },
  authFailureStatus: {
    type: 'choice',
    choices: ['403', '401'],
    default: '403',
    doc: 'HTTP status for a missing, malformed, unknown or expired token.',
    reason: 'The interface documents 403; some clients expect 401.',
  },
  autoCreateDatasets: {
    type: 'boolean',
    default: false,
    doc: 'Create a dataset when events arrive for an unknown one, if the token may create datasets.',
    reason: 'A misspelt name is an error that says so, not a second dataset.',
  },
  tlsCert: {
    type: 'text',
    default: undefined,
    doc: 'PEM file with the certificate chain; with it the server speaks HTTPS only.',
    reason: 'TLS needs a certificate; without one put a proxy in front.',
  },
  tlsKey: {
    type: 'text',
    default: undefined,
    doc: 'PEM file with the private key of `tls-cert`.',
    reason: 'As above.',
  },
  corsOrigins: {
    type: 'list',
    default: [],
    doc: 'Origins whose pages may call the server from a browser, separated by commas; `*` for all.',
    reason: 'Off: no page of another origin can use a token it got hold of.',
  },
  logLevel: {
    type: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    doc: 'Least level of the log lines (JSON, on standard error).',
    reason: 'One line a request and one a noteworthy event.',
  },
  shutdownTimeout: {
    type: 'duration',
    default: 30 * second,
    min: 0,
    max: 60 * minute,
    doc: 'How long running requests may take to finish after SIGTERM.',
    reason: 'Longer than most queries, shorter than what service managers wait before they kill.',
  },
  requestTimeout: {
    type: 'duration',
    default: 5 * minute,
    min: 1 * second,
    max: 60 * minute,
    doc: 'How long a request may take to arrive completely.',
    reason: 'A slow sender with a large body gets through; a connection that never finishes is closed.',
  },
  maxBodyBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 1 * KiB,
    max: 1 * GiB,
    doc: 'Largest body of an ingest request, as sent.',
    reason: 'Bodies are held in memory while they are read; clients send far smaller ones.',
  },
  maxDecompressedBytes: {
    type: 'bytes',
    default: 256 * MiB,
    min: 1 * KiB,
    max: 2 * GiB,
    doc: 'Largest body of an ingest request after decompression.',
    reason: 'Events compress about tenfold; what expands further than this is more likely a bomb.',
  },
  maxJsonBodyBytes: {
    type: 'bytes',
    default: 4 * MiB,
    min: 1 * KiB,
    max: 64 * MiB,
    doc: 'Largest body of every other request.',
    reason: 'The longest queries and dashboards stay below 1 MiB.',
  },
  maxHeaderBytes: {
    type: 'bytes',
    default: 64 * KiB,
    min: 4 * KiB,
    max: 1 * MiB,
    doc: 'Largest request line and headers together.',
    reason: 'Room for event labels and long lists of CSV fields.',
  },
  maxUrlBytes: {
    type: 'bytes',
    default: 16 * KiB,
    min: 1 * KiB,
    max: 64 * KiB,
    doc: 'Longest URL.',
    reason: 'Room for field names of every length, percent-encoded.',
  },
  maxJsonDepth: {
    type: 'integer',
    default: 100,
    min: 10,
    max: 1000,
    doc: 'Levels of nesting in JSON: deeper values of events become null, deeper requests are refused.',
    reason: 'What the interface documents.',
  },
  maxValueBytes: {
    type: 'bytes',
    default: 1_000_000,
    min: 1 * KiB,
    max: 64 * MiB,
    doc: 'Longest string in an event; longer ones are stored as `<invalid string: too long>`.',
    reason: 'What the interface documents.',
  },
  maxNameBytes: {
    type: 'bytes',
    default: 200,
    min: 16,
    max: 4 * KiB,
    doc: 'Longest field name in an event; fields with longer names are left out and reported.',
    reason: 'What the interface documents.',
  },
  maxFailuresReported: {
    type: 'integer',
    default: 100,
    min: 1,
    max: 10_000,
    doc: 'Failed events listed in the answer of one ingest request; all are counted.',
    reason: 'Enough to see what is wrong; a body of garbage does not make an answer of its size.',
  },
  columnBudget: {
    type: 'integer',
    default: 1024,
    min: 16,
    max: 20_000,
    doc: 'Columns of its own a dataset may have; rarer fields share one overflow column and are queried by the same names.',
    reason: 'Each column costs the engine time and memory at every insert.',
  },
  maxFields: {
    type: 'integer',
    default: 100_000,
    min: 256,
    max: 10_000_000,
    doc: 'Field names a dataset may have; an event that would add another one fails.',
    reason: 'Names are held in memory; more of them are data that should be a map field.',
  },
  idempotencyWindow: {
    type: 'duration',
    default: 24 * 60 * minute,
    min: 1 * minute,
    max: 30 * 24 * 60 * minute,
    doc: 'How long an idempotency key is remembered.',
    reason: 'Clients retry for minutes; a day covers a queue that was down over night.',
  },
  logSegmentBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 1 * MiB,
    max: 1 * GiB,
    doc: 'Size of one file of the write-ahead log.',
    reason: 'Whole files are deleted once their events are stored.',
  },
  maxLogBytes: {
    type: 'bytes',
    default: 4 * GiB,
    min: 64 * MiB,
    max: 1024 * GiB,
    doc: 'Largest write-ahead log; beyond it ingest answers 503.',
    reason: 'Holds hours of events at common rates when the engine is down, and fits a small disk.',
  },
  maxPendingBytes: {
    type: 'bytes',
    default: 512 * MiB,
    min: 16 * MiB,
    max: 64 * GiB,
    doc: 'Bytes that may wait to be stored by the engine; beyond them ingest answers 429 before it accepts a body.',
    reason: 'What waits is held in memory.',
  },
  retentionInterval: {
    type: 'duration',
    default: 10 * minute,
    min: 1 * second,
    max: 24 * 60 * minute,
    doc: 'How often events past the retention of their dataset are removed.',
    reason: 'Retention counts in days; this is close enough and costs nothing.',
  },
  engineSessions: {
    type: 'integer',
    default: 4,
    min: 1,
    max: 64,
    doc: 'Queries the embedded engine runs at once; the others wait.',
    reason: 'Each query uses all cores by itself.',
  },
  engineMemoryBytes: {
    type: 'bytes',
    default: 4 * GiB,
    min: 256 * MiB,
    max: 1024 * GiB,
    doc: 'Memory all queries of the embedded engine may use together.',
    reason: 'Half of a machine with 8 GiB.',
  },
  queryTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 100,
    max: 60 * minute,
    doc: 'Longest run of a query; then it is stopped and answers 408.',
    reason: 'Clients give up about then.',
  },
  queryMemoryBytes: {
    type: 'bytes',
    default: 2 * GiB,
    min: 16 * MiB,
    max: 1024 * GiB,
    doc: 'Memory one query may use; then it is stopped and answers 432.',
    reason: 'One query cannot take all there is.',
  },
  queryMaxRowsRead: {
    type: 'integer',
    default: 10_000_000_000,
    min: 1000,
    max: Number.MAX_SAFE_INTEGER,
    doc: 'Rows one query may read.',
    reason: 'Far beyond what the time limit allows; for operators who want less.',
  },
  queryMaxResultBytes: {
    type: 'bytes',
    default: 256 * MiB,
    min: 1 * MiB,
    max: 2 * GiB,
    doc: 'Largest result of one query.',
    reason: 'Results are held in memory until they are sent.',
  },
  defaultQueryLimit: {
    type: 'integer',
    default: 1000,
    min: 1,
    max: 1_000_000,
    doc: 'Rows of a query that does not say how many.',
    reason: 'What the interface documents.',
  },
  maxQueryLimit: {
    type: 'integer',
    default: 50_000,
    min: 1,
    max: 10_000_000,
    doc: 'Most rows a query gives, whatever it asks for.',
    reason: 'What the interface documents.',
  },
  maxConcurrentQueries: {
    type: 'integer',
    default: 10,
    min: 1,
    max: 10_000,
    doc: 'Queries one token may have waiting or running at once; the next one answers 429.',
    reason: 'One client cannot keep the others waiting.',
  },
  requestsPerMinute: {
    type: 'integer',
    default: 60_000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Requests a minute one token, or one address without a token, may make; then 429.',
    reason: 'Above what any client of one person or service does; stops loops.',
  },
  failedLoginsPerMinute: {
    type: 'integer',
    default: 600,
    min: 1,
    max: 1_000_000_000,
    doc: 'Requests with a wrong token one address may make a minute; then 429.',
    reason: 'Tokens cannot be guessed anyway; this keeps the log readable.',
  },
} as const satisfies Record<string, SettingRecord>;

export type SettingName = keyof typeof settingsTable;
export type Settings = { readonly [K in SettingName]: ValueOf<(typeof settingsTable)[K]> };

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  /** One line a mistake: where it was made, what was expected. */
  | { readonly ok: false; readonly errors: readonly string[] };

/** `requestsPerMinute` → `--requests-per-minute`. */
export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
/** `requestsPerMinute` → `MILLRACE_REQUESTS_PER_MINUTE`. */
export const variableOf = (name: string): string =>
  `MILLRACE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const entries = Object.entries(settingsTable) as readonly [SettingName, SettingRecord][];

/**
 * Reads all settings. Flags are `--name value`, `--name=value`, or for a boolean `--name` and `--no-name`; flags win over the environment, and an
 * empty environment variable counts as not set. All mistakes are reported at once.
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): SettingsResult {
  const errors: string[] = [];
  const given = new Map<SettingName, { readonly where: string; readonly text: string }>();
  for (const [name] of entries) {
    const text = env[variableOf(name)];
    if (text !== undefined && text !== '') given.set(name, { where: variableOf(name), text });
  }
  for (const variable of Object.keys(env)) {
    if (variable.startsWith('MILLRACE_') && !entries.some(([name]) => variableOf(name) === variable)) {
      errors.push(`${variable}: no such setting; see docs/settings.md`);
    }
  }
  readFlags(argv, given, errors);

  const values: Record<string, unknown> = {};
  for (const [name, record] of entries) {
    const source = given.get(name);
    const parsed = source === undefined ? { value: record.default } : parseSetting(record, source.text);
    if ('value' in parsed) values[name] = parsed.value;
    else errors.push(`${source?.where}: expected ${parsed.expected}${record.secret ? '' : `, not '${source?.text}'`}`);
  }
  const settings = values as unknown as Settings;
  if (errors.length === 0) errors.push(...contradictions(settings));
  return errors.length > 0 ? { ok: false, errors } : { ok: true, settings: Object.freeze(settings) };
}

/** The settings of a server that was told nothing, with some of them replaced: for embedding and tests. */
export const defaultSettings = (changes: Partial<Settings> = {}): Settings =>
  Object.freeze({
    ...(Object.fromEntries(entries.map(([name, { default: value }]) => [name, value])) as unknown as Settings),
    ...changes,
  });

function readFlags(
  argv: readonly string[],
  given: Map<SettingName, { where: string; text: string }>,
  errors: string[],
): void {
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i]!;
    const [flag, inline] = split(argument);
    const [name, record] = entries.find(([name]) => flagOf(name) === flag) ?? [];
    const [negated] =
      entries.find(([name, { type }]) => type === 'boolean' && flagOf(name).replace('--', '--no-') === flag) ?? [];
    if (negated !== undefined && inline === undefined) given.set(negated, { where: flag, text: 'false' });
    else if (name === undefined || record === undefined) errors.push(`${flag}: no such setting; see docs/settings.md`);
    else if (inline !== undefined) given.set(name, { where: flag, text: inline });
    else if (record.type === 'boolean') given.set(name, { where: flag, text: 'true' });
    else if (i + 1 < argv.length) given.set(name, { where: flag, text: argv[++i]! });
    else errors.push(`${flag}: expected a value`);
  }
}

function split(argument: string): readonly [string, string | undefined] {
  const at = argument.indexOf('=');
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}

/** Settings that make no sense together. */
function contradictions(settings: Settings): readonly string[] {
  const found: string[] = [];
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    found.push(`${variableOf('tlsCert')} and ${variableOf('tlsKey')}: set both or none`);
  }
  if (settings.defaultQueryLimit > settings.maxQueryLimit) {
    found.push(
      `${variableOf('defaultQueryLimit')}: expected at most ${variableOf('maxQueryLimit')} (${settings.maxQueryLimit})`,
    );
  }
  return found;
}

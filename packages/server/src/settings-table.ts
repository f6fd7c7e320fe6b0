import { isIP } from 'node:net';
import type { SettingRecord } from './setting-types.js';

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;
const second = 1000;
const minute = 60 * second;

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  const widest = family === 4 ? 32 : 128;
  return (
    family !== 0 &&
    !text.includes('%') &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest))
  );
}

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
  trustedProxies: {
    type: 'list',
    default: [],
    pattern: { test: isNetwork },
    expected: 'addresses or networks separated by commas, such as 127.0.0.1,10.0.0.0/8',
    doc: 'Proxies in front of the server, as addresses or networks separated by commas: what they say in `X-Forwarded-For` counts as the address of a client.',
    reason: 'Off: anybody could claim any address in the audit log, and pass the limits by address.',
  },
  corsOrigins: {
    type: 'list',
    default: [],
    pattern: /^(\*|[a-z][a-z\d+.-]*:\/\/[^/\s]+)$/i,
    expected: 'origins without a path separated by commas, such as https://app.example:8443, or *',
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
  stalledReaderTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 100,
    max: 60 * minute,
    doc: 'How long a client may take nothing of a long answer; then the connection is closed and the query ends.',
    reason: 'A slow reader gets through; one that has stopped does not hold a result or an export for ever.',
  },
  maxBodyBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 1 * KiB,
    max: 1 * GiB,
    doc: 'Largest body of an ingest request, as sent.',
    reason: 'Bodies are held in memory while they are read; clients send far smaller ones.',
  },
  maxDiscardedBytes: {
    type: 'bytes',
    default: 1 * GiB,
    min: 0,
    max: 1024 * GiB,
    doc: 'What is read and thrown away of the body of a request that was refused; who sends more is disconnected.',
    reason:
      'Many clients send the whole body before they read: disconnected, they would not see why they were refused.',
  },
  ingestThreads: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 64,
    doc: 'Threads that read large and compressed bodies of ingest requests; 0 takes one a core, four at most.',
    reason:
      'Requests are independent of each other, and no large one holds up a small one; more only wait for the disk.',
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
    reason:
      'Each column costs the engine time and memory at every insert and every query. An eighth goes to whichever fields come first, the rest to fields that one event in a hundred has.',
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
    min: 512 * MiB,
    max: 1024 * GiB,
    doc: 'Largest write-ahead log; beyond it ingest answers 429.',
    reason:
      'Holds hours of events at common rates when the engine is down, and fits a small disk. At least two of the largest batch.',
  },
  maxPendingBytes: {
    type: 'bytes',
    default: 512 * MiB,
    min: 16 * MiB,
    max: 64 * GiB,
    doc: 'Memory that events waiting for the engine may take; beyond it ingest answers 429 before it accepts a body.',
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
  resultCacheBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 0,
    max: 64 * GiB,
    doc: 'Room for results of queries that are asked again while their data has not changed; 0 keeps none.',
    reason: 'Dashboards ask the same a few times a minute; their results are small.',
  },
  queryHistory: {
    type: 'integer',
    default: 100,
    min: 0,
    max: 10_000,
    doc: 'Queries kept of each token that asks for it with `saveAsKind`.',
    reason: 'Enough to find the one of yesterday; some clients ask for it on every query.',
  },
  modelPrices: {
    type: 'text',
    default: undefined,
    doc: 'JSON file with prices of language models, `{"model": {"input": 2.5, "output": 10}}` in US dollars a million tokens.',
    reason: 'Prices change and differ by contract; without the file the functions that need them are refused.',
  },
  geoNetworks: {
    type: 'text',
    default: undefined,
    doc: 'CSV file with a header line that tells where networks are: network, country, state, city, latitude, longitude, country_iso, time_zone.',
    reason: 'Such data has licences of its own; without the file `geo_info_from_ip_address` is refused.',
  },
  maxDataColumns: {
    type: 'integer',
    default: 500,
    min: 1,
    max: 10_000,
    doc: 'Columns `evaluate pivot` and `evaluate bag_unpack` may make of what the data holds; more is an error.',
    reason: 'Nobody reads wider tables, and every column of a pivot is an aggregate of its own.',
  },
  externalDataHosts: {
    type: 'list',
    default: [],
    doc: 'Hosts `externaldata` may read files from, separated by commas.',
    reason: 'Off: a query must not make the server call addresses its author could not reach.',
  },
  requestsPerMinute: {
    type: 'integer',
    default: 1_000_000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Requests a minute one token, or one address without a token, may make; then 429.',
    reason:
      'As many as a server can take, for fleets that share a token; lower it where tokens are handed to strangers.',
  },
  failedLoginsPerMinute: {
    type: 'integer',
    default: 6000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Requests with a wrong token one address may make a minute; then they answer 429 and are not audited one by one.',
    reason: 'Tokens cannot be guessed; this keeps strangers from filling the audit log.',
  },
} as const satisfies Record<string, SettingRecord>;

import { MAX_BODY_BYTES } from '@millrace/events';
import { isHost, isNetwork } from './network.js';
import { alertSettings } from './alert-settings.js';
import { clickhouseSettings } from './clickhouse-settings.js';
import { coldSettings } from './cold-settings.js';
import { databaseSettings } from './database-settings.js';
import { resourceSettings } from './resource-settings.js';
import { querySettings } from './query-settings.js';
import { consoleSettings } from './console-settings.js';
import type { SettingRecord } from './setting-types.js';
import { GiB, KiB, MiB, minute, second } from './setting-units.js';
import { shipperSettings } from './shipper-settings.js';
import { socketSettings } from './socket-settings.js';
import { storageSettings } from './storage-settings.js';

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
    doc: 'Directory for everything the server stores: log, event data, metadata.',
    reason:
      'The default is easy to see where the server was started. The directory is created if missing, readable by its owner only.',
  },
  adminToken: {
    type: 'text',
    default: undefined,
    secret: true,
    pattern: /^xapt-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    expected: 'xapt- followed by a UUID in lower case',
    doc: 'Personal token of the owner, `xapt-<uuid>`. A value that differs from that of the last start replaces the token.',
    reason:
      'If left out, a token is generated at the first start and printed once; only its hash is stored. Other users of the machine can see a flag while the process starts; the environment they cannot.',
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
    doc: 'Create a dataset when events arrive for an unknown one, if the token may create datasets. A body without a good event creates none.',
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
    reason: 'TLS needs both files.',
  },
  trustedProxies: {
    type: 'list',
    default: [],
    pattern: { test: isNetwork },
    expected: 'addresses or networks separated by commas, such as 127.0.0.1,10.0.0.0/8',
    doc: 'Proxies in front of the server, as addresses or networks separated by commas: what they say in `X-Forwarded-For` counts as the address of a client.',
    reason:
      'None by default: otherwise any client could claim any address, in the audit log and to evade the limits for each address.',
  },
  corsOrigins: {
    type: 'list',
    default: [],
    pattern: /^(\*|[a-z][a-z\d+.-]*:\/\/[^/\s]+)$/i,
    expected: 'origins without a path separated by commas, such as https://app.example:8443, or *',
    doc: 'Origins whose pages may call the server from a browser, separated by commas; `*` for all.',
    reason: 'None by default, so that no page of another origin can use a token it got hold of.',
  },
  logLevel: {
    type: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    doc: 'Lowest level of the log lines that are written (JSON, on standard error).',
    reason: '`info` writes one line for each request and one for each noteworthy event.',
  },
  shutdownTimeout: {
    type: 'duration',
    default: 30 * second,
    min: 0,
    max: 60 * minute,
    doc: 'How long running requests, and a running removal of old events, may take to finish after SIGTERM.',
    reason: 'Longer than most queries take, and shorter than service managers wait before they kill.',
  },
  maxConnections: {
    type: 'integer',
    default: 10_000,
    min: 10,
    max: 1_000_000,
    doc: 'Connections at once; fewer if the process may not open so many files. With one more, the oldest is closed on which no request has come yet, or else the new one.',
    reason: 'Each takes a file descriptor, and without one left the server could not even write its log.',
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
    doc: 'How long a client may stop reading a long answer before the connection is closed and the query ends.',
    reason: 'A slow reader gets through; one that has stopped does not hold a result or an export for ever.',
  },
  maxBodyBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 1 * KiB,
    max: MAX_BODY_BYTES,
    doc: 'Largest body of an ingest request, as sent.',
    reason: 'Bodies are held in memory while they are read; clients send far smaller ones.',
  },
  maxDiscardedBytes: {
    type: 'bytes',
    default: 1 * GiB,
    min: 0,
    max: 1024 * GiB,
    doc: 'How much of the body of a refused request is read and thrown away; a client that sends more is disconnected.',
    reason:
      'Many clients send the whole body before they read the answer; if disconnected, they would not see why they were refused.',
  },
  ingestThreads: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 64,
    doc: 'Threads that read large and compressed bodies of ingest requests; 0 means one for each core, at most four.',
    reason:
      'Requests are independent of each other, and no large one holds up a small one. More than four threads would only wait for the disk.',
  },
  encodeTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 1 * second,
    max: 60 * minute,
    doc: 'How long the events of one request may be read; beyond it the request is refused.',
    reason:
      'The largest body of real events takes some seconds. One that is made up to take long holds a thread no longer than this.',
  },
  maxDecompressedBytes: {
    type: 'bytes',
    default: 256 * MiB,
    min: 1 * KiB,
    max: MAX_BODY_BYTES,
    doc: 'Largest body of an ingest request after decompression. Those of more than 32 MiB that are read at the same time may have as much together; further ones wait. For OpenTelemetry it also limits all records together, each with its resource and scope.',
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
  compressAnswersFrom: {
    type: 'bytes',
    default: 4 * KiB,
    min: 0,
    max: 1 * GiB,
    doc: 'Least length of an answer that is compressed with gzip for a client on another machine that accepts it; longer answers that are streamed are compressed too. 0: none is.',
    reason:
      'Events shrink to about a sixth. A short answer fits into a few packets anyway, and on the same machine sending costs less than compressing.',
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
    doc: 'Longest string in an event, and longest array or object of a map field, as JSON; longer ones are stored as `<invalid string: too long>`.',
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
  maxRequestFields: {
    type: 'integer',
    default: 100_000,
    min: 100,
    max: 1_000_000,
    doc: 'Most different fields that one ingest request may bring. What its events have under further names is kept as one object in the field `_other`, and the answer says so.',
    reason:
      'A hundred times what real events have together. Each name is known to the server from then on, so a sender must not be able to make up any number.',
  },
  maxDatasetFields: {
    type: 'integer',
    default: 2_000_000,
    min: 100,
    max: 10_000_000,
    doc: 'Most different fields of one dataset. Beyond them new names are kept in `_other`, too; `millrace dataset forget-fields` makes room.',
    reason: 'All names are in memory and are read at each start: two million take about 500 MB and some seconds.',
  },
  columnBudget: {
    type: 'integer',
    default: 1024,
    min: 16,
    max: 20_000,
    doc: 'Most columns that fields of a dataset may have to themselves; rarer fields share one overflow column and are queried by the same names.',
    reason:
      'Each column costs the engine time and memory at every insert and every query. As long as all fields fit into an eighth of the budget, each has a column; after that only fields that occur in one event of a hundred get one.',
  },
  ...storageSettings,
  ...shipperSettings,
  ...socketSettings,
  ...clickhouseSettings,
  ...coldSettings,
  ...databaseSettings,
  ...consoleSettings,
  ...resourceSettings,
  engineSessions: {
    type: 'integer',
    default: 4,
    min: 1,
    max: 64,
    doc: 'Queries that run at once; the others wait.',
    reason: 'Each query uses all cores by itself.',
  },
  exportSessions: {
    type: 'integer',
    default: 5,
    min: 2,
    max: 64,
    doc: 'Exports and backups that are sent at once; the others wait. One of the places is kept for backups.',
    reason:
      "Each takes about a megabyte of the engine's memory for each field, for as long as its reader takes: 1 GB for five exports of datasets with 200 fields.",
  },
  leastReaderPace: {
    type: 'bytes',
    default: 64 * KiB,
    min: 0,
    max: 1 * GiB,
    doc: 'Bytes a second. While an export or a backup waits, one that is read more slowly than this is ended once it is a MiB behind (at the default, after a pause of 16 s). With 0, none is ended.',
    reason:
      'A slow connection gets through while nobody waits, and a few slow readers do not keep everybody else waiting.',
  },
  quietExportTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 1 * second,
    max: 60 * minute,
    doc: 'How long an export may give no row while a token with fewer exports waits; then it is ended.',
    reason:
      'As long as a query may take. An export that finds nothing has no time limit, and could keep the place of others for ever.',
  },
  engineMemoryBytes: {
    type: 'bytes',
    default: 4 * GiB,
    min: 256 * MiB,
    max: 1024 * GiB,
    doc: 'Memory all queries of the embedded engine may use together.',
    reason: 'Half of a machine with 8 GiB.',
  },
  ...querySettings,
  maxConcurrentQueries: {
    type: 'integer',
    default: 10,
    min: 1,
    max: 10_000,
    doc: 'Queries one token may have waiting or running at once; a further one answers 429, but those of a batch wait.',
    reason: 'One client cannot keep the others waiting.',
  },
  resultCacheBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 0,
    max: 64 * GiB,
    doc: 'Memory for results of queries that are asked again while their data has not changed; 0 keeps none.',
    reason: 'Dashboards ask the same queries a few times a minute, and their results are small.',
  },
  queryHistory: {
    type: 'integer',
    default: 100,
    min: 0,
    max: 10_000,
    doc: 'Queries remembered for each token that asks for it with `saveAsKind`; fewer if they take more than 1 MiB together.',
    reason: 'Enough to find a query of yesterday; some clients ask for it with every query.',
  },
  modelPrices: {
    type: 'text',
    default: undefined,
    doc: 'JSON file with prices of language models, `{"model": {"input": 2.5, "output": 10}}`, in US dollars for a million tokens.',
    reason: 'Prices change and differ by contract; without the file the functions that need them are refused.',
  },
  geoNetworks: {
    type: 'text',
    default: undefined,
    doc: 'CSV file with the places of networks. Its header line names the columns: network, country, state, city, latitude, longitude, country_iso, time_zone.',
    reason: 'Such data has licences of its own; without the file `geo_info_from_ip_address` is refused.',
  },
  maxDataColumns: {
    type: 'integer',
    default: 500,
    min: 1,
    max: 10_000,
    doc: 'Most columns that `evaluate pivot` and `evaluate bag_unpack` may make from the data; more is an error.',
    reason: 'Nobody reads wider tables, and every column of a pivot is an aggregate of its own.',
  },
  externalDataHosts: {
    type: 'list',
    default: [],
    pattern: { test: isHost },
    expected: 'hosts without scheme or path separated by commas, such as data.example.com,127.0.0.1:8080',
    doc: 'Hosts `externaldata` may read files from, separated by commas, such as `data.example.com,127.0.0.1:8080`; one without a port stands for all of its ports.',
    reason: 'None by default: a query must not make the server call addresses its author could not reach.',
  },
  maxExternalDataBytes: {
    type: 'bytes',
    default: 5 * 1024 * 1024,
    min: 1024,
    max: 12 * 1024 * 1024,
    doc: 'Most bytes of all files that a query reads with `externaldata`; more is an error.',
    reason:
      'As much as elsewhere. Taking in that much keeps the server from everything else for half a second to two, and a statement for the engine, of which the files are a part, cannot be much longer than the maximum.',
  },
  ...alertSettings,
  requestsPerMinute: {
    type: 'integer',
    default: 1_000_000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Requests that one token, or one address without a token, may make in a minute; further ones answer 429.',
    reason:
      'As many as a server can take, for fleets that share a token; lower it where tokens are handed to strangers.',
  },
  failedLoginsPerMinute: {
    type: 'integer',
    default: 6000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Requests with a wrong token that one address may make in a minute, where an IPv6 network of 64 bits counts as one; further ones answer 429 and are not audited one by one.',
    reason: 'Tokens cannot be guessed; this keeps strangers from filling the audit log.',
  },
} as const satisfies Record<string, SettingRecord>;

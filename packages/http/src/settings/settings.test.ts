import { logLimits } from '@millrace/log';
import { describe, expect, test } from 'vitest';
import { defaultSettings, flagOf, readSettings, type Settings, variableOf } from './settings.js';
import { settingsTable } from './settings-table.js';

const GiB = 2 ** 30;
const read = (env: Record<string, string> = {}, ...argv: string[]) => readSettings(env, argv, 64 * GiB);
function settingsOf(env: Record<string, string> = {}, ...argv: string[]): Settings {
  const result = read(env, ...argv);
  if (!result.ok) throw new Error(result.errors.join('\n'));
  return result.settings;
}
function errorsOf(env: Record<string, string> = {}, ...argv: string[]): readonly string[] {
  const result = read(env, ...argv);
  return result.ok ? [] : result.errors;
}

test('nothing given: the defaults', () => {
  expect(settingsOf()).toEqual(defaultSettings());
  expect(settingsOf()).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    dataDir: './data',
    authFailureStatus: '403',
    autoCreateDatasets: false,
  });
  expect(Object.isFrozen(settingsOf())).toBe(true);
});

test.each([
  [64 * GiB, [4 * GiB, 2 * GiB, 2 ** 28, 2 ** 29]],
  [8 * GiB, [4 * GiB, 2 * GiB, 2 ** 28, 2 ** 29]],
  [1 * GiB, [2 ** 29, 2 ** 28, 42_949_672, 128_849_018]],
  // The minimum of the engine's memory.
  [2 ** 28, [2 ** 28, 2 ** 26, 10_737_418, 32_212_254]],
])('defaults of memory on a machine with %d bytes', (memory, expected) => {
  const result = readSettings({}, [], memory);
  if (!result.ok) throw new Error(result.errors.join('\n'));
  const { engineMemoryBytes, queryMemoryBytes, assuredQueryMemoryBytes, maxPendingBytes } = result.settings;
  expect([engineMemoryBytes, queryMemoryBytes, assuredQueryMemoryBytes, maxPendingBytes]).toEqual(expected);
});

test('accepts a valid value on any machine', () =>
  expect(readSettings({ MILLRACE_ENGINE_MEMORY_BYTES: '3GiB' }, [], GiB)).toMatchObject({
    settings: { engineMemoryBytes: 3 * GiB },
  }));

test('names follow from the table', () => {
  expect(flagOf('requestsPerMinute')).toBe('--requests-per-minute');
  expect(variableOf('requestsPerMinute')).toBe('MILLRACE_REQUESTS_PER_MINUTE');
});

const values: readonly (readonly [string, Record<string, string>, string[], Partial<Settings>])[] = [
  ['environment', { MILLRACE_PORT: '0' }, [], { port: 0 }],
  ['empty environment variable', { MILLRACE_PORT: '' }, [], { port: 8080 }],
  ['flag', {}, ['--port', '9'], { port: 9 }],
  ['flag with =', {}, ['--data-dir=/var/lib/a=b'], { dataDir: '/var/lib/a=b' }],
  ['flag over environment', { MILLRACE_PORT: '1' }, ['--port', '2'], { port: 2 }],
  ['last flag', {}, ['--port', '1', '--port', '2'], { port: 2 }],
  ['boolean flag', {}, ['--auto-create-datasets'], { autoCreateDatasets: true }],
  [
    'negated flag',
    { MILLRACE_AUTO_CREATE_DATASETS: 'yes' },
    ['--no-auto-create-datasets'],
    { autoCreateDatasets: false },
  ],
  ['boolean with value', {}, ['--auto-create-datasets=1'], { autoCreateDatasets: true }],
  ['boolean in a word', { MILLRACE_AUTO_CREATE_DATASETS: 'On' }, [], { autoCreateDatasets: true }],
  ['bytes', { MILLRACE_MAX_BODY_BYTES: '1.5MiB' }, [], { maxBodyBytes: 1_572_864 }],
  ['decimal bytes', { MILLRACE_MAX_BODY_BYTES: '2 MB' }, [], { maxBodyBytes: 2_000_000 }],
  ['plain bytes', { MILLRACE_MAX_BODY_BYTES: '4096' }, [], { maxBodyBytes: 4096 }],
  ['duration', { MILLRACE_QUERY_TIMEOUT: '2m' }, [], { queryTimeout: 120_000 }],
  [
    'list',
    { MILLRACE_CORS_ORIGINS: 'https://a.example, https://b.example,' },
    [],
    { corsOrigins: ['https://a.example', 'https://b.example'] },
  ],
  [
    'networks',
    { MILLRACE_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8, fd00::/8' },
    [],
    { trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] },
  ],
  [
    'hosts',
    { MILLRACE_EXTERNAL_DATA_HOSTS: 'data.example.com,127.0.0.1:8080,[::1]:80' },
    [],
    { externalDataHosts: ['data.example.com', '127.0.0.1:8080', '[::1]:80'] },
  ],
  ['choice', { MILLRACE_AUTH_FAILURE_STATUS: '401' }, [], { authFailureStatus: '401' }],
  [
    'token',
    { MILLRACE_ADMIN_TOKEN: 'xapt-01234567-89ab-cdef-0123-456789abcdef' },
    [],
    { adminToken: 'xapt-01234567-89ab-cdef-0123-456789abcdef' },
  ],
  ['others’ variables', { PATH: '/bin', MILL: '1' }, [], {}],
];
test.each(values)('%s', (_, env, argv, expected) =>
  expect(settingsOf(env, ...argv)).toEqual(defaultSettings(expected)),
);

const mistakes: readonly (readonly [string, Record<string, string>, string[], string])[] = [
  [
    'not a number',
    { MILLRACE_PORT: 'http' },
    [],
    "MILLRACE_PORT: expected a whole number, from 0 to 65535, not 'http'",
  ],
  ['out of range', {}, ['--port=65536'], "--port: expected a whole number, from 0 to 65535, not '65536'"],
  ['bad size', { MILLRACE_MAX_BODY_BYTES: '1 cup' }, [], 'a number of bytes such as'],
  ['bad duration', { MILLRACE_QUERY_TIMEOUT: 'soon' }, [], 'a duration such as'],
  ['bad choice', { MILLRACE_AUTH_FAILURE_STATUS: '404' }, [], "expected one of 403, 401, not '404'"],
  ['bad list', { MILLRACE_CORS_ORIGINS: 'https://a.example/' }, [], 'without a path separated by commas'],
  ['no network', { MILLRACE_TRUSTED_PROXIES: '::1,10.0.0.0/33' }, [], 'expected addresses or networks'],
  ['a name', { MILLRACE_TRUSTED_PROXIES: 'proxy.local' }, [], 'expected addresses or networks'],
  [
    'hosts with a scheme',
    { MILLRACE_EXTERNAL_DATA_HOSTS: 'https://a.example' },
    [],
    'expected hosts without scheme or',
  ],
  ['one of them as a flag', {}, ['--external-data-hosts', 'http://x/'], 'expected hosts without scheme or'],
  [
    'hosts with a star',
    { MILLRACE_EXTERNAL_DATA_HOSTS: 'a.example,*.example' },
    [],
    'expected hosts without scheme or',
  ],
  ['hosts without brackets', { MILLRACE_EXTERNAL_DATA_HOSTS: '::1' }, [], 'expected hosts without scheme or path'],
  ['hosts with a port too far', {}, ['--external-data-hosts', 'a.example:99999'], 'expected hosts without scheme or'],
  [
    'bad boolean',
    { MILLRACE_AUTO_CREATE_DATASETS: 'maybe' },
    [],
    "expected one of true, false, yes, no, on, off, 1, 0, not 'maybe'",
  ],
  [
    'what every object has',
    { MILLRACE_AUTO_CREATE_DATASETS: 'constructor' },
    [],
    "expected one of true, false, yes, no, on, off, 1, 0, not 'constructor'",
  ],
  [
    'nodes without the databases they share',
    { MILLRACE_NODES: 'shared', MILLRACE_CLICKHOUSE_URL: 'http://127.0.0.1:8123' },
    [],
    'MILLRACE_NODES: several nodes need the addresses of ClickHouse and of PostgreSQL; give both',
  ],
  [
    'a ClickHouse user without a server',
    { MILLRACE_CLICKHOUSE_USER: 'x' },
    [],
    'MILLRACE_CLICKHOUSE_USER: has no effect',
  ],
  ['keys without a bucket', { MILLRACE_COLD_SECRET_KEY: 'x' }, [], 'MILLRACE_COLD_SECRET_KEY: has no effect without'],
  [
    'half a key',
    { MILLRACE_COLD_ACCESS_KEY: 'x' },
    ['--cold-url', 'https://s3/b'],
    '--cold-url: needs both the access key',
  ],
  [
    'cold disks of a server that is not named',
    { MILLRACE_COLD_IN_CLICKHOUSE: 'true' },
    [],
    'MILLRACE_COLD_IN_CLICKHOUSE: needs a ClickHouse server',
  ],
  [
    'cold disks of replicas',
    { MILLRACE_COLD_IN_CLICKHOUSE: 'true', MILLRACE_CLICKHOUSE_URL: 'http://a:1,http://b:1,http://c:1' },
    [],
    'MILLRACE_COLD_IN_CLICKHOUSE: is for one ClickHouse server',
  ],
  ['a host without a bucket', {}, ['--cold-url', 'https://s3'], '--cold-url: expected the address of a bucket'],
  [
    'a bucket for ClickHouse',
    { MILLRACE_CLICKHOUSE_URL: 'http://a:8123' },
    ['--cold-url', 'https://s3/b'],
    '--cold-url: is for the embedded engine',
  ],
  [
    'a database of another kind',
    { MILLRACE_DATABASE_URL: 'mysql://u:secret@h/d' },
    [],
    'MILLRACE_DATABASE_URL: expected an address such as',
  ],
  ['no address', { MILLRACE_CLICKHOUSE_URL: 'ch:8123' }, [], 'MILLRACE_CLICKHOUSE_URL: expected an address such as'],
  [
    'no address between commas',
    {},
    ['--clickhouse-url', 'http://a:1,,http://b:1'],
    '--clickhouse-url: expected an address',
  ],
  ['an address twice', {}, ['--clickhouse-url', 'http://a:1, http://a:1'], '--clickhouse-url: names an address twice'],
  ['a login in the address', {}, ['--clickhouse-url', 'http://u:p@a:1'], 'must not contain user and password'],
  [
    'a file that ClickHouse cannot see',
    { MILLRACE_CLICKHOUSE_URL: 'http://a:8123', MILLRACE_GEO_NETWORKS: '/x.csv' },
    [],
    'MILLRACE_GEO_NETWORKS: names a file that only the embedded engine can read; leave it out',
  ],
  [
    'memory of an engine that is not there',
    { MILLRACE_CLICKHOUSE_URL: 'http://a:8123' },
    ['--engine-memory-bytes=1GiB'],
    '--engine-memory-bytes: limits the embedded engine; ClickHouse has',
  ],
  ['unknown variable', { MILLRACE_PRT: '1' }, [], 'MILLRACE_PRT: no such setting; did you mean MILLRACE_PORT?'],
  ['unknown flag', {}, ['--prot', '1'], '--prot: no such setting; did you mean --port?'],
  ['a flag like none', {}, ['--frobnicate'], '--frobnicate: no such setting; see docs/settings.md'],
  ['a variable like none but for its prefix', { MILLRACE_URL: 'x' }, [], 'no such setting; see docs/settings.md'],
  ['a duration out of range', {}, ['--query-timeout', '2h'], "such as 500ms, 30s or 5m, from 100ms to 1h, not '2h'"],
  ['a size out of range', {}, ['--max-body-bytes', '1'], "from 1KiB to 512MiB, not '1'"],
  ['a body larger than the encoder takes', {}, ['--max-decompressed-bytes', '513MiB'], "to 512MiB, not '513MiB'"],
  [
    'a switch with a value behind it',
    {},
    ['--auto-create-datasets', 'yes'],
    '--auto-create-datasets: a switch is written --auto-create-datasets or --no-auto-create-datasets, or with = before its value',
  ],
  ['a value without a name', {}, ['8080'], '8080: a setting is written --name value'],
  ['the variable of a script that is not set', {}, ['--data-dir', ''], "--data-dir: expected a value, not ''"],
  ['the same for what would be every address', {}, ['--host='], "--host: expected a value, not ''"],
  ['flag without value', {}, ['--port'], '--port: expected a value'],
  ['half of TLS', { MILLRACE_TLS_CERT: 'a.pem' }, [], 'MILLRACE_TLS_CERT and MILLRACE_TLS_KEY: set both or none'],
  ['half of TLS, as flag', {}, ['--tls-key', 'a.pem'], '--tls-cert and --tls-key: set both or none'],
  [
    'a log of less than two files',
    { MILLRACE_LOG_SEGMENT_BYTES: '1GiB', MILLRACE_MAX_LOG_BYTES: '512MiB' },
    [],
    'MILLRACE_MAX_LOG_BYTES: expected at least 2GiB, twice MILLRACE_LOG_SEGMENT_BYTES',
  ],
  ['limits that contradict', { MILLRACE_DEFAULT_QUERY_LIMIT: '50001' }, [], 'at most MILLRACE_MAX_QUERY_LIMIT'],
];
test.each(mistakes)('mistake: %s', (_, env, argv, message) =>
  expect(errorsOf(env, ...argv).join('\n')).toContain(message),
);

test('a switch with a value behind it is one mistake', () => {
  expect(errorsOf({}, '--no-auto-create-datasets', 'yes', '--port', '1')).toHaveLength(1);
});

test('where a setting was written is remembered', () => {
  const read = readSettings({ MILLRACE_TLS_CERT: 'a', MILLRACE_TLS_KEY: 'b' }, ['--tls-cert', 'c']);
  expect(read.ok && (['tlsCert', 'tlsKey', 'port'] as const).map(read.where)).toEqual([
    '--tls-cert',
    'MILLRACE_TLS_KEY',
    'MILLRACE_PORT',
  ]);
});

test('reports all mistakes together without repeating a secret', () => {
  const errors = errorsOf({ MILLRACE_PORT: 'x', MILLRACE_ADMIN_TOKEN: 'hunter2' }, '--what');
  expect(errors).toHaveLength(3);
  expect(errors.join('\n')).not.toContain('hunter2');
  expect(errors.join('\n')).toContain('xapt- followed by a UUID');
});

test.each(['logSegmentBytes', 'maxLogBytes', 'maxPendingBytes'] as const)('the log takes every %s', (name) => {
  expect(settingsTable[name].min).toBeGreaterThanOrEqual(logLimits[name].min);
  expect(settingsTable[name].max).toBeLessThanOrEqual(logLimits[name].max);
});

test('the least that the log may be has room for two of its largest batches', () => {
  expect(settingsTable.maxLogBytes.min).toBeGreaterThanOrEqual(2 * logLimits.maxFrameBytes.default);
});

describe('the table', () => {
  test.each(Object.entries(settingsTable))('%s has a default that is itself allowed', (name, record) => {
    const text = Array.isArray(record.default) ? record.default.join(',') : String(record.default ?? '');
    expect(settingsOf({ [variableOf(name)]: text })).toEqual(defaultSettings());
    expect(record.doc).toMatch(/\.$/);
    expect(record.reason).toMatch(/\.$/);
  });
});

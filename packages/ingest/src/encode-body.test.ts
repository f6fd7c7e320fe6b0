import { gzipSync } from 'node:zlib';
import { ColumnBudget, DEFAULT_LIMITS } from '@millrace/events';
import { expect, test } from 'vitest';
import { type BodyOptions, encodeBody } from './encode-body.js';

const options: BodyOptions = {
  dataset: 1,
  format: 'csv',
  contentType: 'text/csv',
  mapFields: new Set(),
  arrival: 1_790_000_000_000_000_000n,
  limits: { ...DEFAULT_LIMITS, maxDecompressedBytes: 1 << 20 },
};

/** Parses CSV, or JSON if the type is JSON, unless the changes name another format. */
const read = (body: string | Uint8Array, changes: Partial<BodyOptions>) =>
  encodeBody(
    typeof body === 'string' ? Buffer.from(body) : body,
    {
      ...options,
      ...(changes.contentType?.startsWith('application/json') === true && { format: 'json' }),
      ...changes,
    },
    new ColumnBudget(),
  );

test('memory of what was decoded is given back', () => {
  const body = gzipSync(`{"a":1}${' '.repeat(900_000)}`);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 20; i++) read(body, { contentType: 'application/json', contentEncoding: 'gzip' });
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(before + (2 << 20));
});

/** Encodes a header value as Node delivers it. */
const header = (text: string): string => Buffer.from(text).toString('latin1');

test('headers are UTF-8', () => {
  const { encoded } = read('x\n', { csvFields: header('größe'), labels: header('{"läufer":"ü"}') });
  expect(encoded.uses.map(({ field }) => field).toSorted()).toEqual(['größe', 'läufer']);
});

test.each([
  ['a,"b', {}, /^CSV header, line 1: the quoted value in cell 2 is never closed/],
  ['1,2', { csvFields: ' , ' }, /^CSV field names, line 1: expected column names/],
  ['1,2', { csvFields: '"x' }, /^CSV field names, line 1: the quoted value/],
  [Buffer.from('\ufeffa', 'utf16le'), {}, /^CSV header, byte 0: expected UTF-8, found .* UTF-16$/],
  ['a', { csvDelimiter: '"' }, /^csv-delimiter: /],
  ['a', { labels: '[]' }, /^X-Axiom-Event-Labels: .* expected an object/],
  ['a', { timestampFormat: 'YYYY' }, /^timestamp-format: /],
] as const)('%j with %j is rejected as a whole, and the error names the part', (body, changes, message) => {
  expect(() => read(body, changes)).toThrow(message);
});

const json = { contentType: 'application/json' };
const gzip = { ...json, contentEncoding: 'gzip' };
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const otlp = (type: string) => ({ contentType: `application/${type}`, format: 'otlp-logs' }) as const;
/** A request with one empty resource. */
const protobuf = Buffer.from([0x0a, 0x02, 0x0a, 0x00]);
const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]);

test.each([
  [gzipSync('{"a":1}'), json, 'the body is gzip; send Content-Encoding: gzip with it'],
  [gzipSync('a,b\n1,2\n'), {}, 'the body is gzip; send Content-Encoding: gzip with it'],
  [gzipSync(''), { format: 'otlp-logs' }, 'the body is gzip; send Content-Encoding: gzip with it'],
  [zstd, json, 'the body is zstd; send Content-Encoding: zstd with it'],
  [
    gzipSync(gzipSync('{"a":1}')),
    gzip,
    'what Content-Encoding says was decoded, and is gzip again; compress the body once',
  ],
  [gzipSync(zstd), gzip, 'what Content-Encoding says was decoded, and is zstd again; compress the body once'],
  ['PK\u0003\u0004', {}, 'ZIP archives are not supported; send the extracted files'],
  [Buffer.from('\ufeff{}', 'utf16le'), json, 'the body is UTF-16; send UTF-8'],
  ...['gzip', 'zstd', 'deflate', 'br'].map(
    (contentEncoding) =>
      [
        '{"a":1}\n',
        { ...json, contentEncoding },
        `Content-Encoding is ${contentEncoding} but the body looks uncompressed; remove the header`,
      ] as const,
  ),
  ['a,b\r\n1\t,2\r\n', { contentEncoding: 'gzip' }, 'remove the header'],
  [gzipSync('{"a":1}').subarray(0, 20), gzip, 'the body is not valid gzip: unexpected end of file'],
  ['{"a":1}\n', {}, 'the body is sent as CSV and begins like JSON; send Content-Type: application/json'],
  ['\ufeff\n[ {"a":1}]', {}, 'the body is sent as CSV and begins like JSON; send Content-Type: application/json'],
  [
    latin1('a\nMüller\n'),
    { contentType: 'text/csv; charset=iso-8859-1' },
    'the body is in iso-8859-1, as its Content-Type says',
  ],
  [latin1('{"a":"ü"}'), { contentType: 'application/json;Charset="Windows-1252"' }, 'the body is in windows-1252'],
  [Buffer.from('a,b\n', 'utf16le'), { contentType: 'text/csv; charset=utf-16le' }, 'the body is in utf-16le'],
  [latin1('{"resourceLogs":["ü"]}'), otlp('json; charset=latin1'), 'the body is in latin1'],
  ['1,2\n', { contentType: 'text/csv; header=absent' }, 'send the names of its columns in X-Axiom-CSV-Fields'],
  ['{"resourceLogs":[]}', otlp('x-protobuf'), 'begins like JSON; send Content-Type: application/json'],
  [protobuf, otlp('json'), 'begins like protobuf; send Content-Type: application/x-protobuf'],
] as const)('%j with %j is not what its headers say', (body, changes, message) => {
  expect(() => read(body, changes)).toThrow(message);
});

test('what only resembles something else is read', () => {
  expect(read('{a},[b]\n1,2\n', {}).encoded.ingested).toBe(1);
  expect(read('{"a":1}\n', { csvFields: 'line', csvDelimiter: '\u0001' }).encoded.ingested).toBe(1);
  expect(read('\n {"resourceLogs":[]}', otlp('json')).encoded.failed).toBe(0);
  expect(read(protobuf, otlp('x-protobuf; charset=iso-8859-1')).encoded.failed).toBe(0);
  const inUtf8 = read('{"a":"ü"}', { contentType: 'application/json; charset=iso-8859-1' }).encoded;
  expect(inUtf8.uses.map(({ bytes }) => bytes)).toEqual(read('{"a":"ü"}', json).encoded.uses.map(({ bytes }) => bytes));
  expect(read(latin1('{"a":"ü"}'), { contentType: 'application/json; charset=utf-8' }).encoded.ingested).toBe(1);
  expect(read('1,2\n', { contentType: 'text/csv; header=absent', csvFields: 'a,b' }).encoded.ingested).toBe(1);
  expect(read('PK,b\n1,2\n', {}).encoded.ingested).toBe(1);
});

const reasons = (body: string) => read(body, json).encoded.failures.map(({ error }) => error);

test('CSV sent as JSON fails line by line, and the first failure says how it is sent', () => {
  expect(reasons('a,b\nc,d\n')).toEqual([
    "event 0, line 1, byte 0: expected a value, found 'a'; it is read as JSON, and CSV is sent with Content-Type: text/csv",
    "event 1, line 2, byte 4: expected a value, found 'c'",
  ]);
  expect(reasons('{"a":x}')).toEqual(["event 0, line 1, byte 5: expected a value, found 'x'"]);
  expect(reasons('a\n{"b":1}')).toEqual(["event 0, line 1, byte 0: expected a value, found 'a'"]);
});

test('events that grow ask for memory before they take it', () => {
  const labels = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`label${i}`, 'value']));
  const values = Array.from({ length: 500 }, () => ['1790000000000000000', 'x']);
  const body = Buffer.from(JSON.stringify({ streams: [{ stream: labels, values }] }));
  const sizes: number[] = [];
  const { encoded } = encodeBody(body, { ...options, ...json, format: 'loki' }, new ColumnBudget(), {
    expanded: (bytes) => sizes.push(bytes),
  });
  expect(encoded.ingested).toBe(500);
  expect(sizes[0]).toBe(body.length);
  // Each line repeats the labels.
  expect(sizes.at(-1)).toBeGreaterThan(500 * JSON.stringify(labels).length);
});

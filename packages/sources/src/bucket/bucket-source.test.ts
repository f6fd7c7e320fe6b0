import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import { MemoryBucket } from '../testing/memory-bucket.js';
import { MemoryStore } from '../testing/memory-store.js';
import { bucketSource, readNewObjects } from './bucket-source.js';
import { S3Client } from './s3-client.js';

let bucket: MemoryBucket;
let endpoint: string;
beforeEach(async () => {
  bucket = new MemoryBucket();
  endpoint = await bucket.open();
});
afterEach(() => bucket.close());

const put = (key: string, body: string | Buffer): void => void bucket.objects.set(key, Buffer.from(body));

/** Reads everything new once. */
async function read(store: MemoryStore, properties: Partial<SourcePropertiesOf<'bucket'>> = {}): Promise<void> {
  const stop = new AbortController();
  const all = { bucket: 'b', endpoint, ...properties };
  const context = store.context(stop.signal, { batchBytes: 200 });
  await readNewObjects(new S3Client(all, undefined, stop.signal), all, context);
}

const events = (store: MemoryStore): readonly unknown[] => store.lines().map((line) => JSON.parse(line) as unknown);
const lines = (count: number): string =>
  Array.from({ length: count }, (_, n) => `{"n":${n},"text":"${'x'.repeat(30)}"}\n`).join('');
const numbers = (store: MemoryStore): readonly number[] =>
  events(store).map((event) => (event as { readonly n: number }).n);

test('each object is read once, over pages of the listing; a replaced one is read again', async () => {
  const store = new MemoryStore();
  for (const name of ['a', 'b', 'c/ü +&', 'd', 'e']) put(name, `{"n":1,"of":"${name}"}\n`);
  await read(store);
  await read(store);
  expect(events(store)).toHaveLength(5);
  expect(bucket.reads).toEqual(['a', 'b', 'c/ü +&', 'd', 'e']);
  put('b', '{"n":1,"of":"b","again":true}\n');
  put('f', '{"n":1,"of":"f"}\n');
  await read(store);
  expect(events(store)).toHaveLength(7);
  expect(store.progress.counts).toMatchObject({ lag: 0, lagBytes: 0, position: 'f part 1' });
});

test.each(Array.from({ length: 10 }, (_, i) => [Math.floor(i / 2), i % 2 === 0] as const))(
  'killed at part %i, stored: %s: every event once',
  async (part, stored) => {
    const store = new MemoryStore();
    put('a.ndjson.gz', gzipSync(lines(12)));
    put('b.ndjson', lines(8));
    store.nextFailure = { in: part, stored };
    await expect(read(store)).rejects.toThrow('killed');
    await read(store);
    expect(numbers(store)).toEqual([...Array(12).keys(), ...Array(8).keys()]);
  },
);

test('a connection that breaks off is no damage: the object is read again', async () => {
  const store = new MemoryStore();
  put(
    'a.gz',
    gzipSync(Buffer.from(Array.from({ length: 3000 }, (_, n) => `{"n":${n},"r":"${Math.random()}"}\n`).join(''))),
  );
  bucket.brokenKey = 'a.gz';
  await expect(read(store)).rejects.toThrow(/aborted|socket/);
  expect(store.progress.counts.rejectedMessages).toBe(0);
  await read(store);
  expect(numbers(store)).toEqual([...Array(3000).keys()]);
});

test('a damaged object is kept aside, and the next ones are read', async () => {
  const store = new MemoryStore();
  put('a.gz', Buffer.concat([gzipSync(lines(200)).subarray(0, 60), Buffer.from('damage')]));
  put('b.parquet', 'PAR1 no PAR1');
  put('c', '{"n":7}\n');
  await read(store);
  expect(numbers(store).at(-1)).toBe(7);
  expect(store.progress.counts.rejects.map(({ position }) => position)).toEqual(['b.parquet', 'a.gz']);
});

const albLine =
  'https 2026-07-02T22:23:00.186641Z app/lb/50dc 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://a.example:443/ HTTP/1.1" "curl/7 \\"x\\"" - -';

test.each([
  [
    '{"Records":[{"eventTime":"2026-01-01T00:00:00Z","eventName":"A"},{"eventName":"B"}]}',
    [{ eventName: 'A' }, { eventName: 'B' }],
  ],
  [
    `${albLine}\n`,
    [
      {
        type: 'https',
        _time: '2026-07-02T22:23:00.186641Z',
        elb_status_code: 200,
        request_processing_time: 0.086,
        request: 'GET https://a.example:443/ HTTP/1.1',
      },
    ],
  ],
  [
    'version account-id srcaddr start\n2 123456789010 10.0.0.1 1418530010\n2 - - 1418530011\n',
    [{ _time: '2014-12-14T04:06:50.000Z', account_id: 123456789010, srcaddr: '10.0.0.1' }, { version: 2 }],
  ],
  [
    '#Version: 1.0\n#Fields: date time x-edge-location cs(User-Agent) sc-status\n2026-01-02\t03:04:05\tFRA2\ta%20b\t200\n',
    [{ _time: '2026-01-02T03:04:05Z', x_edge_location: 'FRA2', cs_User_Agent: 'a%20b', sc_status: 200 }],
  ],
] as const)('the format is found by the content: %.20s', async (body, expected) => {
  const store = new MemoryStore();
  put('AWSLogs/x', gzipSync(body));
  await read(store);
  expect(events(store)).toMatchObject(expected);
  expect(events(store)).toHaveLength(expected.length);
  expect([...store.batches.values()][0]!.content.labels).toBe('{"s3":{"bucket":"b","key":"AWSLogs/x"}}');
});

test('rows of Parquet, with integers of 64 bits, over several row groups', async () => {
  const store = new MemoryStore();
  const file = parquetWriteBuffer({
    columnData: [
      { name: 'n', data: Array.from({ length: 30 }, (_, i) => BigInt(i) + 9_007_199_254_740_993n), type: 'INT64' },
      { name: 's', data: Array.from({ length: 30 }, (_, i) => `s${i}`), type: 'STRING' },
    ],
    rowGroupSize: 10,
  });
  put('a.parquet', Buffer.from(file));
  await read(store);
  expect(store.lines()).toHaveLength(30);
  expect(store.lines().at(-1)).toBe('{"n":9007199254741022,"s":"s29"}');
});

test('requests are signed; a prefix, a first key and a time limit the read objects', async () => {
  const store = new MemoryStore();
  for (const name of ['a/1', 'b/1', 'b/2', 'b/3']) put(name, '{"n":1}\n');
  const keys = { accessKeyId: 'A'.repeat(16), secretAccessKey: 's' };
  await read(store, { prefix: 'b/', startAfter: 'b/1', ...keys });
  expect(bucket.reads).toEqual(['b/2', 'b/3']);
  expect(bucket.signatures[0]).toMatch(/^AWS4-HMAC-SHA256 Credential=A{16}\/\d{8}\/us-east-1\/s3\/aws4_request/);
  await read(store, { modifiedSince: '2026-02-01T00:00:00Z' });
  expect(bucket.reads).toHaveLength(2);
});

test('private addresses are blocked unless a setting allows them', async () => {
  const store = new MemoryStore();
  const stop = new AbortController();
  const addresses = { allowsPrivate: false, setting: 'MILLRACE_SOURCE_PRIVATE_ADDRESSES' };
  const context = store.context(stop.signal, { addresses });
  for (const host of ['127.0.0.1', 'localhost', '169.254.169.254'])
    await expect(bucketSource.run({ bucket: 'b', endpoint: `http://${host}:1` }, context)).rejects.toThrow(
      'is blocked',
    );
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import { MemoryBucket } from '../testing/memory-bucket.js';
import { MemoryQueue, queueKeys } from '../testing/memory-queue.js';
import { MemoryStore } from '../testing/memory-store.js';
import { bucketSource, readNewObjects } from './bucket-source.js';
import { readQueue } from './read-queue.js';
import { S3Client } from './s3-client.js';
import { SqsClient } from './sqs-client.js';

let bucket: MemoryBucket;
let queue: MemoryQueue;
let properties: SourcePropertiesOf<'bucket'> & { readonly queueUrl: string };
beforeEach(async () => {
  bucket = new MemoryBucket();
  queue = new MemoryQueue();
  properties = { bucket: 'b', endpoint: await bucket.open(), queueUrl: await queue.open(), ...queueKeys };
});
afterEach(async () => {
  await bucket.close();
  await queue.close();
});

const etagOf = (body: string): string => `${body.length}-${Buffer.from(body.slice(0, 20)).toString('hex')}`;
const put = (key: string, body: string): void => void bucket.objects.set(key, Buffer.from(body));
/** What S3 sends for a written object. */
const notification = (key: string, body: string, name = 'b', eventName = 'ObjectCreated:Put') => ({
  Records: [
    {
      eventSource: 'aws:s3',
      eventName,
      s3: {
        bucket: { name },
        object: { key: encodeURIComponent(key).replaceAll('%20', '+'), size: body.length, eTag: etagOf(body) },
      },
    },
  ],
});
/** Writes an object and sends its notification. */
function write(key: string, body: string): void {
  put(key, body);
  queue.send(notification(key, body));
}

/** Reads the messages of the queue once. */
async function read(store: MemoryStore, more: Partial<typeof properties> = {}): Promise<void> {
  const { signal } = new AbortController();
  const all = { ...properties, ...more };
  const context = store.context(signal, { batchBytes: 200 });
  const client = new S3Client(all, undefined, signal);
  await readQueue(new SqsClient(all, undefined, signal), client, { properties: all, context });
}

const numbers = (store: MemoryStore): readonly number[] =>
  store.lines().map((line) => (JSON.parse(line) as { readonly n: number }).n);

test('each object of a notification is stored once, and then the message is deleted', async () => {
  const store = new MemoryStore();
  write('a b/ü+.ndjson', '{"n":1}\n');
  queue.send(notification('a b/ü+.ndjson', '{"n":1}\n'));
  write('c', '{"n":2}\n');
  await read(store);
  expect(numbers(store)).toEqual([1, 2]);
  expect(queue.bodies).toEqual([]);
  expect(bucket.reads).toEqual(['a b/ü+.ndjson', 'c']);
  expect(queue.actions).toEqual(['ReceiveMessage', 'GetQueueAttributes', ...Array(3).fill('DeleteMessage')]);
  await read(store);
  expect(store.progress.counts.lag).toBe(0);
});

test.each([
  ['stored, and the message is not deleted', (store: MemoryStore) => (store.nextFailure = { in: 1, stored: true })],
  ['not stored', (store: MemoryStore) => (store.nextFailure = { in: 1, stored: false })],
  ['the deletion fails', () => queue.failing.add('DeleteMessage')],
] as const)('killed: %s: every event once', async (_, fail) => {
  const store = new MemoryStore();
  write('a', Array.from({ length: 12 }, (_, n) => `{"n":${n},"text":"${'x'.repeat(30)}"}\n`).join(''));
  write('b', '{"n":12}\n');
  fail(store);
  await expect(read(store)).rejects.toThrow(/killed|InternalFailure/);
  expect(queue.bodies).toHaveLength(2);
  queue.showAll();
  await read(store);
  expect(numbers(store)).toEqual([...Array(13).keys()]);
  expect(queue.bodies).toEqual([]);
});

test('messages through SNS, of EventBridge, of tests and of other kinds', async () => {
  const store = new MemoryStore();
  put('sns', '{"n":1}\n');
  queue.send({ Type: 'Notification', Message: JSON.stringify(notification('sns', '{"n":1}\n')) });
  put('a+b', '{"n":2}\n');
  const object = { key: 'a+b', size: 8, etag: etagOf('{"n":2}\n') };
  queue.send({ source: 'aws.s3', 'detail-type': 'Object Created', detail: { bucket: { name: 'b' }, object } });
  queue.send({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'b' });
  queue.send(notification('deleted', '', 'b', 'ObjectRemoved:Delete'));
  queue.send(notification('empty/', ''));
  queue.send(notification('other/prefix', '{"n":3}\n'));
  await read(store, { prefix: '' });
  expect(numbers(store)).toEqual([1, 2]);
  expect(queue.bodies).toEqual([]);
  // The object that was never there is reported.
  expect(store.progress.counts.rejects.map(({ position }) => position)).toEqual(['other/prefix']);
});

test('objects outside the prefix are not read', async () => {
  const store = new MemoryStore();
  write('logs/a', '{"n":1}\n');
  write('other/a', '{"n":2}\n');
  await read(store, { prefix: 'logs/' });
  expect(numbers(store)).toEqual([1]);
  expect(queue.bodies).toEqual([]);
});

test('messages that cannot be read stay in the queue and are reported once', async () => {
  const store = new MemoryStore();
  queue.send('text');
  queue.send({ Records: [{ eventName: 'ObjectCreated:Put', s3: {} }] });
  queue.send(notification('a', '{"n":1}\n', 'another'));
  write('b', '{"n":2}\n');
  await read(store);
  queue.showAll();
  await read(store);
  expect(numbers(store)).toEqual([2]);
  expect(queue.bodies).toHaveLength(3);
  expect(store.progress.counts.rejects.map(({ problem }) => problem)).toEqual([
    "the message is about another bucket than 'b'",
    'the message is no notification of S3',
    'the message is no notification of S3',
  ]);
});

test('an object that was replaced is read by its last notification', async () => {
  const store = new MemoryStore();
  write('a', '{"n":1}\n');
  write('a', '{"n":22}\n');
  await read(store);
  expect(numbers(store)).toEqual([22]);
  expect(queue.bodies).toEqual([]);
});

test('objects that a listing read are not read again', async () => {
  const store = new MemoryStore();
  write('a', '{"n":1}\n');
  const { signal } = new AbortController();
  await readNewObjects(new S3Client(properties, undefined, signal), properties, store.context(signal));
  await read(store);
  expect(numbers(store)).toEqual([1]);
  expect(queue.bodies).toEqual([]);
});

test('long work keeps the other messages of the queue hidden', async () => {
  const store = new MemoryStore();
  write('a', '{"n":1}\n');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { signal } = new AbortController();
    const context = store.context(signal);
    const waits = {
      ...context,
      store: async (batch: Parameters<typeof context.store>[0]) => {
        vi.advanceTimersByTime(60_000);
        await vi.waitFor(() => expect(queue.actions).toContain('ChangeMessageVisibility'));
        return context.store(batch);
      },
    };
    await readQueue(new SqsClient(properties, undefined, signal), new S3Client(properties, undefined, signal), {
      properties,
      context: waits,
    });
  } finally {
    vi.useRealTimers();
  }
  expect(numbers(store)).toEqual([1]);
});

test('a wrong key and a missing queue are errors; a source with a queue does not list', async () => {
  const store = new MemoryStore();
  await expect(read(store, { secretAccessKey: 'wrong' })).rejects.toThrow(
    /answered 403 SignatureDoesNotMatch to ReceiveMessage/,
  );
  await expect(read(store, { queueUrl: `${properties.queueUrl}2` })).rejects.toThrow('QueueDoesNotExist');
  write('a', '{"n":1}\n');
  put('b', '{"n":2}\n');
  const stop = new AbortController();
  const running = bucketSource.run(properties, store.context(stop.signal));
  await vi.waitFor(() => expect(queue.bodies).toEqual([]));
  stop.abort(new Error('stopped'));
  await expect(running).rejects.toThrow(/stopped|aborted/);
  expect(numbers(store)).toEqual([1]);
});

test('private addresses of queues are blocked unless a setting allows them', async () => {
  const stop = new AbortController();
  const addresses = { allowsPrivate: false, setting: 'MILLRACE_SOURCE_PRIVATE_ADDRESSES' };
  const context = new MemoryStore().context(stop.signal, { addresses });
  const all = { bucket: 'b', queueUrl: 'http://169.254.169.254/q' };
  await expect(bucketSource.run(all, context)).rejects.toThrow('is blocked');
  expect(bucketSource.problemOf({ bucket: 'b', queueUrl: 'q' })).toBe("'queueUrl' is no URL that can be read");
  expect(bucketSource.destinationOf(all)).not.toBe(bucketSource.destinationOf({ bucket: 'b' }));
});

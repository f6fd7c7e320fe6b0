import { expect, test } from 'vitest';
import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import { MemoryStore } from '../testing/memory-store.js';
import { MemoryTopics } from '../testing/memory-topic.js';
import { consumeGroup } from './consume-group.js';

const kafka: SourcePropertiesOf<'kafka'> = { brokers: ['a:1'], topics: ['t'] };
const first = { topic: 't', partition: 0 };
const second = { topic: 't', partition: 1 };

/** Runs until every message is committed, or the run fails. */
async function run(topics: MemoryTopics, store: MemoryStore, properties = kafka, batchBytes = 1000): Promise<void> {
  const stop = new AbortController();
  const member = topics.member();
  const running = consumeGroup(member, properties, store.context(stop.signal, { batchBytes })).finally(() =>
    member.close(),
  );
  const ended = running.then(
    () => 'ended' as const,
    (error: unknown) => error,
  );
  const done = (async () => {
    while (![first, second].every((of) => isDone(topics, of)) && !stop.signal.aborted)
      await new Promise((resolve) => setTimeout(resolve, 1));
    return undefined;
  })();
  const problem = await Promise.race([ended, done]);
  stop.abort(new Error('stopped'));
  const error = problem ?? (await ended);
  if (error instanceof Error && error.message !== 'stopped') throw error;
}

const ends = new WeakMap<MemoryTopics, Map<number, bigint>>();
function isDone(topics: MemoryTopics, of: typeof first): boolean {
  const end = ends.get(topics)?.get(of.partition) ?? 0n;
  const commit = topics.getCommit(of);
  return end === 0n || (commit?.offset === end && commit.metadata === '');
}

function write(topics: MemoryTopics, of: typeof first, ...values: readonly (string | Buffer | undefined)[]): void {
  for (const value of values) topics.write(of, value);
  const known = ends.get(topics) ?? new Map<number, bigint>();
  known.set(of.partition, (known.get(of.partition) ?? 0n) + BigInt(values.length));
  ends.set(topics, known);
}

const numbers = (store: MemoryStore): readonly number[] =>
  store
    .lines()
    .map((line) => (JSON.parse(line) as { readonly n: number }).n)
    .sort((a, b) => a - b);

const events = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => JSON.stringify({ n: from + i, text: 'x'.repeat(60) }));

const all = Array.from({ length: 60 }, (_, i) => i);

test('messages of all partitions are stored once, with their origin', async () => {
  const topics = new MemoryTopics([first, second]);
  const store = new MemoryStore();
  write(topics, first, '{"n":0}');
  topics.write(second, '{"n":1,"big":12345678901234567890}', {
    key: Buffer.from('k'),
    headers: [[Buffer.from('h'), Buffer.from('v')]],
    timestamp: 1000n,
  });
  ends.get(topics)!.set(1, 1n);
  await run(topics, store);
  expect(store.lines().toSorted()).toEqual([
    '{"_time":"1970-01-01T00:00:00.000Z","kafka":{"topic":"t","partition":0,"offset":0},"n":0}',
    '{"_time":"1970-01-01T00:00:01.000Z","kafka":{"topic":"t","partition":1,"offset":0,"key":"k","headers":{"h":"v"}},"n":1,"big":12345678901234567890}',
  ]);
});

test.each(
  Array.from(
    { length: 16 },
    (_, i) => [['commit', 'store'][i % 2]!, Math.floor(i / 4), Math.floor(i / 2) % 2 === 0] as const,
  ),
)('killed at %s %i, recorded: %s: every message once, though more arrive', async (what, at, recorded) => {
  const topics = new MemoryTopics([first, second]);
  const store = new MemoryStore();
  write(topics, first, ...events(0, 25));
  write(topics, second, ...events(25, 5));
  if (what === 'commit') topics.nextFailure = { in: at, recorded };
  else store.nextFailure = { in: at, stored: recorded };
  await run(topics, store).catch((error: unknown) => expect(String(error)).toContain('killed'));
  topics.nextFailure = store.nextFailure = undefined;
  write(topics, first, ...events(30, 30));
  // With batches of another size, as they are when more messages have arrived.
  await run(topics, store, kafka, 3000);
  expect(numbers(store)).toEqual(all);
});

test('every message once when the members of the group change', async () => {
  const topics = new MemoryTopics([first, second]);
  const store = new MemoryStore();
  write(topics, first, ...events(0, 30));
  write(topics, second, ...events(30, 30));
  const timer = setInterval(() => topics.rebalance(), 3);
  await run(topics, store).finally(() => clearInterval(timer));
  expect(numbers(store)).toEqual(all);
});

test('a message that cannot be read is kept aside, and the others are stored', async () => {
  const topics = new MemoryTopics([first]);
  const store = new MemoryStore();
  write(
    topics,
    first,
    '{"n":1}',
    '{"n":',
    'text',
    Buffer.from([0xff, 0xfe]),
    '[{"n":2},{"n":3}]',
    undefined,
    '{"n":4}',
  );
  await run(topics, store);
  expect(numbers(store)).toEqual([1, 2, 3, 4]);
  expect(store.lines(true).map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { error: 'the value is not JSON', message: '{"n":', kafka: { offset: 1 } },
    { error: 'the value is not JSON', message: 'text' },
    { error: 'the value is not UTF-8', message_base64: '//4=' },
  ]);
  expect(store.progress.counts).toMatchObject({ rejectedMessages: 3 });
  expect(store.progress.counts.rejects[0]).toMatchObject({ position: 't/0 3', problem: 'the value is not UTF-8' });
});

test('a body that is rejected as a whole is halved until its bad message is found', async () => {
  const topics = new MemoryTopics([first]);
  const store = new MemoryStore();
  store.rejects = ({ body, isRejected }) => isRejected !== true && Buffer.from(body).includes('"n":3,');
  write(topics, first, ...events(0, 8));
  await run(topics, store);
  expect(numbers(store)).toEqual([0, 1, 2, 4, 5, 6, 7]);
  expect(store.lines(true)).toHaveLength(1);
});

test('requests of OTLP are joined, by encoding', async () => {
  const topics = new MemoryTopics([first]);
  const store = new MemoryStore();
  const request = (name: string) => `{"resourceLogs":[{"resource":{"attributes":[]},"scopeLogs":[{"x":"${name}"}]}]}`;
  write(topics, first, Buffer.from([10, 0]), request('é'), request('b'), Buffer.from([10, 0]), '{"other":1}');
  await run(topics, store, { ...kafka, format: 'otlp-logs' });
  const bodies = [...store.batches.values()].filter(({ isRejected }) => isRejected !== true);
  expect(bodies.map(({ content }) => content)).toEqual([
    { format: 'otlp-logs', contentType: 'application/x-protobuf' },
    { format: 'otlp-logs', contentType: 'application/json' },
  ]);
  expect(Buffer.from(bodies[0]!.body).toString('latin1').split('kafka')).toHaveLength(3);
  const json = JSON.parse(Buffer.from(bodies[1]!.body).toString()) as { readonly resourceLogs: readonly object[] };
  expect(JSON.stringify(json)).toContain('é');
  expect(json.resourceLogs).toHaveLength(2);
  expect(store.lines(true)).toHaveLength(1);
});

test('messages that the broker deleted before they were read are reported', async () => {
  const topics = new MemoryTopics([first]);
  const store = new MemoryStore();
  write(topics, first, ...events(0, 3));
  await run(topics, store);
  write(topics, first, ...events(3, 5));
  topics.truncate(first, 6n);
  await run(topics, store);
  expect(numbers(store)).toEqual([0, 1, 2, 6, 7]);
  expect(store.progress.counts.rejects[0]).toMatchObject({ position: 't/0 3–5' });
});

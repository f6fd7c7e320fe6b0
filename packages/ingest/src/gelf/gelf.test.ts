import { deflateSync, gzipSync } from 'node:zlib';
import { ColumnBudget, DEFAULT_LIMITS } from '@millrace/events';
import { expect, test } from 'vitest';
import { encodeBody } from '../encode-body.js';
import { Chunks } from './chunks.js';
import { messagesIn } from './split-stream.js';

function chunk(id: number, number: number, count: number, text: string): Buffer {
  const head = Buffer.from([0x1e, 0x0f, 0, 0, 0, 0, 0, 0, 0, id, number, count]);
  return Buffer.concat([head, Buffer.from(text)]);
}

function chunks(limits: Partial<ConstructorParameters<typeof Chunks>[0]> = {}) {
  let now = 0;
  let dropped = 0;
  const reader = new Chunks(
    { timeout: 5000, messageBytes: 100, maxBufferedBytes: 2000, ...limits },
    (count) => (dropped += count),
    () => now,
  );
  const take = (datagram: Buffer, from = 'a') => reader.take(datagram, from)?.toString();
  return { take, close: () => reader.close(), wait: (ms: number) => (now += ms), dropped: () => dropped };
}

test('chunks are joined in their order, by sender and ID; a datagram that is none is a message', () => {
  const { take, dropped } = chunks();
  expect([
    take(chunk(1, 1, 2, 'b')),
    take(chunk(2, 0, 2, 'x')),
    take(chunk(1, 1, 2, 'B'), 'other'),
    take(Buffer.from('{}')),
    take(chunk(1, 0, 2, 'a')),
    take(chunk(2, 1, 2, 'y')),
    take(chunk(3, 0, 1, 'one')),
  ]).toEqual([undefined, undefined, undefined, '{}', 'ab', 'xy', 'one']);
  expect(dropped()).toBe(0);
});

test('what cannot be joined is counted: late, repeated, malformed, too long, too much', () => {
  const { take, wait, dropped, close } = chunks();
  take(chunk(1, 0, 3, 'a'));
  take(chunk(1, 1, 3, 'a'));
  expect(take(chunk(1, 1, 3, 'again'))).toBeUndefined();
  expect(dropped()).toBe(1);
  wait(5000);
  // The two before are late now, and this one begins a new message.
  expect(take(chunk(1, 2, 3, 'c'))).toBeUndefined();
  expect(dropped()).toBe(3);
  for (const bad of [chunk(1, 3, 3, ''), chunk(4, 0, 129, ''), chunk(4, 0, 0, ''), Buffer.from([0x1e, 0x0f, 1])])
    take(bad);
  expect(dropped()).toBe(7);
  take(chunk(5, 0, 2, 'x'.repeat(101)));
  expect(dropped()).toBe(8);
  for (let id = 6; id < 10; id++) take(chunk(id, 0, 2, 'x'.repeat(60)));
  expect(dropped()).toBe(10);
  close();
  expect(dropped()).toBe(13);
});

test('chunks without content take memory too', () => {
  const { take, dropped } = chunks({ maxBufferedBytes: 10_000 });
  for (let id = 0; id < 200; id++) take(chunk(id, 0, 128, ''));
  expect(dropped()).toBeGreaterThan(190);
});

test.each([
  ['{"a":1}\0{"b":2}\0', ['{"a":1}', '{"b":2}']],
  ['\0\0{"a":1}', ['{"a":1}']],
  [`${'x'.repeat(25)}\0y\0`, ['x'.repeat(11), 'y']],
])('a stream of %j is split', async (text, messages) => {
  for (const size of [1, 3, 100]) {
    const portions = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
      Buffer.from(text.slice(i * size, (i + 1) * size)),
    );
    const found: string[] = [];
    let max = 0;
    const holds = (bytes: number) => (max = Math.max(max, bytes));
    for await (const message of messagesIn(streamOf(portions), 10, holds)) found.push(message.toString());
    expect(found).toEqual(messages);
    expect(max).toBeLessThanOrEqual(10);
  }
});

async function* streamOf(portions: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* portions;
}

function encode(message: Uint8Array | string) {
  const bytes = Buffer.from(message);
  const { encoded } = encodeBody(
    Uint8Array.from(Buffer.concat([Buffer.from(`10.0.0.1 ${bytes.length} `), bytes])),
    {
      format: 'gelf',
      form: '1000',
      contentType: '',
      dataset: 1,
      mapFields: new Set(),
      arrival: 0n,
      limits: { ...DEFAULT_LIMITS, maxDecompressedBytes: 1 << 20 },
    },
    new ColumnBudget(),
  );
  const { ingested, failed, failures, uses } = encoded;
  return { ingested, failed, error: failures[0]?.error ?? '', names: uses.map(({ field }) => field).sort() };
}

const message = JSON.stringify({
  version: '1.1',
  host: 'web',
  short_message: 'hello',
  timestamp: 1_790_000_000.25,
  level: 4,
  _user_id: 9,
  _message: 'own',
});

test.each([
  ['plain', message],
  ['gzip', gzipSync(message)],
  ['zlib', deflateSync(message)],
  ['plain, with the end of a stream', `${message}\0`],
])('a message is an event: %s', (_, sent) => {
  const { ingested, failed, names } = encode(sent);
  expect([ingested, failed]).toEqual([1, 0]);
  expect(names).toEqual(['additional.message', 'host', 'level', 'message', 'remoteAddress', 'severity', 'user_id']);
});

test.each([
  ['text', 'is not a JSON object'],
  ['[1]', 'is not a JSON object'],
  ['{"a":1}{"b":2}', 'is not a JSON object'],
  ['{"a" 1}', 'is not valid JSON'],
  [gzipSync(message).subarray(0, 30), 'cannot be decompressed'],
  [gzipSync(Buffer.alloc(2000)), 'has more than 1000 bytes'],
  ['x'.repeat(1001), 'has more than 1000 bytes'],
])('%j is counted as failed', (sent, problem) => {
  const { ingested, failed, error } = encode(sent);
  expect([ingested, failed]).toEqual([0, 1]);
  expect(error).toContain(problem);
});

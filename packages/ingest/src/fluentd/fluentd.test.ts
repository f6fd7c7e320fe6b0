import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../engine/src/testing/free-port.js';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { pack, type Packable } from '../bytes/pack.js';
import { JsonBytes } from '../bytes/json-bytes.js';
import { PackReader } from '../bytes/message-pack.js';
import { PackFrames } from '../bytes/pack-frames.js';

/** The forward protocol through real sockets. */

const key = 'a secret of both sides';

let world: EngineTestServer;
let port: number;
beforeAll(async () => {
  port = await freePort();
  world = await openEngineTestServer({
    fluentdListeners: [`tcp://127.0.0.1:${port}/forward`],
    fluentdSharedKey: key,
    maxFluentdMessageBytes: 1 << 20,
    maxDecompressedBytes: 4 << 20,
  });
  await world.dataset('forward');
});
afterAll(() => world.close());

/** A sender that reads its responses value by value, as JSON. */
class Sender {
  readonly socket: Socket = connect(port, '127.0.0.1');
  readonly #answers: string[] = [];
  #onArrival: () => void = () => undefined;

  constructor() {
    const frames = new PackFrames(1000);
    this.socket.on('data', (piece: Buffer) => {
      for (const value of frames.push(piece)) this.#answers.push(jsonOf(value));
      this.#onArrival();
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => this.#onArrival());
  }

  send(...messages: readonly Packable[]): void {
    for (const message of messages) this.socket.write(pack(message));
  }

  /** Undefined if the connection ends first. */
  async answer(): Promise<unknown> {
    while (this.#answers.length === 0 && !this.socket.closed)
      await new Promise<void>((resolve) => (this.#onArrival = resolve));
    const text = this.#answers.shift();
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }
}

function jsonOf(value: Buffer): string {
  // The nonce is not valid UTF-8.
  const out = new JsonBytes(64, 10_000, () => new Error('too long'));
  new PackReader(value).value(out);
  return out.writtenBytes().toString();
}

const sha512 = (...parts: readonly (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha512')).digest('hex');

/** A sender that knows a key, and has shown it. */
async function connectSender(known = key): Promise<{ readonly sender: Sender; readonly pong: unknown }> {
  const sender = new Sender();
  const [piece] = (await once(sender.socket, 'data')) as [Buffer];
  await sender.answer();
  // ["HELO", {"nonce": …}]: a length and sixteen bytes.
  const at = piece.indexOf('nonce') + 'nonce'.length + 5;
  const nonce = piece.subarray(at, at + 16);
  sender.send(['PING', 'client', 'salt', sha512('salt', 'client', nonce, known), '', '']);
  const pong = (await sender.answer()) as readonly unknown[];
  if (pong[1] === true) expect(pong[4]).toBe(sha512('salt', String(pong[3]), nonce, key));
  return { sender, pong };
}

/** Seconds and nanoseconds as Fluentd has them: an extension of type 0. */
function eventTime(seconds: number, nanoseconds: number): Buffer {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt16BE(0xd700);
  bytes.writeUInt32BE(seconds, 2);
  bytes.writeUInt32BE(nanoseconds, 6);
  return bytes;
}

const entry = (time: Buffer, record: Packable): Buffer => Buffer.concat([Buffer.from([0x92]), time, pack(record)]);

async function recordsOf(tag: string): Promise<readonly unknown[]> {
  const { tables } = await world.apl(`forward | where tag == '${tag}' | order by _time asc | project _time, message`);
  const [times = [], messages = []] = tables[0]!.columns;
  return times.map((time, row) => [time, messages[row]]);
}

const at = (second: number): string => new Date((1_790_000_000 + second) * 1000).toISOString().replace('.000', '');

describe('all forms of a message', () => {
  const records = [0, 1].map((second) => [second, { message: `m${second}` }] as const);
  const expected = records.map(([second, { message }]) => [at(second), message]);
  const entries = Buffer.concat(records.map(([second, record]) => entry(eventTime(1_790_000_000 + second, 0), record)));
  const lists = records.map(([second, record]) => [1_790_000_000 + second, record]);

  test.each<[string, (tag: string) => readonly Packable[]]>([
    ['one by one', (tag) => lists.map(([time, record]) => [tag, time!, record!])],
    ['a list of entries', (tag) => [[tag, lists]]],
    ['entries as bytes', (tag) => [[tag, entries, { size: 2 }]]],
    [
      'entries as bytes, compressed in two parts',
      (tag) => [
        [
          tag,
          Buffer.concat([gzipSync(entries.subarray(0, 20)), gzipSync(entries.subarray(20))]),
          { compressed: 'gzip' },
        ],
      ],
    ],
    [
      'with times that have something with them',
      (tag) => [[tag, records.map(([second, record]) => [[1_790_000_000 + second, {}], record])]],
    ],
  ])('%s', async (tag, messages) => {
    const { sender } = await connectSender();
    sender.send(null, ...messages(tag));
    await expect.poll(() => recordsOf(tag)).toEqual(expected);
    sender.socket.end();
  });
});

test('acknowledges events on disk, and a repeated batch is stored once', async () => {
  const { sender } = await connectSender();
  const message = ['acked', [[1_790_000_000, { message: 'x' }]], { chunk: 'c1' }];
  sender.send(message, message);
  expect([await sender.answer(), await sender.answer()]).toEqual([{ ack: 'c1' }, { ack: 'c1' }]);
  expect(await recordsOf('acked')).toEqual([[at(0), 'x']]);
  sender.socket.end();
});

test('a bad entry among good ones fails alone', async () => {
  const { sender } = await connectSender();
  const good = (second: number) => entry(eventTime(1_790_000_000 + second, 0), { message: `good-${second}` });
  const packed = Buffer.concat([
    good(1),
    pack('none'),
    pack([1]),
    pack([1, 'no record']),
    good(2),
    Buffer.from([0x92, 0xc1]),
  ]);
  sender.send(
    ['bad', packed, { chunk: 'b' }],
    ['bad', 7],
    ['bad', [[1_790_000_003, { message: 'good-3' }]], { chunk: 'g' }],
  );
  expect([await sender.answer(), await sender.answer()]).toEqual([{ ack: 'b' }, { ack: 'g' }]);
  expect(await recordsOf('bad')).toEqual([1, 2, 3].map((second) => [at(second), `good-${second}`]));
  sender.socket.end();
});

test('the server does not give the name of its host, which a sender on the same host would refuse', async () => {
  const { sender, pong } = await connectSender();
  expect(pong).toMatchObject(['PONG', true, '', 'millrace', expect.any(String)]);
  sender.socket.end();
});

test('a sender with a wrong key or none is rejected', async () => {
  const { sender, pong } = await connectSender('another');
  expect(pong).toEqual(['PONG', false, 'shared_key mismatch', '', '']);
  expect(await sender.answer()).toBeUndefined();
  const unaware = new Sender();
  await unaware.answer();
  unaware.send(['tag', 1, { message: 'not stored' }]);
  expect(await unaware.answer()).toBeUndefined();
  expect(await recordsOf('tag')).toEqual([]);
});

test.each([
  ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a byte with which nothing begins', Buffer.from([0xc1])],
  ['a message that is too long', Buffer.concat([Buffer.from([0x93, 0xa1, 0x78, 0xc6, 0x7f, 0xff, 0xff, 0xff])])],
])('%s ends the connection', async (_, bytes) => {
  const { sender } = await connectSender();
  sender.socket.write(bytes);
  expect(await sender.answer()).toBeUndefined();
});

test('entries that use far more memory than their size are not acknowledged and block no other', async () => {
  const bomb = gzipSync(
    Buffer.concat(Array.from({ length: 8 }, () => entry(eventTime(1, 0), { a: 'x'.repeat(1 << 20) }))),
  );
  const { sender } = await connectSender();
  sender.send(['bomb', bomb, { compressed: 'gzip', chunk: 'bomb' }]);
  expect(await sender.answer()).toBeUndefined();
  const next = await connectSender();
  next.sender.send(['next', 1_790_000_000, { message: 'x' }, { chunk: 'n' }]);
  expect(await next.sender.answer()).toEqual({ ack: 'n' });
  next.sender.socket.end();
});

import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameSocket } from './frames.js';

type Event = readonly [call: number, what: unknown];

/**
 * A socket that records written bytes and delivers pushed ones; if `slow`, its system buffer is
 * always full.
 */
class Wire extends Duplex {
  readonly writtenChunks: Buffer[] = [];
  constructor(slow = false) {
    super({ writableHighWaterMark: slow ? 1 : 64 * 1024 });
  }
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writtenChunks.push(Buffer.from(chunk));
    setImmediate(done);
  }
  override _writev(chunks: { readonly chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done);
  }
}

function listenTo(wire: Wire): { readonly frames: FrameSocket<unknown, unknown>; readonly events: Event[] } {
  const events: Event[] = [];
  const frames = new FrameSocket<unknown, unknown>(wire as unknown as Socket, {
    message: (call, message) => events.push([call, message]),
    piece: (call, bytes) => events.push([call, Buffer.from(bytes)]),
  });
  return { frames, events };
}

const event = fc.tuple(
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.record({ type: fc.string(), n: fc.integer() }),
  ),
);

describe('frames', () => {
  it('arrive as they were sent, however the wire splits them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (sent, cuts) => {
          const out = new Wire();
          const sender = listenTo(out).frames;
          for (const [call, what] of sent) {
            if (Buffer.isBuffer(what)) await sender.sendWith(call, 'head', what);
            else sender.send(call, what);
          }
          await new Promise<void>((resolve) => out.end(resolve));
          const bytes = Buffer.concat(out.writtenChunks);
          const into = new Wire();
          const { events } = listenTo(into);
          for (let at = 0, i = 0; at < bytes.length; i += 1) {
            const length = cuts[i % cuts.length]!;
            into.push(bytes.subarray(at, at + length));
            at += length;
          }
          await new Promise((resolve) => setImmediate(resolve));
          const expected = sent.flatMap(([call, what]): readonly Event[] =>
            Buffer.isBuffer(what)
              ? [
                  [call, 'head'],
                  [call, what],
                ]
              : [[call, what]],
          );
          expect(events).toEqual(expected);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('of a large result are many, and other messages get in between', async () => {
    const wire = new Wire(true);
    const { frames } = listenTo(wire);
    const sending = frames.sendWith(1, 'head', Buffer.alloc(3 * 1024 * 1024, 7));
    frames.send(2, 'hello');
    await sending;
    const into = new Wire();
    const { events } = listenTo(into);
    into.push(Buffer.concat(wire.writtenChunks));
    await new Promise((resolve) => setImmediate(resolve));
    const position = events.findIndex(([call]) => call === 2);
    expect(position).toBeGreaterThan(0);
    expect(position).toBeLessThan(events.length - 1);
    const pieces = events.filter(([call, what]) => call === 1 && what !== 'head').map(([, what]) => what as Buffer);
    expect(Buffer.concat(pieces).equals(Buffer.alloc(3 * 1024 * 1024, 7))).toBe(true);
  });

  it('of a message and its short result are one write', async () => {
    const wire = new Wire();
    await listenTo(wire).frames.sendWith(7, { rows: 1 }, Buffer.from('[[1]]'));
    expect(wire.writtenChunks.length).toBe(1);
    const into = new Wire();
    const { events } = listenTo(into);
    into.push(wire.writtenChunks[0]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual([
      [7, { rows: 1 }],
      [7, Buffer.from('[[1]]')],
    ]);
  });

  it('of a message and a long result wait for a slow reader', async () => {
    const wire = new Wire(true);
    const { frames } = listenTo(wire);
    const sending = frames.sendWith(1, { rows: 9 }, Buffer.alloc(3 * 1024 * 1024, 7));
    expect(wire.writableLength).toBeLessThan(1024 * 1024);
    await sending;
    await new Promise<void>((resolve) => wire.end(resolve));
    expect(Buffer.concat(wire.writtenChunks).length).toBeGreaterThan(3 * 1024 * 1024);
  });

  it.each([0, 1, 16 * 1024, 16 * 1024 + 1, 512 * 1024, 1_200_000])(
    'of a result of %i bytes change none of them',
    async (length) => {
      const wire = new Wire();
      const result = Buffer.alloc(length, Buffer.from('of any length but 512'));
      await listenTo(wire).frames.sendWith(1, 'head', result);
      await new Promise<void>((resolve) => wire.end(resolve));
      const into = new Wire();
      const { events } = listenTo(into);
      into.push(Buffer.concat(wire.writtenChunks));
      await new Promise((resolve) => setImmediate(resolve));
      const [head, ...pieces] = events.map(([, what]) => what);
      expect(head).toBe('head');
      expect(Buffer.concat(pieces as Buffer[]).equals(result)).toBe(true);
    },
  );

  it.each(['drained', 'closed'])('of many results wait together until the socket is %s', async (end) => {
    const wire = new Wire(true);
    const { frames } = listenTo(wire);
    const listeners = () => wire.listenerCount('drain') + wire.listenerCount('close');
    const before = listeners();
    const sending = Array.from({ length: 20 }, (_, i) => frames.sendWith(i, 'head', Buffer.alloc(1024 * 1024, i)));
    expect(listeners() - before).toBe(2);
    if (end === 'closed') wire.destroy();
    await Promise.all(sending);
    expect(listeners()).toBe(before);
  });

  it('to a closed socket are dropped without waiting', async () => {
    const wire = new Wire(true);
    const { frames } = listenTo(wire);
    wire.destroy();
    frames.send(1, 'lost');
    await frames.sendWith(1, 'lost too', Buffer.alloc(10));
    await frames.sendWith(1, 'lost too', Buffer.alloc(100_000));
    expect(wire.writtenChunks).toEqual([]);
  });
});

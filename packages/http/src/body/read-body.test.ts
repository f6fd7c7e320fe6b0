import { PassThrough, Readable } from 'node:stream';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { HttpError } from '@millrace/api/errors';
import { InflightBodies, type RefuseBody } from './inflight-bodies.js';
import type { BodyLimit } from './body-limit.js';
import { readBody } from './read-body.js';

const mebibyte = 1 << 20;
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof HttpError ? error.code : String(error)),
  );
const streamOf = (...pieces: readonly Buffer[]): Readable => Readable.from(pieces, { objectMode: false });

const inflightBodies = new InflightBodies();
/** For every outcome. */
afterEach(() => expect(inflightBodies.bytes).toBe(0));

const upTo = (bytes: number): BodyLimit => ({ bytes, code: 'body-too-large' });

describe('readBody', () => {
  test('gives the bytes that came, in pieces of any size, announced or not', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 8 }),
        fc.boolean(),
        async (pieces, tell) => {
          const whole = Buffer.concat(pieces);
          const body = await readBody(
            streamOf(...pieces.map((piece) => Buffer.from(piece))),
            tell ? whole.length : undefined,
            upTo(mebibyte),
            inflightBodies.begin('a'),
          );
          expect(body.equals(whole)).toBe(true);
        },
      ),
      { numRuns: 100 },
    ));

  test('a body that came as announced has its memory for itself, so that it can be given away', async () => {
    const body = await readBody(
      streamOf(Buffer.alloc(mebibyte, 1)),
      mebibyte,
      upTo(mebibyte),
      inflightBodies.begin('a'),
    );
    expect(body.buffer.byteLength).toBe(mebibyte);
  });

  test('more than the limit at once', async () => {
    const piece = Buffer.alloc(3 * mebibyte, 7);
    const body = await readBody(
      streamOf(piece, piece, piece, piece),
      12 * mebibyte,
      upTo(64 * mebibyte),
      inflightBodies.begin('a'),
    );
    expect([body.length, body.buffer.byteLength]).toEqual([12 * mebibyte, 12 * mebibyte]);
    expect(body.every((byte) => byte === 7)).toBe(true);
  });

  const check = (name: string, pieces: readonly string[], announced: number | undefined, limit: number, code: string) =>
    test(`${name}`, async () =>
      expect(
        await codeOf(
          readBody(
            streamOf(...pieces.map((piece) => Buffer.from(piece))),
            announced,
            upTo(limit),
            inflightBodies.begin('a'),
          ),
        ),
      ).toBe(code));
  check('as long as the limit', ['1234', '5678'], 8, 8, 'none');
  check('announced too long', [], 9, 8, 'body-too-large');
  check('too long without saying so', ['1234', '56789'], undefined, 8, 'body-too-large');
  check('longer than announced', ['1234', '5'], 4, 8, 'bad-http');
  check('shorter than announced', ['123'], 4, 8, 'bad-http');
  check('nothing, as announced', [], 0, 8, 'none');
  check('nothing at all', [], undefined, 8, 'none');

  test('a body over the limit is rejected before its end', async () => {
    const stream = new PassThrough();
    const refused = codeOf(readBody(stream, undefined, upTo(4), inflightBodies.begin('a')));
    stream.write('12345');
    expect(await refused).toBe('body-too-large');
    expect(stream.listenerCount('data')).toBe(0);
    stream.destroy();
  });

  test('a connection that breaks', async () => {
    const stream = new PassThrough();
    const broken = codeOf(readBody(stream, 10, upTo(100), inflightBodies.begin('a')));
    stream.write('12345');
    stream.destroy(new Error('aborted'));
    expect(await broken).toBe('Error: aborted');
  });

  test('one that arrives is refused when others have taken the room, and the one that is farthest goes on', async () => {
    const max = 2 * mebibyte;
    const refuse: RefuseBody = ({ all }) => {
      if (all > max) throw new Error(`${all} bytes are here`);
    };
    const streams = [new PassThrough(), new PassThrough()] as const;
    const read = streams.map((stream) =>
      readBody(stream, undefined, upTo(64 * mebibyte), inflightBodies.begin('a', refuse)).then(
        ({ length }) => length,
        (error: unknown) => String(error),
      ),
    );
    const piece = Buffer.alloc(mebibyte);
    // Without other bodies, a body may exceed the limit.
    for (let i = 0; i < 3; i++) streams[0].write(piece);
    await new Promise((resolve) => setImmediate(resolve));
    expect(inflightBodies.bytes).toBe(3 * mebibyte);
    streams[1].end(piece);
    expect(await read[1]).toBe(`Error: ${4 * mebibyte} bytes are here`);
    expect(inflightBodies.bytes).toBe(3 * mebibyte);
    streams[0].end(piece);
    expect(await read[0]).toBe(4 * mebibyte);
  });

  test('a stalled body loses its slot when no slot is free for another', async () => {
    const few = new InflightBodies(20);
    const refuse: RefuseBody = ({ all }) => {
      if (all > 0) throw new Error('no room');
    };
    const stopped = new PassThrough();
    const first = codeOf(readBody(stopped, undefined, upTo(mebibyte), few.begin('a', refuse)));
    stopped.write(Buffer.alloc(1000));
    await expect.poll(() => few.bytes).toBe(1000);
    expect(() => few.admit('b', refuse)).toThrow('no room');
    await expect.poll(() => few.admit('b', refuse)).toBeUndefined();
    expect([await first, few.bytes]).toEqual(['body-stalled', 0]);
    stopped.destroy();
  });

  test('among stalled bodies, those of the same party end first', async () => {
    const few = new InflightBodies(5);
    const lost: string[] = [];
    for (const party of ['a', 'b', 'a']) {
      const body = few.begin(party);
      body.grew(10);
      body.onLost(() => lost.push(party));
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    const refuse: RefuseBody = ({ own }) => {
      if (own > 0) throw new Error('no room');
    };
    few.admit('b', refuse);
    expect(lost).toEqual(['b']);
    few.admit('a', refuse);
    expect([lost, few.bytes]).toEqual([['b', 'a', 'a'], 0]);
  });
});

import { describe, expect, it } from 'vitest';
import { HttpError } from '@millrace/api/errors';
import { decodeBody } from './content-encoding.js';
import { zstdFrames } from './zstd-frames.js';

const magic = [0x28, 0xb5, 0x2f, 0xfd];
/** A block that repeats one byte `size` times. */
const repeatBlock = (size: number, last: boolean): readonly number[] => {
  const header = (size << 3) | (1 << 1) | Number(last);
  return [header & 0xff, (header >> 8) & 0xff, header >> 16, 0x20];
};
/** A frame with a window of 2^exponent bytes. */
const frame = (exponent: number, blocks: number, size = 1): Uint8Array =>
  Uint8Array.from([
    ...magic,
    0,
    (exponent - 10) << 3,
    ...Array.from({ length: blocks }, (_, i) => repeatBlock(size, i === blocks - 1)).flat(),
  ]);
/** A single-segment frame that declares its length in four bytes. */
const segment = (size: number): Uint8Array =>
  Uint8Array.from([...magic, 0xa0, ...[0, 8, 16, 24].map((shift) => (size >>> shift) & 0xff), ...repeatBlock(1, true)]);

/** Two bytes that are no content. */
const skippableFrame = [0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9];

describe('zstdFrames', () => {
  it('takes the largest window HTTP allows', () => {
    for (const body of [frame(23, 3), segment(8 << 20)]) expect(zstdFrames(body)).toHaveLength(1);
  });

  it('finds each frame, and the most it becomes', () => {
    const [first, second] = [frame(20, 3, 100), segment(1)];
    const frames = zstdFrames(Uint8Array.from([...first, ...skippableFrame, ...second, ...skippableFrame]));
    expect(frames).toEqual([
      { encoded: first, maxDecodedBytes: 300 },
      { encoded: second, maxDecodedBytes: 1 },
    ]);
  });

  it.each([
    ['a frame', frame(23, 3), 0],
    ['something to skip', Uint8Array.from([...frame(20, 1), ...skippableFrame]), frame(20, 1).length],
  ])('says that %s is cut off, wherever it is', (_, body, start) => {
    for (let end = start + 1; end < body.length; end++)
      expect(() => zstdFrames(body.subarray(0, end))).toThrow('it is cut off');
  });

  it('reports the position where another format begins', () => {
    expect(() => zstdFrames(Buffer.from('{"a":1}\n'))).toThrow('no frame begins at byte 0');
    expect(() => zstdFrames(Uint8Array.from([...segment(1), ...Buffer.from('hello')]))).toThrow(
      `no frame begins at byte ${segment(1).length}`,
    );
  });

  it.each([
    ['a window', frame(24, 1)],
    ['a single segment', segment((8 << 20) + 1)],
    ['a later frame', Uint8Array.from([...frame(20, 2), ...frame(27, 1)])],
    ['a frame behind something to skip', Uint8Array.from([...skippableFrame, ...frame(27, 1)])],
  ])('refuses %s that is larger', (_, body) => {
    expect(() => zstdFrames(body)).toThrow(/its window of \d+ bytes is over the 8388608/);
  });

  it('rejects a body whose blocks cost far more than their contents', () => {
    expect(() => zstdFrames(frame(23, 5000))).toThrow('too many blocks');
    expect(() => decodeBody(frame(23, 5000), 'zstd', 1e6)).toThrow(HttpError);
    const spaces = decodeBody(frame(23, 50, 100), 'zstd', 1e6);
    expect(Buffer.from(spaces).toString()).toBe(' '.repeat(5000));
  });
});

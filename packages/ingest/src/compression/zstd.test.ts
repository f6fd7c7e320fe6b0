import { describe, expect, it } from 'vitest';
import { TooLong, unzstdByLibrary } from './zstd-by-library.js';
import { unzstdByNode } from './zstd-by-node.js';
import { zstdFrames } from './zstd-frames.js';

/** `{"a":1}\n` a thousand times, by the reference encoder. */
const encodedText = Buffer.from('KLUv/WBAHoUAAEB7ImEiOjF9CgEANb++cAE=', 'base64');
const plain = '{"a":1}\n'.repeat(1000);

/** A frame of one byte. */
const space = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 0x0b, 0, 0, 0x20]);

const implementations = [
  ['the library', unzstdByLibrary],
  // Node has a decoder from 22.15 on.
  ...(unzstdByNode === undefined ? [] : [['Node', unzstdByNode] as const]),
] as const;

describe.each(implementations)('zstd by %s', (_, decodeFrames) => {
  const decode = (body: Uint8Array, maxBytes: number): Uint8Array => decodeFrames(zstdFrames(body), maxBytes);
  const text = (body: Uint8Array, maxBytes = 1e6): string => Buffer.from(decode(body, maxBytes)).toString();

  it('decodes a frame, and several', () => {
    expect(text(encodedText)).toBe(plain);
    expect(text(Buffer.concat([encodedText, encodedText, encodedText]))).toBe(plain.repeat(3));
  });

  it('decodes nothing, and thousands of frames', () => {
    expect(text(Buffer.alloc(0))).toBe('');
    const frames = 20_000;
    expect(text(Buffer.concat(Array<Uint8Array>(frames).fill(space)))).toBe(' '.repeat(frames));
  });

  it('decodes exactly as much as is allowed', () => {
    expect(text(encodedText, plain.length)).toBe(plain);
    expect(text(Buffer.concat([encodedText, encodedText]), 2 * plain.length)).toBe(plain.repeat(2));
  });

  it.each([
    ['a frame', encodedText, plain.length - 1],
    ['a later frame', Buffer.concat([encodedText, encodedText]), plain.length + 1],
    ['a frame behind a full one', Buffer.concat([encodedText, encodedText]), plain.length],
  ])('stops where %s is too long', (__, body, maxBytes) => {
    expect(() => decode(body, maxBytes)).toThrow(tooLong);
  });

  it('throws when a block is damaged', () => {
    const damaged = Buffer.from(encodedText);
    damaged.fill(0xff, 12);
    expect(() => decode(damaged, 1e6)).toThrow(Error);
  });
});

const tooLong = expect.toSatisfy(
  (error) => error instanceof TooLong || (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE',
) as RegExp;

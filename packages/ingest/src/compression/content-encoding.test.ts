import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { HttpError } from '@millrace/api/errors';
import { decodeBody } from './content-encoding.js';

const plain = Buffer.from('{"a":1}\n'.repeat(1000));
/** `{"a":1}\n` a thousand times, by the reference encoder. */
const zstd = Buffer.from('KLUv/WBAHoUAAEB7ImEiOjF9CgEANb++cAE=', 'base64');

const code = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof HttpError ? error.code : String(error);
  }
};

describe('decodeBody', () => {
  it.each([undefined, '', '1', 'identity', 'Identity '])('%j is none', (encoding) =>
    expect(decodeBody(plain, encoding, 1e6)).toBe(plain),
  );

  it.each([
    ['gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['zlib', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['gzip', Buffer.concat([gzipSync(plain.subarray(0, 100)), gzipSync(plain.subarray(100))])],
    // Zeros after it are padding.
    ['gzip', Buffer.concat([gzipSync(plain), Buffer.alloc(9)])],
  ])('%s', (encoding, body) => expect(Buffer.compare(decodeBody(body, encoding, 1e6), plain)).toBe(0));

  it('zstd, one frame and several', () => {
    const once = Buffer.from(decodeBody(zstd, 'zstd', 1e6));
    expect(once.toString()).toMatch(/^(\{"a":1\}\n)+$/);
    const twice = Buffer.from(decodeBody(Buffer.concat([zstd, zstd]), 'zstd', 1e6));
    expect(twice.toString()).toBe(once.toString().repeat(2));
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'identity'])('nothing under %s is nothing', (encoding) =>
    expect(decodeBody(new Uint8Array(), encoding, 1e6).byteLength).toBe(0),
  );

  it.each([
    ['gzip', gzipSync(plain)],
    ['zstd', zstd],
    ['identity', plain],
  ])('%s beyond the limit', (encoding, body) =>
    expect(code(() => decodeBody(body, encoding, 100))).toBe('body-too-large'),
  );

  it.each([
    ['gzip', gzipSync(plain).subarray(0, 40)],
    ['gzip', gzipSync(plain).subarray(0, 1)],
    ['gzip', Buffer.concat([gzipSync(plain).subarray(0, -4), Buffer.alloc(4, 0xff)])],
    ['zstd', zstd.subarray(0, 12)],
    ['zstd', plain],
    ['br', plain],
    ['deflate', plain],
    ['deflate', deflateRawSync(plain).subarray(0, 12)],
    ['deflate', Buffer.concat([deflateSync(plain), deflateSync(plain)])],
    ['deflate', Buffer.concat([deflateRawSync(plain), Buffer.from('x')])],
    ['br', Buffer.concat([brotliCompressSync(plain), brotliCompressSync(plain)])],
  ])('damaged %s', (encoding, body) => expect(code(() => decodeBody(body, encoding, 1e6))).toBe('invalid-events'));

  const pieces = Buffer.concat([gzipSync(plain), gzipSync('{}')]);
  it.each([
    ['gzip that says how long it is', 'gzip', gzipSync(plain), [8000]],
    ['gzip that says less', 'gzip', pieces, [2, 1032 * pieces.length]],
    ['deflate', 'deflate', deflateSync(plain), [16 * deflateSync(plain).length, 1032 * deflateSync(plain).length]],
    ['deflate that does not become much', 'deflate', deflateSync('{"a":1}'), [16 * deflateSync('{"a":1}').length]],
    ['br', 'br', brotliCompressSync(plain), [16 * brotliCompressSync(plain).length, 1e6]],
    ['zstd', 'zstd', zstd, [8000]],
  ])('checks the size before it allocates memory for %s', (_, encoding, body, expected) => {
    const reported: number[] = [];
    const decoded = decodeBody(body, encoding, 1e6, (bytes) => reported.push(bytes));
    expect(reported).toEqual(expected);
    // The unused part of a chunk is never touched.
    expect(decoded.buffer.byteLength).toBeLessThanOrEqual(Math.max(Buffer.poolSize, reported.at(-1)! + 1));
  });

  it('an unknown encoding lists the known ones', () =>
    expect(code(() => decodeBody(plain, 'lzma', 1e6))).toBe('unsupported-encoding'));
});

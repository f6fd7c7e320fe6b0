import { gzipSync as gzip } from 'node:zlib';

const gzipSync = (bytes: string): Buffer => gzip(Buffer.from(bytes, 'latin1'));

/**
 * Text between a prefix and a suffix, repeated up to a number of bytes, compressed. Each MiB is a
 * gzip member, so a few hundred KB can expand to gigabytes that never exist here. A character is a
 * byte.
 */
export function repeatedInGzip(before: string, unit: string, bytes: number, after = ''): Uint8Array<ArrayBuffer> {
  const mebibyte = 1024 * 1024;
  const many = gzipSync(unit.repeat(Math.max(1, Math.floor(mebibyte / unit.length))));
  const pieces = Array.from({ length: Math.ceil(bytes / mebibyte) }, () => many);
  return new Uint8Array(Buffer.concat([gzipSync(before), ...pieces, gzipSync(after)]));
}

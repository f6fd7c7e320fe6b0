import { gzipSync as gzip } from 'node:zlib';

const gzipSync = (bytes: string): Buffer => gzip(Buffer.from(bytes, 'latin1'));

/**
 * Text between two others that is repeated until so many bytes are reached, compressed. It is one
 * gzip member for each MiB, so that a few hundred KB can be made that expand to gigabytes, without
 * those ever being there. A character is a byte.
 */
export function repeatedInGzip(before: string, unit: string, bytes: number, after = ''): Uint8Array<ArrayBuffer> {
  const mebibyte = 1024 * 1024;
  const many = gzipSync(unit.repeat(Math.max(1, Math.floor(mebibyte / unit.length))));
  const pieces = Array.from({ length: Math.ceil(bytes / mebibyte) }, () => many);
  return new Uint8Array(Buffer.concat([gzipSync(before), ...pieces, gzipSync(after)]));
}

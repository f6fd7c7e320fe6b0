import { gzipSync } from 'node:zlib';

/** Bodies in the encodings clients send. */

type Bytes = Uint8Array<ArrayBuffer>;

export const gzip = (text: string): Bytes => new Uint8Array(gzipSync(text));

/** Concatenated gzip files, which are a valid gzip file, as created by `cat *.json.gz`. */
export const gzipMembers = (...texts: readonly string[]): Bytes => new Uint8Array(Buffer.concat(texts.map(gzip)));

/**
 * A Zstandard frame whose only block holds the text uncompressed. Node itself writes the format
 * only from 22.15 on.
 */
export function zstd(text: string): Bytes {
  const content = Buffer.from(text);
  const frame = Buffer.alloc(12);
  frame.writeUInt32LE(0xfd2fb528, 0);
  const singleSegmentWithFourByteSize = 0b1010_0000;
  frame.writeUInt8(singleSegmentWithFourByteSize, 4);
  frame.writeUInt32LE(content.length, 5);
  const lastBlock = 1;
  frame.writeUIntLE((content.length << 3) | lastBlock, 9, 3);
  return new Uint8Array(Buffer.concat([frame, content]));
}

import { unzstdByLibrary } from './zstd-by-library.js';
import { unzstdByNode } from './zstd-by-node.js';
import { zstdFrames } from './zstd-frames.js';

const decode = unzstdByNode ?? unzstdByLibrary;

/**
 * Decodes a zstd body.
 * @param expects called with the maximum decompressed size, before memory is allocated
 * @throws TooLong, or Node's ERR_BUFFER_TOO_LARGE, if the result is longer than `maxBytes`; Error
 * if it is damaged or would cost too much
 */
export function unzstd(body: Uint8Array, maxBytes: number, expects: (bytes: number) => void): Uint8Array {
  const frames = zstdFrames(body);
  const max = frames.reduce((sum, { maxDecodedBytes }) => sum + maxDecodedBytes, 0);
  expects(Math.min(max, maxBytes));
  return decode(frames, maxBytes);
}

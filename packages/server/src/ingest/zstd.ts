import { unzstdByLibrary } from './zstd-by-library.js';
import { unzstdByNode } from './zstd-by-node.js';
import { zstdFrames } from './zstd-frames.js';

const decode = unzstdByNode ?? unzstdByLibrary;

/**
 * Decodes a zstd body.
 * @throws TooLong, or Node's ERR_BUFFER_TOO_LARGE, when it becomes more than `maxBytes`; Error when it is damaged or would cost too much
 */
export function unzstd(body: Uint8Array, maxBytes: number): Uint8Array {
  return decode(zstdFrames(body), maxBytes);
}

import { unzstdByLibrary } from './zstd-by-library.js';
import { unzstdByNode } from './zstd-by-node.js';
import { zstdFrames } from './zstd-frames.js';

const decode = unzstdByNode ?? unzstdByLibrary;

/**
 * Decodes a zstd body.
 * @param expects called with the most that it can become, before the memory for it is taken
 * @throws TooLong, or Node's ERR_BUFFER_TOO_LARGE, when it becomes more than `maxBytes`; Error when
 * it is damaged or would cost too much
 */
export function unzstd(body: Uint8Array, maxBytes: number, expects: (bytes: number) => void): Uint8Array {
  const frames = zstdFrames(body);
  const most = frames.reduce((sum, { mostBytes }) => sum + mostBytes, 0);
  expects(Math.min(most, maxBytes));
  return decode(frames, maxBytes);
}

import { Decompress } from 'fzstd';
import type { ZstdFrame } from './zstd-frames.js';

/** Thrown when a body becomes longer than allowed. */
export class TooLong extends Error {}

/**
 * A frame is decoded in pieces of this size, so that a small one that expands without end is
 * noticed before it fills the memory.
 */
const pieceBytes = 64 * 1024;

/**
 * Decodes frames in plain JavaScript, for the Node versions that have no decoder of their own. No
 * piece has the end of one frame and the beginning of the next, because the library calls itself
 * for each frame in a piece.
 */
export function unzstdByLibrary(frames: readonly ZstdFrame[], maxBytes: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (const { encoded } of frames) {
    const stream = new Decompress((piece) => {
      bytes += piece.length;
      if (bytes > maxBytes) throw new TooLong();
      pieces.push(piece);
    });
    for (let at = 0; at < encoded.length; at += pieceBytes)
      stream.push(encoded.subarray(at, at + pieceBytes), at + pieceBytes >= encoded.length);
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, bytes);
}

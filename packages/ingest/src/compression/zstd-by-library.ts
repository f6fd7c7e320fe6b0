import { Decompress } from 'fzstd';
import type { ZstdFrame } from './zstd-frames.js';

/** Thrown when a body becomes longer than allowed. */
export class TooLong extends Error {}

/**
 * Frames are decoded in chunks of this size, so that a decompression bomb is detected before it
 * fills the memory.
 */
const pieceBytes = 64 * 1024;

/**
 * Decodes frames in plain JavaScript, for Node versions without a built-in decoder. No chunk passed
 * to the library spans two frames, because the library recurses once per frame in a chunk.
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

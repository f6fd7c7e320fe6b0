import { crc32c } from './crc32c.js';
import { encodeFrameHeader, frameHeaderBytes } from './format.js';

/** A frame on its way to the disk. */
export interface OutgoingFrame {
  readonly position: bigint;
  readonly chunks: readonly Uint8Array[];
  /** The sum of the chunks' lengths. */
  readonly payloadBytes: number;
}

/** Chunks below this size are copied together: one buffer and one checksum call instead of many. */
const copyBelow = 16 * 1024;

export function groupBytes(frames: readonly OutgoingFrame[]): number {
  return frames.reduce((sum, frame) => sum + frameHeaderBytes + frame.payloadBytes, 0);
}

/**
 * The bytes of one group commit that starts at `groupOffset` of its segment. Large chunks are
 * passed on uncopied.
 */
export function encodeGroup(
  frames: readonly OutgoingFrame[],
  groupOffset: number,
  salt: number,
): readonly Uint8Array[] {
  const copied = Buffer.allocUnsafe(copiedBytes(frames));
  const pieces: Uint8Array[] = [];
  let at = 0;
  let pieceStart = 0;
  for (const frame of frames) {
    const headerAt = at;
    at += frameHeaderBytes;
    let runStart = at;
    let payloadCrc = 0;
    for (const chunk of frame.chunks) {
      if (chunk.length < copyBelow) {
        copied.set(chunk, at);
        at += chunk.length;
        continue;
      }
      payloadCrc = crc32c(chunk, crc32c(copied.subarray(runStart, at), payloadCrc));
      pieces.push(copied.subarray(pieceStart, at), chunk);
      runStart = at;
      pieceStart = at;
    }
    payloadCrc = crc32c(copied.subarray(runStart, at), payloadCrc);
    encodeFrameHeader(copied, headerAt, salt, {
      payloadCrc,
      payloadBytes: frame.payloadBytes,
      groupOffset,
      position: frame.position,
    });
  }
  pieces.push(copied.subarray(pieceStart, at));
  return pieces.filter((piece) => piece.length > 0);
}

function copiedBytes(frames: readonly OutgoingFrame[]): number {
  let bytes = 0;
  for (const frame of frames) {
    bytes += frameHeaderBytes;
    for (const chunk of frame.chunks) if (chunk.length < copyBelow) bytes += chunk.length;
  }
  return bytes;
}

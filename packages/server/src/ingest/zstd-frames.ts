/** The structure of zstd bodies (RFC 8878): frames, their windows, their blocks. Nothing is decoded. */

/** The largest window that an encoder for HTTP may use, and that a decoder has to support (RFC 9659). */
const maxWindowBytes = 8 * 1024 * 1024;

/** The decoder moves its whole window once per block, and even a block of one byte costs it about as much as moving 16 KiB. */
const blockOverheadBytes = 16 * 1024;

/** Some seconds of moving memory: twice what 256 MiB need in blocks of the usual size with the largest window. */
const maxMovedBytes = 32 * 1024 * 1024 * 1024;

const frameMagic = 0xfd2fb528;
const isSkippable = (magic: number): boolean => magic >>> 4 === 0x184d2a5;

const rle = 1;

/**
 * Checks what decoding a body would cost, which neither the size of the body nor that of the result shows: with a large window, or
 * blocks of a single byte, a decoder works for hours on a megabyte.
 * @throws Error for a window that HTTP does not allow, and for far more blocks than any encoder makes; damaged data is left to the decoder
 */
export function checkZstdFrames(body: Uint8Array): void {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let moved = 0;
  let at = 0;
  while (at + 8 < body.length) {
    const magic = view.getUint32(at, true);
    if (isSkippable(magic)) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== frameMagic) return;
    const frame = frameAt(view, at);
    if (frame === undefined) return;
    const { window, hasChecksum } = frame;
    if (window > maxWindowBytes)
      throw new Error(
        `its window of ${window} bytes is over the ${maxWindowBytes} that HTTP allows; compress with a level below 20 and without --long`,
      );
    at = frame.blocks;
    for (let last = false; !last;) {
      if (at + 3 > body.length) return;
      const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      last = (header & 1) === 1;
      at += 3 + (((header >> 1) & 3) === rle ? 1 : header >> 3);
      moved += window + blockOverheadBytes;
      // Checked at each block, because the decoder also works through the blocks of a frame that is cut off.
      if (moved > maxMovedBytes) throw new Error('it has too many blocks; compress with fewer flushes');
    }
    if (hasChecksum) at += 4;
  }
}

interface Frame {
  /** Bytes. */
  readonly window: number;
  readonly hasChecksum: boolean;
  /** Offset of its first block. */
  readonly blocks: number;
}

/** The header of a frame; undefined if the body ends within it. */
function frameAt(view: DataView, start: number): Frame | undefined {
  const descriptor = view.getUint8(start + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const size = start + 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
  const blocks = size + sizeBytes;
  if (blocks > view.byteLength) return undefined;
  const window = isSingleSegment ? contentSize(view, size, sizeBytes) : windowOf(view.getUint8(start + 5));
  return { window, hasChecksum: (descriptor & 4) !== 0, blocks };
}

/** The window size in bytes: a power of two from 1 KiB on, plus a number of eighths of it. */
function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** The content size of a frame with a single segment, which is also its window. */
function contentSize(view: DataView, at: number, bytes: number): number {
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

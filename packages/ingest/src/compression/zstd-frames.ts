/**
 * Structure of zstd bodies (RFC 8878): frames, their windows, their blocks. Does not decode them.
 */

/** A complete frame with content. */
export interface ZstdFrame {
  readonly encoded: Uint8Array;
  /** Maximum decompressed size according to its blocks and its header. */
  readonly maxDecodedBytes: number;
}

/** The maximum window for HTTP, which decoders must support (RFC 9659). */
const maxWindowBytes = 8 * 1024 * 1024;

/**
 * The library moves its complete window once per block, and a block of one byte still costs about
 * as much as moving 16 KiB.
 */
const blockOverheadBytes = 16 * 1024;

/** Cost of a frame in Node's decoder, however short, in bytes moved. */
const frameOverheadBytes = 256 * 1024;

/**
 * Some seconds of moving memory: twice as much as 256 MiB in blocks of the usual size with the
 * largest window.
 */
const maxMovedBytes = 32 * 1024 * 1024 * 1024;

/** The most that a block becomes. */
const maxBlockBytes = 128 * 1024;

const frameMagic = 0xfd2fb528;
const isSkippable = (magic: number): boolean => magic >>> 4 === 0x184d2a5;

const rle = 1;
const compressedBlock = 2;

/**
 * Finds the frames of a body and bounds the cost of decoding them. Neither the size of the body nor
 * of the result shows that cost: with a large window, or blocks of one byte, the library takes
 * hours for a megabyte.
 * @throws Error for a window that HTTP does not allow, far more blocks than any encoder creates, a
 * truncated frame, and bytes that are not a frame; errors inside a block are left to the decoder
 */
export function zstdFrames(body: Uint8Array): readonly ZstdFrame[] {
  const frames: ZstdFrame[] = [];
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const whole = (end: number): number => {
    if (end > body.length) throw new Error('it is cut off');
    return end;
  };
  let moved = 0;
  for (let start = 0; start < body.length;) {
    whole(start + 4);
    const magic = view.getUint32(start, true);
    const skips = isSkippable(magic);
    if (!skips && magic !== frameMagic) throw new Error(`no frame begins at byte ${start}`);
    whole(start + 8);
    if (skips) {
      start = whole(start + 8 + view.getUint32(start + 4, true));
      continue;
    }
    const { window, contentBytes, hasChecksum, blocks } = headerAt(view, start, whole);
    if (window > maxWindowBytes)
      throw new Error(
        `its window of ${window} bytes is over the ${maxWindowBytes} that HTTP allows; compress with a level below 20 and without --long`,
      );
    moved += frameOverheadBytes;
    let at = blocks;
    let blockBytes = 0;
    for (let last = false; !last;) {
      whole(at + 3);
      const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      const [type, size] = [(header >> 1) & 3, header >> 3];
      last = (header & 1) === 1;
      blockBytes += type === compressedBlock ? maxBlockBytes : size;
      moved += window + blockOverheadBytes;
      if (moved > maxMovedBytes) throw new Error('it has too many blocks; compress with fewer flushes');
      at = whole(at + 3 + (type === rle ? 1 : size));
    }
    if (hasChecksum) at = whole(at + 4);
    frames.push({ encoded: body.subarray(start, at), maxDecodedBytes: Math.min(contentBytes ?? Infinity, blockBytes) });
    start = at;
  }
  return frames;
}

interface Header {
  /** Bytes. */
  readonly window: number;
  /** The decompressed size, if the encoder recorded it. */
  readonly contentBytes: number | undefined;
  readonly hasChecksum: boolean;
  /** Offset of its first block. */
  readonly blocks: number;
}

/** @param whole throws if the body ends before an offset */
function headerAt(view: DataView, start: number, whole: (end: number) => number): Header {
  const descriptor = view.getUint8(start + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const size = start + 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
  const blocks = whole(size + sizeBytes);
  const contentBytes = sizeBytes === 0 ? undefined : contentSize(view, size, sizeBytes);
  const window = isSingleSegment ? contentBytes! : windowOf(view.getUint8(start + 5));
  return { window, contentBytes, hasChecksum: (descriptor & 4) !== 0, blocks };
}

/** The window size in bytes: a power of two from 1 KiB on, plus a number of eighths. */
function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** The content size of a frame; of a frame with a single segment it is also the window. */
function contentSize(view: DataView, at: number, bytes: number): number {
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

import type { LogFile } from './file-system.js';
import {
  decodeFrameHeader,
  frameHeaderBytes,
  inferSalt,
  segmentHeaderBytes,
  type SegmentHeader,
  viewOf,
} from './format.js';
import { FrameScanner } from './scan.js';

/** How many bytes the search reads at a time. */
const blockBytes = 1024 * 1024;

/**
 * The offset of the first intact frame header at or after `from` with a position above `after` and
 * a group that began after `groupAfter`; undefined when there is none before `end`. Where bytes
 * were cut out of the file, later frames stand before the offsets that they name.
 */
export async function findFrame(
  file: LogFile,
  header: SegmentHeader,
  from: number,
  end: number,
  wanted: { readonly after: bigint; readonly groupAfter: number },
): Promise<number | undefined> {
  for await (const { bytes, view, at, offset } of candidates(file, from, end, wanted.groupAfter, end)) {
    const frame = decodeFrameHeader(bytes, view, at, header.salt);
    if (frame !== undefined && frame.position > wanted.after) return offset;
  }
  return undefined;
}

/**
 * Reconstructs the fields of a damaged segment header that are needed to read frames. The salt
 * follows from any frame; the payload's checksum, which has no salt, tells a frame from bytes that
 * only resemble one.
 */
export async function inferHeader(
  file: LogFile,
  firstPosition: bigint,
  end: number,
): Promise<SegmentHeader | undefined> {
  for await (const { bytes, view, at, offset } of candidates(file, segmentHeaderBytes, end, 0, 0)) {
    const payloadBytes = view.getUint32(at + 8, true);
    const position = view.getBigUint64(at + 16, true);
    if (payloadBytes === 0 || offset + frameHeaderBytes + payloadBytes > end || position < firstPosition) continue;
    const salt = inferSalt(bytes, view, at);
    const header = { salt, firstPosition, previousFirst: 0n, previousLength: 0, syncedLength: 0 };
    const scanner = new FrameScanner(file, header, offset + frameHeaderBytes + payloadBytes, offset);
    if ((await scanner.next()).length === 1) return header;
  }
  return undefined;
}

interface Candidate {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset in `bytes`, and in the file. */
  readonly at: number;
  readonly offset: number;
}

/**
 * Every offset where a frame header could stand, judged by its group offset alone: a checksum at
 * every byte would take seconds.
 * @param maxMissing how many bytes may be missing before a frame
 */
async function* candidates(
  file: LogFile,
  from: number,
  end: number,
  groupAfter: number,
  maxMissing: number,
): AsyncGenerator<Candidate, void, undefined> {
  const min = Math.max(groupAfter + 1, segmentHeaderBytes);
  const bytes = new Uint8Array(blockBytes);
  const view = viewOf(bytes);
  for (let start = from; start + frameHeaderBytes <= end; start += blockBytes - frameHeaderBytes + 1) {
    const filled = await file.read(bytes.subarray(0, Math.min(blockBytes, end - start)), start);
    for (let at = 0; at + frameHeaderBytes <= filled; at++) {
      const groupOffset = view.getUint32(at + 12, true);
      if (groupOffset >= min && groupOffset <= start + at + maxMissing) yield { bytes, view, at, offset: start + at };
    }
  }
}

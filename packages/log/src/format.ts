/**
 * The bytes of a log directory. All numbers are unsigned and little-endian; CRC is CRC-32C.
 *
 *     00000000000000000001.log   a segment, named by the position of its first frame (20 digits:
 *                                names sort)
 *     00000000000000000001.new   a segment being created; never read, removed at the next start
 *     lock.*                     see lock.ts
 *
 * A segment is one header and then frames without gaps:
 *
 *   header  offset  size  field
 *                0     8  magic "MILLRLOG"
 *                8     4  version, 1
 *               12     4  salt, random for each segment
 *               16     8  position of the first frame, at least 1
 *               24     8  position of the first frame of the previous segment; 0 = this is the log's first segment
 *               32     4  sealed length: number of valid bytes of the previous segment; later bytes were rejected
 *               36     4  synced length: bytes of this segment that were on disk before the file got its name
 *               40     4  CRC of bytes 0…39
 *
 *   frame        0     4  check: CRC of bytes 4…23, exclusive-or the segment's salt
 *                4     4  CRC of the payload
 *                8     4  payload length, may be 0
 *               12     4  group offset: where in this file the group commit that wrote the frame begins
 *               16     8  position: above the previous frame's; gaps are appends that failed
 *               24     …  payload
 *
 * Three fields decide the meaning of a damaged byte, which checksums alone cannot:
 * - A group is written only after the previous group was synced. So a valid frame whose *group
 *   offset* is after a damaged byte proves that the byte had been on disk: corruption. Without such
 *   a proof it is the torn tail of the last write.
 * - The *sealed length* says where a segment ends without writing to that file again, which may be
 *   on a failing disk. It also distinguishes a shortened or missing segment from a released one.
 * - The *salt* prevents a payload that contains the bytes of a frame from passing for one when
 *   recovery searches for proof.
 */
import { crc32cRange } from './crc32c.js';

export const segmentHeaderBytes = 44;
export const frameHeaderBytes = 24;
const magic = Uint8Array.from('MILLRLOG', (character) => character.charCodeAt(0));
const version = 1;

export interface SegmentHeader {
  readonly salt: number;
  readonly firstPosition: bigint;
  /** 0 when there is none. */
  readonly previousFirst: bigint;
  readonly previousLength: number;
  readonly syncedLength: number;
}

export interface FrameHeader {
  readonly payloadCrc: number;
  readonly payloadBytes: number;
  readonly groupOffset: number;
  readonly position: bigint;
}

type HeaderProblem = 'damaged' | 'newer version';

export function segmentName(firstPosition: bigint): string {
  return `${firstPosition.toString().padStart(20, '0')}.log`;
}

/** The first position a segment's file name states; undefined when the name is not a segment's. */
export function segmentNamed(name: string): bigint | undefined {
  return /^\d{20}\.log$/.test(name) ? BigInt(name.slice(0, 20)) : undefined;
}

/** Segments under construction get this name until they are complete. */
export function unfinishedName(firstPosition: bigint): string {
  return segmentName(firstPosition).replace('.log', '.new');
}

export function isUnfinished(name: string): boolean {
  return /^\d{20}\.new$/.test(name);
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function encodeSegmentHeader(header: SegmentHeader): Uint8Array {
  const bytes = new Uint8Array(segmentHeaderBytes);
  const view = viewOf(bytes);
  bytes.set(magic, 0);
  view.setUint32(8, version, true);
  view.setUint32(12, header.salt, true);
  view.setBigUint64(16, header.firstPosition, true);
  view.setBigUint64(24, header.previousFirst, true);
  view.setUint32(32, header.previousLength, true);
  view.setUint32(36, header.syncedLength, true);
  view.setUint32(40, crc32cRange(bytes, 0, 40), true);
  return bytes;
}

/** Reads the header at the start of `bytes`, which may be shorter than a header. */
export function decodeSegmentHeader(bytes: Uint8Array): SegmentHeader | HeaderProblem {
  if (bytes.length < segmentHeaderBytes || magic.some((byte, at) => bytes[at] !== byte)) return 'damaged';
  const view = viewOf(bytes);
  const found = view.getUint32(8, true);
  if (found !== version) return found > version && !hasKnownVersionCrc(bytes) ? 'newer version' : 'damaged';
  if (view.getUint32(40, true) !== crc32cRange(bytes, 0, 40)) return 'damaged';
  return {
    salt: view.getUint32(12, true),
    firstPosition: view.getBigUint64(16, true),
    previousFirst: view.getBigUint64(24, true),
    previousLength: view.getUint32(32, true),
    syncedLength: view.getUint32(36, true),
  };
}

/**
 * Whether the checksum matches if the version is replaced by the known one: then the known one was
 * written, and its bytes are damaged.
 */
function hasKnownVersionCrc(bytes: Uint8Array): boolean {
  const known = bytes.slice(0, segmentHeaderBytes);
  const view = viewOf(known);
  view.setUint32(8, version, true);
  return view.getUint32(40, true) === crc32cRange(known, 0, 40);
}

export function encodeFrameHeader(bytes: Uint8Array, at: number, salt: number, header: FrameHeader): void {
  const view = viewOf(bytes);
  view.setUint32(at + 4, header.payloadCrc, true);
  view.setUint32(at + 8, header.payloadBytes, true);
  view.setUint32(at + 12, header.groupOffset, true);
  view.setBigUint64(at + 16, header.position, true);
  view.setUint32(at, frameCheck(bytes, at, salt), true);
}

/** The header at `at`; undefined when its check fails. `bytes` and `view` share memory. */
export function decodeFrameHeader(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  salt: number,
): FrameHeader | undefined {
  if (view.getUint32(at, true) !== frameCheck(bytes, at, salt)) return undefined;
  return {
    payloadCrc: view.getUint32(at + 4, true),
    payloadBytes: view.getUint32(at + 8, true),
    groupOffset: view.getUint32(at + 12, true),
    position: view.getBigUint64(at + 16, true),
  };
}

/** The salt with which the bytes at `at` would be a frame header. */
export function inferSalt(bytes: Uint8Array, view: DataView, at: number): number {
  return (view.getUint32(at, true) ^ frameCheck(bytes, at, 0)) >>> 0;
}

function frameCheck(bytes: Uint8Array, at: number, salt: number): number {
  return (crc32cRange(bytes, at + 4, at + frameHeaderBytes) ^ salt) >>> 0;
}

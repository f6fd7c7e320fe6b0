/**
 * What one frame of the log holds: the events of one ingest request.
 *
 * | bytes    | meaning                                                              |
 * |----------|----------------------------------------------------------------------|
 * | u8       | version, 1                                                           |
 * | u32 LE   | dataset id                                                           |
 * | u64 LE   | arrival time, nanoseconds since the epoch                            |
 * | u16 LE   | length of the idempotency key, 0 for none                            |
 * | u32 LE   | length of the answer that belongs to the key, 0 for none             |
 * | …        | the key, then the answer, UTF-8                                      |
 * | u32 LE   | number of (field, type) pairs new to the overflow column             |
 * | …        | each: u16 LE length, physical name (`geo.city#s`) in UTF-8           |
 * | …        | the block, as `serializeBlock` writes it                             |
 *
 * Physical columns name their field and type themselves; what went into the overflow column is listed, unless it was known to be there when the
 * frame was written: then it is in a frame before this one, or in the metadata, where it comes before the rows of that frame come to the
 * engine. A replay goes by the names in the block all the same: of a damaged log some frames may be lost.
 */
import {
  type Block,
  deserializeBlock,
  type FieldType,
  parsePhysicalName,
  physicalName,
  serializeBlock,
} from '@millrace/events';

export interface FieldAndType {
  readonly field: string;
  readonly type: FieldType;
}

/** What a client that sends its request again is to be told. */
export interface Idempotency {
  readonly key: string;
  /** JSON text; see `ingest/idempotency.ts`. */
  readonly answer: string;
}

export interface FrameHead {
  readonly datasetId: number;
  /** Nanoseconds since the epoch. */
  readonly arrival: bigint;
  readonly idempotency?: Idempotency;
  readonly overflowed: readonly FieldAndType[];
}

export interface Frame extends FrameHead {
  readonly block: Block;
}

const version = 1;
const fixedBytes = 1 + 4 + 8 + 2 + 4;

/** The chunks of a frame's payload; the block's bytes are not copied. */
export function writeFrame(frame: Frame): readonly Uint8Array[] {
  const key = Buffer.from(frame.idempotency?.key ?? '', 'utf8');
  const answer = Buffer.from(frame.idempotency?.answer ?? '', 'utf8');
  const names = frame.overflowed.map((use) => Buffer.from(physicalName(use.field, use.type), 'utf8'));
  const namesBytes = names.reduce((sum, name) => sum + 2 + name.length, 0);
  const head = Buffer.allocUnsafe(fixedBytes + key.length + answer.length + 4 + namesBytes);
  let at = head.writeUInt8(version, 0);
  at = head.writeUInt32LE(frame.datasetId, at);
  at = head.writeBigUInt64LE(frame.arrival, at);
  at = head.writeUInt16LE(key.length, at);
  at = head.writeUInt32LE(answer.length, at);
  at += key.copy(head, at);
  at += answer.copy(head, at);
  at = head.writeUInt32LE(names.length, at);
  for (const name of names) {
    at = head.writeUInt16LE(name.length, at);
    at += name.copy(head, at);
  }
  return [head, serializeBlock(frame.block)];
}

/** Measured: what a batch, and each of its columns, costs besides its bytes. Of small batches that is nearly all. */
const batchOverhead = 1000;
const columnOverhead = 350;

/** Bytes a batch takes while it waits in memory. */
export const memoryOf = (block: Block, payloadBytes: number): number =>
  payloadBytes + batchOverhead + columnOverhead * block.columns.length;

/**
 * Reads a payload back.
 * @throws RangeError if it is not a frame of this version or ends early
 */
export function readFrame(payload: Uint8Array): Frame {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  if (bytes.readUInt8(0) !== version) throw new RangeError(`frame version ${bytes[0]}, expected ${version}`);
  const datasetId = bytes.readUInt32LE(1);
  const arrival = bytes.readBigUInt64LE(5);
  const keyLength = bytes.readUInt16LE(13);
  const answerLength = bytes.readUInt32LE(15);
  let at = fixedBytes;
  const key = bytes.toString('utf8', at, at + keyLength);
  at += keyLength;
  const answer = bytes.toString('utf8', at, at + answerLength);
  at += answerLength;
  const count = bytes.readUInt32LE(at);
  at += 4;
  const overflowed: FieldAndType[] = [];
  for (let i = 0; i < count; i++) {
    const length = bytes.readUInt16LE(at);
    const use = parsePhysicalName(bytes.toString('utf8', at + 2, at + 2 + length));
    if (use === undefined) throw new RangeError(`frame names an unknown field type at byte ${at}`);
    overflowed.push(use);
    at += 2 + length;
  }
  return {
    datasetId,
    arrival,
    ...(keyLength > 0 && { idempotency: { key, answer } }),
    overflowed,
    block: deserializeBlock(payload.subarray(at)),
  };
}

/**
 * The payload of a log frame: the events of one ingest request.
 *
 * | bytes    | meaning                                                              |
 * |----------|----------------------------------------------------------------------|
 * | u8       | version, 2                                                           |
 * | u32 LE   | dataset ID                                                           |
 * | u64 LE   | ingest time, nanoseconds since the epoch                             |
 * | u16 LE   | length of the idempotency key, 0 for none                            |
 * | u32 LE   | length of the response stored for the key, 0 for none                |
 * | …        | the key, then the response, UTF-8                                    |
 * | …        | the block, as `serializeBlock` writes it                             |
 *
 * The names of physical columns contain field and type, and so do the keys of the overflow column
 * (`overflowNames`): a replay learns every field from the block alone, even if earlier frames were
 * lost. Version 1 listed the overflow names before the block: a u32 LE count, then a u16 LE length
 * and the name of each.
 *
 * A new version needs a migration step of the metadata (`metadata/migrations.ts`), so that older
 * programs report it and leave the directory unchanged.
 */
import { type Block, deserializeBlock, serializeBlock } from '@millrace/events';

/** The response for a client that repeats its request. */
export interface Idempotency {
  readonly key: string;
  /** JSON text; see `ingest/idempotency.ts`. */
  readonly answer: string;
}

export interface Frame {
  readonly datasetId: number;
  /** Nanoseconds since the epoch. */
  readonly arrival: bigint;
  readonly idempotency?: Idempotency;
  readonly block: Block;
}

/**
 * The dataset of a mark: a frame without events, the only one in the log of an idle server. An
 * older program takes it for a batch of a deleted dataset.
 */
export const noDataset = 0;

/** The chunks of a mark. */
export const writeMark = (): readonly Uint8Array[] =>
  writeFrame({ datasetId: noDataset, arrival: 0n, block: { rows: 0, columns: [] } });

const version = 2;
const versionWithNames = 1;
const fixedBytes = 1 + 4 + 8 + 2 + 4;

/** The chunks of a frame's payload; the block's bytes are not copied. */
export function writeFrame(frame: Frame): readonly Uint8Array[] {
  const key = Buffer.from(frame.idempotency?.key ?? '', 'utf8');
  const answer = Buffer.from(frame.idempotency?.answer ?? '', 'utf8');
  const head = Buffer.allocUnsafe(fixedBytes + key.length + answer.length);
  let at = head.writeUInt8(version, 0);
  at = head.writeUInt32LE(frame.datasetId, at);
  at = head.writeBigUInt64LE(frame.arrival, at);
  at = head.writeUInt16LE(key.length, at);
  at = head.writeUInt32LE(answer.length, at);
  at += key.copy(head, at);
  answer.copy(head, at);
  return [head, serializeBlock(frame.block)];
}

/**
 * Measured memory overhead of a batch, and of each of its columns, in bytes. For small batches this
 * is nearly all of their memory.
 */
const batchOverhead = 1000;
const columnOverhead = 350;

/** Bytes of a pending batch in memory. */
export const memoryOf = (block: Block, payloadBytes: number): number =>
  payloadBytes + batchOverhead + columnOverhead * block.columns.length;

/** Parses a payload. @throws RangeError if it is not a frame of these versions or ends early */
export function readFrame(payload: Uint8Array): Frame {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const found = bytes.readUInt8(0);
  if (found !== version && found !== versionWithNames)
    throw new RangeError(`frame version ${found}, expected ${version}`);
  const datasetId = bytes.readUInt32LE(1);
  const arrival = bytes.readBigUInt64LE(5);
  const keyLength = bytes.readUInt16LE(13);
  const answerLength = bytes.readUInt32LE(15);
  let at = fixedBytes;
  const key = bytes.toString('utf8', at, at + keyLength);
  at += keyLength;
  const answer = bytes.toString('utf8', at, at + answerLength);
  at += answerLength;
  if (found === versionWithNames) at = behindNames(bytes, at);
  return {
    datasetId,
    arrival,
    ...(keyLength > 0 && { idempotency: { key, answer } }),
    block: deserializeBlock(payload.subarray(at)),
  };
}

function behindNames(bytes: Buffer, start: number): number {
  let at = start + 4;
  for (let left = bytes.readUInt32LE(start); left > 0; left--) at += 2 + bytes.readUInt16LE(at);
  return at;
}

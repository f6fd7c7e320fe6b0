/**
 * What one frame of the log holds: the events of one ingest request.
 *
 * | bytes    | meaning                                                              |
 * |----------|----------------------------------------------------------------------|
 * | u8       | version, 2                                                           |
 * | u32 LE   | dataset id                                                           |
 * | u64 LE   | arrival time, nanoseconds since the epoch                            |
 * | u16 LE   | length of the idempotency key, 0 for none                            |
 * | u32 LE   | length of the answer that belongs to the key, 0 for none             |
 * | …        | the key, then the answer, UTF-8                                      |
 * | …        | the block, as `serializeBlock` writes it                             |
 *
 * The names of physical columns contain field and type, and so do the keys of the overflow column
 * (`overflowNames`): a replay learns every field from the block alone, even if earlier frames were
 * lost. Version 1 listed the overflow names before the block: a u32 LE count, then a u16 LE length
 * and the name of each.
 *
 * A new version needs a migration step of the metadata (`metadata/migrations.ts`), so that older
 * programs say what is wrong and leave the directory alone.
 */
import { type Block, deserializeBlock, serializeBlock } from '@millrace/events';

/** What to tell a client that sends its request again. */
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
 * The dataset of a mark: a frame without events, all there is in the log of a server at rest. An
 * older program takes it for a batch of a dataset that is gone.
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
 * Measured: bytes of memory that a batch, and each of its columns, costs besides its own bytes. For
 * small batches this is nearly all of it.
 */
const batchOverhead = 1000;
const columnOverhead = 350;

/** Bytes a batch takes while it waits in memory. */
export const memoryOf = (block: Block, payloadBytes: number): number =>
  payloadBytes + batchOverhead + columnOverhead * block.columns.length;

/**
 * Reads a payload back.
 * @throws RangeError if it is not a frame of these versions or ends early
 */
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

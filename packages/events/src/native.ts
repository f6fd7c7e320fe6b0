import type { Block } from './block.js';
import { varintWidth, writeVarint } from './columns/varint.js';
import { TIME_TYPE } from './fields.js';
import { mergeBlocks } from './merge.js';

/** A block with what the log knows about it. */
export interface NativePart {
  readonly block: Block;
  /** Number of the batch in the log. */
  readonly seq: bigint;
  /** Time of arrival, nanoseconds since the epoch. */
  readonly arrival: bigint;
}

export interface NativeColumn {
  readonly name: string;
  readonly type: string;
}

export interface NativeBlock {
  readonly columns: readonly NativeColumn[];
  /** One ClickHouse Native block, in pieces that are to be written one behind the other. */
  readonly chunks: readonly Uint8Array[];
  readonly rows: number;
}

/**
 * One ClickHouse Native block with the rows of all parts, in order, and the system columns `_sysTime`, `_seq`, `_row`
 * in front. The column bytes of a single part are used as they are.
 *
 * | bytes      | what                                       |
 * |------------|--------------------------------------------|
 * | varint     | columns                                    |
 * | varint     | rows                                       |
 * | per column | name, type (each length, bytes), body      |
 */
export function nativeBlock(parts: readonly NativePart[]): NativeBlock {
  const filled = parts.filter(({ block }) => block.rows > 0);
  const [only] = filled;
  const block = filled.length === 1 ? only!.block : mergeBlocks(filled.map((part) => part.block));
  const { rows } = block;
  const columns = [...systemColumns(filled, rows), ...(rows === 0 ? [] : block.columns)];
  const head = new Uint8Array(varintWidth(columns.length) + varintWidth(rows));
  writeVarint(head, writeVarint(head, 0, columns.length), rows);
  const chunks: Uint8Array[] = [head];
  for (const { name, type, data } of columns) chunks.push(columnHead(name, type), data);
  return { columns: columns.map(({ name, type }) => ({ name, type })), chunks, rows };
}

function systemColumns(parts: readonly NativePart[], rows: number) {
  const arrivals = new BigInt64Array(rows);
  const seqs = new BigUint64Array(rows);
  const ordinals = new Uint32Array(rows);
  let first = 0;
  for (const { block, seq, arrival } of parts) {
    const behind = first + block.rows;
    arrivals.fill(arrival, first, behind);
    seqs.fill(seq, first, behind);
    for (let row = first; row < behind; row++) ordinals[row] = row - first;
    first = behind;
  }
  return [
    { name: '_sysTime', type: TIME_TYPE, data: new Uint8Array(arrivals.buffer) },
    { name: '_seq', type: 'UInt64', data: new Uint8Array(seqs.buffer) },
    { name: '_row', type: 'UInt32', data: new Uint8Array(ordinals.buffer) },
  ];
}

function columnHead(name: string, type: string): Uint8Array {
  const texts = [Buffer.from(name), Buffer.from(type)];
  const head = new Uint8Array(texts.reduce((sum, { length }) => sum + varintWidth(length) + length, 0));
  let at = 0;
  for (const text of texts) {
    at = writeVarint(head, at, text.length);
    head.set(text, at);
    at += text.length;
  }
  return head;
}

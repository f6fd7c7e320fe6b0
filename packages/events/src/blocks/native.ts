import type { Block } from './block.js';
import type { DictionaryHints } from '../columns/dictionary-heuristics.js';
import { varintWidth, writeVarint } from '../columns/varint.js';
import { TIME_TYPE } from '../fields.js';
import { DICTIONARY_ROWS, MERGED_BYTES } from '../limits.js';
import { JoinCost } from './join-cost.js';
import { type JoinedColumn, joinBlocks } from './join.js';
import { mergeBlocks } from './merge.js';

/** A block with its log metadata. */
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

export interface NativeBlocks {
  /** The columns of all blocks together, each with the type it has in most rows. */
  readonly columns: readonly NativeColumn[];
  /** ClickHouse Native blocks, in pieces to be written one after another. */
  readonly chunks: readonly Uint8Array[];
  readonly rows: number;
}

/**
 * ClickHouse Native blocks with the rows of all parts, in order, after the system columns
 * `_sysTime`, `_seq`, `_row`. Adjacent small parts are merged: their values are copied, and
 * dictionaries are chosen again. Large ones are joined: their column bytes are not copied and are
 * written one after another; the engine would take a tenth of the insert time to join them. A block
 * ends at `blockRows` rows, or where joining would take too long. So blocks may differ in their
 * columns, and a column in its type: the reader names the columns it wants, and rows of blocks
 * without a column have no value in it. `habits` are statistics of the dataset's strings from
 * earlier merges.
 *
 * | bytes      | content                                    |
 * |------------|--------------------------------------------|
 * | varint     | number of columns                          |
 * | varint     | number of rows                             |
 * | per column | name, type (each length, bytes), body      |
 */
export function nativeBlocks(
  parts: readonly NativePart[],
  { habits, blockRows = Infinity }: { readonly habits?: DictionaryHints; readonly blockRows?: number } = {},
): NativeBlocks {
  const runs = runsOf(parts.filter(({ block }) => block.rows > 0)).map((run) => mergeRun(run, habits));
  const blocks = blocksOf(runs, blockRows).map(blockOf);
  return {
    columns: columnsOf(blocks),
    chunks: blocks.flatMap(chunksOf),
    rows: blocks.reduce((sum, { rows }) => sum + rows, 0),
  };
}

/** A block as it is written. */
interface WholeBlock {
  readonly rows: number;
  readonly columns: readonly JoinedColumn[];
}

/** Parts, and the block with their rows. */
interface Run {
  readonly parts: readonly NativePart[];
  readonly block: Block;
}

/** Groups the parts: small ones that follow each other, and each large one alone. */
function runsOf(parts: readonly NativePart[]): readonly (readonly NativePart[])[] {
  const runs: NativePart[][] = [];
  let small = false;
  for (const part of parts) {
    const isSmall = part.block.rows < DICTIONARY_ROWS && bytesOf(part.block) < MERGED_BYTES;
    if (small && isSmall) runs.at(-1)!.push(part);
    else runs.push([part]);
    small = isSmall;
  }
  return runs;
}

const bytesOf = ({ columns }: Block): number => columns.reduce((sum, { data }) => sum + data.length, 0);

function mergeRun(parts: readonly NativePart[], habits: DictionaryHints | undefined): Run {
  const blocks = parts.map(({ block }) => block);
  return { parts, block: blocks.length === 1 ? blocks[0]! : mergeBlocks(blocks, habits) };
}

/**
 * Estimated nanoseconds that joining the blocks of an insert may block the event loop. Ordinary
 * inserts take a third of it. The engine joins the remaining blocks in parallel with other work.
 */
const MAX_JOINING = 50_000_000;

/** Groups the runs into those of each block. */
function blocksOf(runs: readonly Run[], blockRows: number): readonly (readonly Run[])[] {
  const blocks: Run[][] = [];
  let rows = 0;
  let cost = new JoinCost();
  let left = MAX_JOINING;
  for (const run of runs) {
    const spent = cost.nanoseconds;
    cost.add(run.block);
    if (blocks.length === 0 || rows >= blockRows || cost.nanoseconds > left) {
      left -= spent;
      cost = new JoinCost();
      cost.add(run.block);
      blocks.push([]);
      rows = 0;
    }
    blocks.at(-1)!.push(run);
    rows += run.block.rows;
  }
  return blocks;
}

function blockOf(runs: readonly Run[]): WholeBlock {
  const rows = runs.reduce((sum, { block }) => sum + block.rows, 0);
  const parts = runs.flatMap((run) => run.parts);
  return { rows, columns: [...systemColumns(parts, rows), ...joinBlocks(runs.map(({ block }) => block))] };
}

function columnsOf(blocks: readonly WholeBlock[]): readonly NativeColumn[] {
  const rows = new Map<string, Map<string, number>>();
  for (const block of blocks) {
    for (const { name, type } of block.columns) {
      const types = rows.get(name);
      if (types === undefined) rows.set(name, new Map([[type, block.rows]]));
      else types.set(type, (types.get(type) ?? 0) + block.rows);
    }
  }
  return [...rows].map(([name, types]) => ({
    name,
    type: [...types].reduce((max, type) => (type[1] > max[1] ? type : max))[0],
  }));
}

function chunksOf({ rows, columns }: WholeBlock): readonly Uint8Array[] {
  const head = new Uint8Array(varintWidth(columns.length) + varintWidth(rows));
  writeVarint(head, writeVarint(head, 0, columns.length), rows);
  return [head, ...columns.flatMap(({ name, type, pieces }) => [columnHead(name, type), ...pieces])];
}

function systemColumns(parts: readonly NativePart[], rows: number): readonly JoinedColumn[] {
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
    { name: '_sysTime', type: TIME_TYPE, pieces: [new Uint8Array(arrivals.buffer)] },
    { name: '_seq', type: 'UInt64', pieces: [new Uint8Array(seqs.buffer)] },
    { name: '_row', type: 'UInt32', pieces: [new Uint8Array(ordinals.buffer)] },
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

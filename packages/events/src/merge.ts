import type { Block, BlockColumn } from './block.js';
import { uninitialised } from './columns/bytes.js';
import { readVarint, varintWidth } from './columns/varint.js';
import { type TextHabit, TextHabits } from './columns/text-habits.js';
import { type Lease, withCore } from './core.js';
import { DICTIONARY_STRING, FIELD_STORAGE, OVERFLOW_COLUMN, TIME_COLUMN, parsePhysicalName } from './fields.js';
import { DICTIONARY_ROWS } from './limits.js';

/**
 * Appends the rows of several blocks into one. Numbers and unique strings are copied as they are. Other strings go through
 * column construction again: many small plain blocks then become one dictionary, which the engine takes in far faster, and
 * dictionaries of several blocks become one, without a second way to build them.
 * @param habits what earlier merges of the dataset showed: which strings are unique
 */
export function mergeBlocks(blocks: readonly Block[], habits = new TextHabits()): Block {
  habits.begin();
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
  const pieces = new Map<string, Piece[]>();
  let firstRow = 0;
  for (const block of blocks) {
    for (const column of block.columns) {
      const piece = { firstRow, rows: block.rows, column };
      const known = pieces.get(column.name);
      if (known === undefined) pieces.set(column.name, [piece]);
      else known.push(piece);
    }
    firstRow += block.rows;
  }
  return { rows, columns: [...pieces].map(([name, parts]) => mergeColumn(name, parts, rows, habits)) };
}

/** A column of one block, and where the block's rows begin in the merged block. */
interface Piece {
  readonly firstRow: number;
  readonly rows: number;
  readonly column: BlockColumn;
}

function mergeColumn(name: string, pieces: readonly Piece[], rows: number, habits: TextHabits): BlockColumn {
  const { type } = pieces[0]!.column;
  if (name === TIME_COLUMN) return { name, type, data: mergeFixed(pieces, rows, 8, false) };
  if (name === OVERFLOW_COLUMN) return { name, type, data: mergeMaps(pieces, rows) };
  switch (parsePhysicalName(name)?.type) {
    case 'integer':
    case 'float':
    case 'datetime':
      return { name, type, data: mergeFixed(pieces, rows, 8, true) };
    case 'boolean':
      return { name, type, data: mergeFixed(pieces, rows, 1, true) };
    case 'string':
      return mergeTexts(name, pieces, rows, habits.of(name));
    case 'array':
    case 'map':
      return mergeTexts(name, pieces, rows, undefined);
    case undefined:
      throw new TypeError(`no block has a column ${name}`);
  }
}

function mergeFixed(pieces: readonly Piece[], rows: number, width: number, nullable: boolean): Uint8Array {
  const map = nullable ? rows : 0;
  const data = new Uint8Array(map + rows * width).fill(1, 0, map);
  for (const { firstRow, rows: own, column } of pieces) {
    const ownMap = nullable ? own : 0;
    data.set(column.data.subarray(0, ownMap), firstRow);
    data.set(column.data.subarray(ownMap), map + firstRow * width);
  }
  return data;
}

/** @param habit given if the column may use a dictionary */
function mergeTexts(name: string, pieces: readonly Piece[], rows: number, habit: TextHabit | undefined): BlockColumn {
  const allPlain = pieces.every(({ column }) => column.type === FIELD_STORAGE.string.type);
  const staysPlain = (): boolean =>
    habit === undefined ||
    rows < DICTIONARY_ROWS ||
    habit.staysPlain(rows) ||
    // When a large plain block was encoded, its values turned out not to repeat: no need to check again.
    pieces.some((piece) => piece.rows >= DICTIONARY_ROWS);
  if (allPlain && staysPlain()) {
    return { name, type: FIELD_STORAGE.string.type, data: mergePlain(pieces, rows) };
  }
  return withCore((lease) => {
    const { core } = lease;
    core.beginMerge(Number(habit !== undefined), Number(habit?.repeats), habit?.nextLook ?? 0);
    for (const piece of pieces) mergePiece(lease, piece);
    const bytes = core.mergedBytes(rows);
    const at = core.room(bytes);
    core.writeMerged(rows, at);
    habit?.set(core.mergedRepeats() !== 0, core.mergedNextLook());
    const type = core.isMergedDictionary() === 0 ? FIELD_STORAGE.string.type : DICTIONARY_STRING;
    return { name, type, data: new Uint8Array(lease.memory.buffer.slice(at, at + bytes)) };
  });
}

function mergePiece(lease: Lease, { firstRow, rows, column: { type, data } }: Piece): void {
  const { core } = lease;
  const at = lease.place(data);
  if (type === DICTIONARY_STRING) core.mergeDictionary(firstRow, rows, at);
  else core.mergePlain(firstRow, rows, at);
}

/** Null maps, then strings: two copies per piece, plus an empty string for each row of a block without the column. */
function mergePlain(pieces: readonly Piece[], rows: number): Uint8Array {
  const missing = rows - pieces.reduce((sum, piece) => sum + piece.rows, 0);
  const texts = pieces.reduce((sum, { column, rows: own }) => sum + column.data.length - own, missing);
  const data = uninitialised(rows + texts);
  data.fill(1, 0, rows);
  let at = rows;
  let filled = 0;
  for (const { firstRow, rows: own, column } of pieces) {
    data.set(column.data.subarray(0, own), firstRow);
    data.fill(0, at, at + firstRow - filled);
    at += firstRow - filled;
    data.set(column.data.subarray(own), at);
    at += column.data.length - own;
    filled = firstRow + own;
  }
  data.fill(0, at);
  return data;
}

/** Ends of rows, then all names, then all values: three copies per piece, with the ends shifted by the preceding entries. */
function mergeMaps(pieces: readonly Piece[], rows: number): Uint8Array {
  const parts = pieces.map(({ firstRow, rows: own, column: { data } }) => {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const entries = own === 0 ? 0 : view.getUint32((own - 1) * 8, true);
    let values = own * 8;
    for (let entry = 0; entry < entries; entry++) {
      const length = readVarint(data, values);
      values += varintWidth(length) + length;
    }
    return { firstRow, own, data, view, entries, values };
  });
  const data = new Uint8Array(parts.reduce((sum, part) => sum + part.data.length - part.own * 8, rows * 8));
  const view = new DataView(data.buffer);
  let before = 0;
  let filled = 0;
  for (const { firstRow, own, view: from, entries } of parts) {
    for (; filled < firstRow; filled++) view.setUint32(filled * 8, before, true);
    for (let row = 0; row < own; row++, filled++) {
      view.setUint32(filled * 8, before + from.getUint32(row * 8, true), true);
    }
    before += entries;
  }
  for (; filled < rows; filled++) view.setUint32(filled * 8, before, true);
  let at = rows * 8;
  const append = (bytes: Uint8Array) => {
    data.set(bytes, at);
    at += bytes.length;
  };
  for (const { data: from, own, values } of parts) append(from.subarray(own * 8, values));
  for (const { data: from, values } of parts) append(from.subarray(values));
  return data;
}

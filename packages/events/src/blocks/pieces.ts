import type { Block, BlockColumn } from './block.js';
import { readVarint, varintWidth } from '../columns/varint.js';
import { type FieldType, OVERFLOW_COLUMN, TIME_COLUMN, parsePhysicalName } from '../fields.js';

/**
 * Concatenates columns of several blocks from pieces of their bodies, without copying or reading
 * values.
 */

/** A column of one block, and where the block's rows begin in the whole. */
export interface Piece {
  readonly firstRow: number;
  readonly rows: number;
  readonly column: BlockColumn;
}

/** The columns of several blocks. */
export class Pieces {
  readonly rows: number;
  readonly #columns = new Map<string, Piece[]>();
  /** Fillers for rows of blocks without a column: null marks, and empty values. */
  #nulls: Uint8Array | undefined;
  #nothing: Uint8Array | undefined;

  constructor(blocks: readonly Block[]) {
    let firstRow = 0;
    for (const { rows, columns } of blocks) {
      for (const column of columns) {
        const piece = { firstRow, rows, column };
        const known = this.#columns.get(column.name);
        if (known === undefined) this.#columns.set(column.name, [piece]);
        else known.push(piece);
      }
      firstRow += rows;
    }
    this.rows = firstRow;
  }

  /**
   * Each column's name, and its pieces in those of the blocks that have it, in the order in which
   * the columns first occur.
   */
  [Symbol.iterator](): Iterator<readonly [string, readonly Piece[]]> {
    return this.#columns.entries();
  }

  /** The Native body of a column without a dictionary in any of its pieces. */
  bodyOf(name: string, pieces: readonly Piece[]): readonly Uint8Array[] {
    if (name === TIME_COLUMN) return pieces.map(({ column }) => column.data);
    if (name === OVERFLOW_COLUMN) return mapsOf(pieces, this.rows);
    const type = parsePhysicalName(name)?.type;
    if (type === undefined) throw new TypeError(`no block has a column ${name}`);
    return this.#nullablesOf(pieces, NOTHING_BYTES[type]);
  }

  /** Null maps, then values. */
  #nullablesOf(pieces: readonly Piece[], nothingBytes: number): readonly Uint8Array[] {
    const { rows } = this;
    const nulls = (missing: number): Uint8Array => (this.#nulls ??= new Uint8Array(rows).fill(1)).subarray(0, missing);
    const nothing = (missing: number): Uint8Array =>
      (this.#nothing ??= new Uint8Array(rows * MAX_NOTHING)).subarray(0, missing * nothingBytes);
    return [
      ...fillGaps(pieces, rows, ({ rows: own, column }) => column.data.subarray(0, own), nulls),
      ...fillGaps(pieces, rows, ({ rows: own, column }) => column.data.subarray(own), nothing),
    ];
  }
}

/** Bytes of a missing value, all of them zero: a number, or an empty string. */
const NOTHING_BYTES: Readonly<Record<FieldType, number>> = {
  integer: 8,
  float: 8,
  datetime: 8,
  boolean: 1,
  string: 1,
  array: 1,
  map: 1,
};

const MAX_NOTHING = Math.max(...Object.values(NOTHING_BYTES));

/** A part of each piece, and fillers for the rows of blocks without the column. */
function fillGaps(
  pieces: readonly Piece[],
  rows: number,
  part: (piece: Piece) => Uint8Array,
  nothing: (rows: number) => Uint8Array,
): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  let behind = 0;
  for (const piece of pieces) {
    if (piece.firstRow > behind) parts.push(nothing(piece.firstRow - behind));
    parts.push(part(piece));
    behind = piece.firstRow + piece.rows;
  }
  if (rows > behind) parts.push(nothing(rows - behind));
  return parts;
}

/** Ends of rows, shifted by the preceding entries, then all names, then all values. */
function mapsOf(pieces: readonly Piece[], rows: number): readonly Uint8Array[] {
  const ends = new DataView(new ArrayBuffer(rows * 8));
  const names: Uint8Array[] = [];
  const values: Uint8Array[] = [];
  let before = 0;
  let filled = 0;
  for (const { firstRow, rows: own, column } of pieces) {
    const { data } = column;
    const from = new DataView(data.buffer, data.byteOffset, data.length);
    for (; filled < firstRow; filled++) ends.setUint32(filled * 8, before, true);
    for (let row = 0; row < own; row++, filled++) {
      ends.setUint32(filled * 8, before + from.getUint32(row * 8, true), true);
    }
    const entries = own === 0 ? 0 : from.getUint32((own - 1) * 8, true);
    const at = placeOfValues(data, own, entries);
    names.push(data.subarray(own * 8, at));
    values.push(data.subarray(at));
    before += entries;
  }
  for (; filled < rows; filled++) ends.setUint32(filled * 8, before, true);
  return [new Uint8Array(ends.buffer), ...names, ...values];
}

/** Where the values begin, which follow the names. */
function placeOfValues(data: Uint8Array, rows: number, entries: number): number {
  let at = rows * 8;
  for (let entry = 0; entry < entries; entry++) {
    const length = readVarint(data, at);
    at += varintWidth(length) + length;
  }
  return at;
}

import type { Block, BlockColumn } from './block.js';
import { readVarint, varintWidth } from '../columns/varint.js';
import { DICTIONARY_STRING, parsePhysicalName } from '../fields.js';

/**
 * Nanoseconds that the parts of {@link joinBlocks} take, measured with texts that no cache holds.
 * All it does otherwise is to hand on bytes where they lie.
 */
const NANOSECONDS = {
  /** A row of one column: its index, or the filler where the column is absent. */
  cell: 1,
  /** Looking up a string in a dictionary. */
  lookup: 300,
  lookupByte: 4,
  /** Copying a string of a dictionary for a row. */
  copy: 15,
  copyByte: 3,
} as const;

/** Join costs of a string column. */
interface Texts {
  /** Rows of the blocks with a dictionary for it, and of those without. */
  rowsWith: number;
  rowsWithout: number;
  /** Nanoseconds to make one dictionary of all, and to make none. */
  lookups: number;
  copies: number;
}

/**
 * How long it would take to join blocks, at most, estimated from sizes and keys: with texts of
 * which most rows have a dictionary and some are long and unique, or where a dictionary holds a
 * long text for a million rows, joining takes seconds and gigabytes.
 */
export class JoinCost {
  #blocks = 0;
  #rows = 0;
  #nanoseconds = 0;
  readonly #names = new Set<string>();
  readonly #texts = new Map<string, Texts>();

  add({ rows, columns }: Block): void {
    this.#blocks++;
    this.#rows += rows;
    for (const column of columns) {
      this.#names.add(column.name);
      if (parsePhysicalName(column.name)?.type === 'string') this.#addTexts(rows, column);
    }
  }

  #addTexts(rows: number, { name, type, data }: BlockColumn): void {
    const texts = this.#texts.get(name) ?? { rowsWith: 0, rowsWithout: 0, lookups: 0, copies: 0 };
    this.#texts.set(name, texts);
    this.#nanoseconds -= nanosecondsOf(texts);
    if (type === DICTIONARY_STRING) {
      const { count, bytes, longest } = keysOf(data);
      texts.rowsWith += rows;
      texts.lookups += lookups(count, bytes);
      texts.copies += rows * (NANOSECONDS.copy + longest * NANOSECONDS.copyByte);
    } else {
      texts.rowsWithout += rows;
      texts.lookups += lookups(rows, data.length);
    }
    this.#nanoseconds += nanosecondsOf(texts);
  }

  get nanoseconds(): number {
    if (this.#blocks < 2) return 0;
    return this.#nanoseconds + this.#rows * this.#names.size * NANOSECONDS.cell;
  }
}

const lookups = (texts: number, bytes: number): number => texts * NANOSECONDS.lookup + bytes * NANOSECONDS.lookupByte;

function nanosecondsOf({ rowsWith, rowsWithout, lookups, copies }: Texts): number {
  if (rowsWith === 0) return 0;
  return hasDictionary(rowsWith, rowsWithout) ? lookups : copies;
}

/** Whether texts have a dictionary when joined: if they have one in most rows. */
export const hasDictionary = (rowsWith: number, rowsWithout: number): boolean => rowsWith > rowsWithout;

/**
 * The keys of a column with a dictionary, whose layout stands in
 * `../assembly/columns/dictionary.ts`.
 */
function keysOf(data: Uint8Array): { readonly count: number; readonly bytes: number; readonly longest: number } {
  const count = new DataView(data.buffer, data.byteOffset, data.length).getUint32(16, true);
  let at = 24;
  let longest = 0;
  for (let key = 0; key < count; key++) {
    const length = readVarint(data, at);
    at += varintWidth(length) + length;
    if (length > longest) longest = length;
  }
  return { count, bytes: at - 24, longest };
}

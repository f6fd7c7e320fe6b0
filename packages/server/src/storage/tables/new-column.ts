import { DICTIONARY_STRING, FIELD_STORAGE, type FieldType } from '@millrace/events';
import type { FieldAndType } from '../fields/fields.js';

/** How the engine stores a column. */
export interface Stored {
  readonly type: string;
  readonly codec: string;
}

/**
 * A column to add for a field, and how to store it. That stays as it is while the table has the
 * column.
 */
export interface NewColumn extends FieldAndType {
  /**
   * Strings only: a dictionary in each part makes strings that repeat small and fast, and those
   * that do not repeat slow.
   */
  readonly dictionary: boolean;
  /** Whether it is compressed for space rather than speed. */
  readonly squeezed: boolean;
}

/** What is known of the values of a field. */
interface Values {
  /** Strings only: whether they repeat. */
  readonly repeat: boolean;
  /** Texts only. */
  readonly short: boolean;
  /** Whether few rows have one. */
  readonly sparse: boolean;
}

const texts: ReadonlySet<FieldType> = new Set(['string', 'array', 'map']);

/**
 * The column that suits the values of a field. Numbers, indexes into a dictionary and short texts
 * are read too often for stronger compression to pay. Zstd makes long texts half as large as LZ4
 * does, and sparse columns too, which are mostly marks of rows without a value.
 */
export function columnFor({ field, type }: FieldAndType, { repeat, short, sparse }: Values): NewColumn {
  const dictionary = type === 'string' && repeat;
  return { field, type, dictionary, squeezed: sparse || (texts.has(type) && !dictionary && !short) };
}

/** The column of a field of whose values nothing is known. */
export const usualColumn = (field: FieldAndType): NewColumn =>
  columnFor(field, { repeat: true, short: false, sparse: false });

/** Types whose values T64 packs: into as many bits as those of a block differ in. */
const packed: ReadonlySet<FieldType> = new Set(['integer', 'datetime']);

/** The codec of parts whose events are old; see `squeezeOld`. */
export const forSpace = 'ZSTD(1)';
/** The codec of its part: LZ4, and `forSpace` once the part is old. */
const usual = 'Default';

/**
 * How the engine is to store a column. T64 alone makes integers and times small enough: LZ4 behind
 * it would take a third of the time of a query that reads them.
 */
export function storedAs({ type, dictionary, squeezed }: NewColumn): Stored {
  const general = squeezed ? forSpace : usual;
  const ofPacked = squeezed ? `T64, ${general}` : 'T64';
  return {
    type: type === 'string' && dictionary ? DICTIONARY_STRING : FIELD_STORAGE[type].type,
    codec: packed.has(type) ? ofPacked : general,
  };
}

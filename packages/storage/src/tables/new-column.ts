import { DICTIONARY_STRING, FIELD_STORAGE, type FieldType } from '@millrace/events';
import type { FieldAndType } from '../fields/fields.js';

/** How the engine stores a column. */
export interface ColumnStorage {
  readonly type: string;
  readonly codec: string;
  /** Bytes that are compressed together, for values that repeat at large distances. */
  readonly compressBytes?: number;
}

/**
 * A column to add for a field, and its storage. That stays the same while the table has the column.
 */
export interface NewColumn extends FieldAndType {
  /**
   * Strings only: a dictionary in each part makes repeating strings small and fast, and others
   * slow.
   */
  readonly dictionary: boolean;
  /** Whether it is compressed for space rather than speed. */
  readonly squeezed: boolean;
}

/** Statistics of the values of a field. */
interface Values {
  /** Strings only: whether they repeat. */
  readonly repeat: boolean;
  /** Strings only: whether they are short. */
  readonly short: boolean;
  /** Whether few rows have one. */
  readonly sparse: boolean;
}

const texts: ReadonlySet<FieldType> = new Set(['string', 'array', 'map']);

/**
 * The column that suits the values of a field. Numbers, dictionary indexes and short strings are
 * read too often for stronger compression to pay off. Zstd makes long strings half as large as LZ4
 * does, and sparse columns too, which consist mostly of null marks.
 */
export function columnFor({ field, type }: FieldAndType, { repeat, short, sparse }: Values): NewColumn {
  const dictionary = type === 'string' && repeat;
  return { field, type, dictionary, squeezed: sparse || (texts.has(type) && !dictionary && !short) };
}

/** The column of a field without known values. */
export const standardColumn = (field: FieldAndType): NewColumn =>
  columnFor(field, { repeat: true, short: false, sparse: false });

/** Types whose values T64 packs: into as many bits as those of a block differ in. */
const packedTypes: ReadonlySet<FieldType> = new Set(['integer', 'datetime']);

/** The codec of parts whose events are old; see `squeezeOld`. */
export const forSpace = 'ZSTD(1)';
/** The codec of its part: LZ4, and `forSpace` once the part is old. */
const standard = 'Default';

/**
 * Storage of a column in the engine. T64 alone makes integers and times small enough: LZ4 after it
 * would take a third of the time of a query that reads them.
 */
export function storedAs({ type, dictionary, squeezed }: NewColumn): ColumnStorage {
  const general = squeezed ? forSpace : standard;
  const ofPacked = squeezed ? `T64, ${general}` : 'T64';
  return {
    type: type === 'string' && dictionary ? DICTIONARY_STRING : FIELD_STORAGE[type].type,
    codec: packedTypes.has(type) ? ofPacked : general,
  };
}

import { DICTIONARY_STRING, FIELD_STORAGE, type FieldType } from '@millrace/events';
import type { FieldAndType } from '../frame.js';

/** How a column of a dataset's table is stored. */

/** A column to add: of a field, for a string whether its values repeat, whether few rows have one, and for texts whether they are short. */
export interface NewColumn extends FieldAndType {
  readonly dictionary?: boolean;
  readonly sparse?: boolean;
  readonly short?: boolean;
}

/** A dictionary a part makes strings that repeat small and fast, and those that do not slow. */
const hasDictionary = ({ type, dictionary = true }: NewColumn): boolean => type === 'string' && dictionary;

/** The engine's type. */
export const columnType = (column: NewColumn): string =>
  hasDictionary(column) ? DICTIONARY_STRING : FIELD_STORAGE[column.type].type;

/** What makes the values of a type compress better. */
const transforms: Partial<Readonly<Record<FieldType, string>>> = { integer: 'T64', datetime: 'Delta' };
const texts: ReadonlySet<FieldType> = new Set(['string', 'array', 'map']);

/**
 * What squeezes, in the tables that are made now: nothing, LZ4 that is, in a part as it is inserted, and ZSTD in all that is merged of it, or written anew.
 * To the engine that is the compression of old rows, and all are old. It would look for such by itself, once for each part, were it allowed any merges for that.
 */
export const squeezedByMerges = {
  codec: 'Default',
  ttl: 'TTL toDateTime(_row >= 0) RECOMPRESS CODEC(ZSTD(1))',
  settings: { max_number_of_merges_with_ttl_in_pool: 0 },
} as const;

/** What squeezes in tables made before: there the codec of a column is the same in all parts. */
export const squeezedAtOnce = 'ZSTD(1)';

/**
 * Numbers, places in a dictionary and short texts are read far more often than they are worth squeezing. Long texts shrink to half of what
 * LZ4 makes of them; so do sparse columns, which are mostly marks of rows without a value. What T64 makes of integers is small enough:
 * LZ4 behind it would take a third of the time of a question that reads them.
 * @param squeeze the codec that squeezes
 */
export function codecOf(column: NewColumn, squeeze: string): string {
  const long = texts.has(column.type) && !hasDictionary(column) && column.short !== true;
  const squeezed = column.sparse === true || long;
  if (column.type === 'integer' && !squeezed) return 'T64';
  const transform = transforms[column.type];
  return `${transform === undefined ? '' : `${transform}, `}${squeezed ? squeeze : 'LZ4'}`;
}

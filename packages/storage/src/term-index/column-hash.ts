import { wordPlaces } from '@millrace/apl';

/** With this number, the common names of fields in logs have distinct hashes. */
const basis = 1_831_541;

/**
 * Hash of a term's column. Several columns may share one. It depends only on the column's name, so
 * that it stays valid when other columns are added or dropped. Term indexes store these numbers.
 */
export const placeOf = (column: string): number => {
  let hash = basis;
  for (let i = 0; i < column.length; i++) hash = Math.imul(hash ^ column.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % OTHER_COLUMNS;
};

/** Number of terms that may move to any column, or are in none. */
export const OTHER_COLUMNS = wordPlaces - 1;

/** Whether terms with these column hashes, a bit each, may all be in a column. */
export const mayOccurIn = (places: readonly number[], column: string): boolean =>
  places.every((bits) => (bits & ((1 << placeOf(column)) | (1 << OTHER_COLUMNS))) !== 0);

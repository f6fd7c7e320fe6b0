import { wordPlaces } from '@millrace/apl';

/** With this number, the common names of fields in logs have numbers of their own. */
const basis = 1_831_541;

/**
 * Where in an event a word is: a number that stands for its column. Several columns may share one.
 * It depends on nothing but the column's name, so that it stays true whatever other columns come
 * and go. Tables of words have these numbers in them.
 */
export const placeOf = (column: string): number => {
  let hash = basis;
  for (let i = 0; i < column.length; i++) hash = Math.imul(hash ^ column.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % elsewhere;
};

/** Where words are that may come into any column, or are in none. */
export const elsewhere = wordPlaces - 1;

/** Whether words with these places, a bit each, may all be in a column. */
export const areIn = (places: readonly number[], column: string): boolean =>
  places.every((bits) => (bits & ((1 << placeOf(column)) | (1 << elsewhere))) !== 0);

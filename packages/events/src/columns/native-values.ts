import type { BlockColumn } from '../block.js';
import { DICTIONARY_STRING } from '../fields.js';
import { forEachNativeText } from './native-text.js';

/** How many rows of a field's column have a value. */
export function valuesIn(column: BlockColumn, rows: number): number {
  let values = 0;
  if (column.type === DICTIONARY_STRING) forEachNativeText(column, rows, () => values++);
  // All other types begin with a byte a row that is 1 where there is none.
  else for (let row = 0; row < rows; row++) values += 1 - column.data[row]!;
  return values;
}

import type { BlockColumn } from '../blocks/block.js';
import { DICTIONARY_STRING } from '../fields.js';

/** How many rows of a field's column have a value. */
export function valuesIn({ type, data }: BlockColumn, rows: number): number {
  let values = 0;
  if (type === DICTIONARY_STRING) {
    // It ends with the key of each row, in one byte or two; key 0 is null.
    const width = 1 << data[8]!;
    for (let at = data.length - rows * width; at < data.length; at += width) {
      if (data[at] !== 0 || (width > 1 && data[at + 1] !== 0)) values++;
    }
    return values;
  }
  // All other types begin with one byte per row, which is 1 where there is no value.
  for (let row = 0; row < rows; row++) values += 1 - data[row]!;
  return values;
}

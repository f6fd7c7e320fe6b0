import { uninitialised } from './bytes.js';
import { type Column, forEachRun } from './column.js';
import type { Dictionary } from './dictionary.js';

/**
 * The Native body of `LowCardinality(Nullable(String))`, all numbers little endian:
 *
 * | bytes      | what                                                                                       |
 * |------------|--------------------------------------------------------------------------------------------|
 * | 8          | version of the keys: 1                                                                     |
 * | 8          | bits 0–7 width of an index (0: 1 byte, 1: 2); bit 9 has keys; bit 10 keys are all new |
 * | 8          | keys, counting null                                                                        |
 * | 1          | key 0: null, written as the empty string                                                   |
 * | …          | the other keys: length, bytes                                                              |
 * | 8          | rows                                                                                       |
 * | rows × 1–2 | index of the key of each row                                                               |
 */
export function nativeDictionary(
  column: Column,
  dictionary: Dictionary,
  entries: Int32Array,
  rows: number,
): Uint8Array {
  const keys = dictionary.entries.content();
  const size = dictionary.size + 1;
  // A dictionary has at most 2¹⁵ entries.
  const width = size <= 0x100 ? 1 : 2;
  const data = uninitialised(24 + 1 + keys.length + 8 + rows * width);
  data.fill(0, 0, 25).fill(0, 25 + keys.length);
  const view = new DataView(data.buffer);
  view.setUint32(0, 1, true);
  view.setUint32(8, (width - 1) | (1 << 9) | (1 << 10), true);
  view.setUint32(16, size, true);
  data.set(keys, 25);
  const at = 25 + keys.length;
  view.setUint32(at, rows, true);
  const first = at + 8;
  forEachRun(column, (row, ordinal, length) => {
    for (let k = 0; k < length; k++) {
      const index = entries[ordinal + k]! + 1;
      const to = first + (row + k) * width;
      if (width === 1) data[to] = index;
      else view.setUint16(to, index, true);
    }
  });
  return data;
}

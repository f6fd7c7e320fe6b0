import type { TextBytes } from './bytes.js';
import type { Column } from './column.js';
import type { Dictionary } from './dictionary.js';
import type { NativeBody } from './native-body.js';

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
): NativeBody {
  const keys = dictionary.entries.content();
  const size = dictionary.size + 1;
  // A dictionary has at most 2¹⁵ entries.
  const width = size <= 0x100 ? 1 : 2;
  const bytes = 24 + 1 + keys.length + 8 + rows * width;
  const write = ({ buffer, view }: TextBytes, start: number): void => {
    const at = start + 25 + keys.length;
    buffer.fill(0, start, start + 25).fill(0, at, start + bytes);
    view.setUint32(start, 1, true);
    view.setUint32(start + 8, (width - 1) | (1 << 9) | (1 << 10), true);
    view.setUint32(start + 16, size, true);
    buffer.set(keys, start + 25);
    view.setUint32(at, rows, true);
    const first = at + 8;
    const { runs } = column;
    for (let run = 0; run < runs.length; run += 2) {
      let entry = runs[run + 1]!;
      const end = entry + column.runLength(run);
      let to = first + runs[run]! * width;
      if (width === 1) while (entry < end) buffer[to++] = entries[entry++]! + 1;
      else for (; entry < end; to += 2) view.setUint16(to, entries[entry++]! + 1, true);
    }
  };
  return { bytes, write };
}

import { type Block, type BlockColumn, FIELD_STORAGE } from '@millrace/events';

/** Smaller blocks are always written without dictionaries; the encoder decides for larger ones. */
const judgedByEncoder = 1000;
/** Minimum values for a decision. */
const minValues = 16;
const maxDistinct = 0.5;
/** Maximum sampled values; more would be more accurate but block the event loop. */
const maxValues = 4096;

/**
 * Whether the strings of a column seem to repeat, judged from small batches. This decides, once,
 * whether the table stores them with a dictionary. With too few values, they count as repeating.
 */
export function isRepeatOf(name: string, batches: readonly { readonly block: Block }[]): boolean {
  const seen = new Set<string>();
  let values = 0;
  for (const { block } of batches) {
    const column = block.columns.find((candidate) => candidate.name === name);
    if (column === undefined || column.type !== FIELD_STORAGE.string.type) continue;
    if (block.rows >= judgedByEncoder) return false;
    for (const value of stringsOf(column, block.rows)) {
      if (values === maxValues) break;
      values++;
      seen.add(value);
    }
  }
  return values < minValues || seen.size <= maxDistinct * values;
}

/**
 * The strings of a Native column of nullable strings: one byte per row that marks nulls, then the
 * length and text of each.
 */
function* stringsOf({ data }: BlockColumn, rows: number): Iterable<string> {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let at = rows;
  for (let row = 0; row < rows; row++) {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = text[at++]!;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (text[row] === 0) yield text.toString('latin1', at, at + length);
    at += length;
  }
}

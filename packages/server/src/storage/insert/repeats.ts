import { type Block, type BlockColumn, FIELD_STORAGE } from '@millrace/events';

/**
 * Blocks with fewer rows than this are written without dictionaries whatever they hold; the encoder
 * decides for larger ones.
 */
const judgedByEncoder = 1000;
/** With fewer values nothing can be said. */
const leastValues = 16;
const mostDistinct = 0.5;
/**
 * More values would tell better; these tell well enough, and reading them does not block the event
 * loop for long.
 */
const mostValues = 4096;

/**
 * Whether the strings of a column seem to repeat, judged from small batches. This decides, once,
 * whether the table keeps them with a dictionary. With too few values to tell, they count as
 * repeating.
 */
export function repeats(name: string, batches: readonly { readonly block: Block }[]): boolean {
  const seen = new Set<string>();
  let values = 0;
  for (const { block } of batches) {
    const column = block.columns.find((candidate) => candidate.name === name);
    if (column === undefined || column.type !== FIELD_STORAGE.string.type) continue;
    if (block.rows >= judgedByEncoder) return false;
    for (const value of stringsOf(column, block.rows)) {
      if (values === mostValues) break;
      values++;
      seen.add(value);
    }
  }
  return values < leastValues || seen.size <= mostDistinct * values;
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

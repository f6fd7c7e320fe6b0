import { releaseAll, take } from './memory';
import { TextColumn } from './columns/text-column';
import { readVarint, varintWidth } from './varint';

/**
 * Merges string columns of several blocks into one, built like that of a body, except that its
 * values come from Native columns.
 */

let column: TextColumn = new TextColumn();

/**
 * Starts a column. `repeats` and `nextLook` are the statistics of its strings: whether they repeat,
 * and the number of values at which to check again.
 */
export function beginMerge(repeats: bool, nextLook: i32): void {
  releaseAll();
  column = new TextColumn();
  column.mayRepeat(repeats, nextLook);
}

/** A column begins that gets no dictionary. */
export function beginPlainMerge(): void {
  releaseAll();
  column = new TextColumn();
}

/** Appends the values of a `Nullable(String)` column whose first row becomes `firstRow`. */
export function mergePlain(firstRow: i32, rows: i32, at: usize): void {
  let text = at + rows;
  for (let row = 0; row < rows; row++) {
    const length = readVarint(text);
    text += varintWidth(length);
    if (load<u8>(at + row) == 0) column.push(firstRow + row, text, length);
    text += length;
  }
}

/**
 * Appends the values of a `LowCardinality(Nullable(String))` column; `Dictionary.writeHead`
 * describes the layout.
 */
export function mergeDictionary(firstRow: i32, rows: i32, at: usize): void {
  const width = (<usize>1) << load<u8>(at, 8);
  const size = load<u32>(at, 16);
  const starts = take((<usize>size) << 2);
  let text = at + 24;
  for (let key: u32 = 0; key < size; key++) {
    store<u32>(starts + ((<usize>key) << 2), <u32>text);
    const length = readVarint(text);
    text += varintWidth(length) + length;
  }
  let index = text + 8;
  for (let row = 0; row < rows; row++, index += width) {
    const key: u32 = width == 1 ? load<u8>(index) : load<u16>(index);
    if (key == 0) continue;
    const entry: usize = load<u32>(starts + ((<usize>key) << 2));
    const length = readVarint(entry);
    column.push(firstRow + row, entry + varintWidth(length), length);
  }
}

/** Bytes of the merged column's Native body. */
export function mergedBytes(rows: i32): usize {
  return column.nativeBytes(rows);
}

/** Writes the merged column's Native body. */
export function writeMerged(rows: i32, to: usize): void {
  column.writeNative(rows, to);
}

/** Whether the merged column is a dictionary; valid after `mergedBytes`. */
export function isMergedDictionary(): bool {
  return column.isDictionary;
}

/** Whether the strings repeat, according to the updated statistics. */
export function mergedRepeats(): bool {
  return column.habitRepeats;
}

export function mergedNextLook(): i32 {
  return column.habitNextLook;
}

import { physicalName } from '../fields.js';
import { floatText } from '../json/quote.js';
import { Arena, GrowingBytes, type TextBytes, copyShort, textBytes } from './bytes.js';
import { forEachRun } from './column.js';
import type { FieldColumn } from './field.js';
import type { FixedColumn } from './fixed.js';
import type { NativeBody } from './native-body.js';
import { writeVarint } from './varint.js';

/**
 * The Native body of `Map(String, String)`: for each row its entries, physical name (`geo.city#s`) → text of the value.
 * Strings stand as they are, arrays and objects as JSON text; the name tells the type, so nothing has to be guessed from the text.
 *
 * | bytes    | what                                                     |
 * |----------|----------------------------------------------------------|
 * | rows × 8 | entries up to and including the row                      |
 * | …        | names of all entries in the order of rows: length, bytes |
 * | …        | values in the same order: length, bytes                  |
 */
export function nativeOverflow(columns: readonly FieldColumn[], rows: number): NativeBody {
  const ends = new Uint32Array(rows + 1);
  for (const { column } of columns) {
    forEachRun(column, (row, _ordinal, length) => {
      for (let k = 0; k < length; k++) ends[row + k + 1]!++;
    });
  }
  for (let row = 0; row < rows; row++) ends[row + 1]! += ends[row]!;
  const total = ends[rows]!;

  const names = new Texts(columns.length);
  for (const { field, type } of columns) names.add(physicalName(field, type));
  // Values are written column by column and then gathered row by row, so each entry remembers where its text stands.
  const texts = new Texts(total);
  const columnOf = new Uint32Array(total);
  const textOf = new Uint32Array(total);
  const next = ends.slice(0, rows);
  let bytes = rows * 8 + 10 * total;
  columns.forEach((use, index) => {
    const first = texts.count;
    addTexts(use, texts);
    bytes += use.column.count * names.length(index);
    forEachRun(use.column, (row, ordinal, length) => {
      for (let k = 0; k < length; k++) {
        const entry = next[row + k]!++;
        columnOf[entry] = index;
        textOf[entry] = first + ordinal + k;
      }
    });
  });

  const target = textBytes(new Uint8Array(bytes + texts.bytes));
  for (let row = 0; row < rows; row++) target.view.setUint32(row * 8, ends[row + 1]!, true);
  let at = rows * 8;
  for (let entry = 0; entry < total; entry++) at = names.write(columnOf[entry]!, target, at);
  for (let entry = 0; entry < total; entry++) at = texts.write(textOf[entry]!, target, at);
  return { bytes: at, write: ({ buffer }, start) => buffer.set(target.buffer.subarray(0, at), start) };
}

/** Many short texts, one behind the other. */
class Texts {
  readonly content = new GrowingBytes(new Arena());
  /** Where each ends, relative to the content. */
  readonly #ends: Uint32Array;
  count = 0;

  /** @param most how many there will be */
  constructor(most: number) {
    this.#ends = new Uint32Array(most);
  }

  get bytes(): number {
    return this.content.end - this.content.start;
  }

  add(text: string): void {
    this.content.pushText(text);
    this.ended();
  }

  /** What was appended to the content since the last one is a text. */
  ended(): void {
    this.#ends[this.count++] = this.bytes;
  }

  length(index: number): number {
    return this.#ends[index]! - this.#start(index);
  }

  /** Writes the length and the bytes of a text; answers the position behind them. */
  write(index: number, to: TextBytes, at: number): number {
    const start = this.#start(index);
    const length = this.#ends[index]! - start;
    const behind = writeVarint(to.buffer, at, length);
    copyShort(this.content, this.content.start + start, to, behind, length);
    return behind + length;
  }

  #start(index: number): number {
    return index === 0 ? 0 : this.#ends[index - 1]!;
  }
}

function addTexts(use: FieldColumn, texts: Texts): void {
  if (use.kind === 'text') {
    use.column.forEachText((_ordinal, bytes, at, length) => {
      texts.content.pushFrom(bytes, at, length);
      texts.ended();
    });
    return;
  }
  const { type, column } = use;
  for (let ordinal = 0; ordinal < column.count; ordinal++) texts.add(fixedText(type, column, ordinal));
}

function fixedText(type: 'integer' | 'boolean' | 'float', column: FixedColumn, ordinal: number): string {
  switch (type) {
    case 'integer':
      return column.integerText(ordinal);
    case 'float':
      return floatText(column.float(ordinal));
    case 'boolean':
      return column.boolean(ordinal) ? 'true' : 'false';
  }
}

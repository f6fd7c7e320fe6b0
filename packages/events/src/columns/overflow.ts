import { physicalName } from '../fields.js';
import { floatText } from '../json/quote.js';
import { Arena, GrowingBytes, copyShort, textBytes } from './bytes.js';
import { forEachRun } from './column.js';
import type { FieldColumn } from './field.js';
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

  const names = columns.map(({ field, type }) => textBytes(Buffer.from(physicalName(field, type))));
  // Values are written column by column and then gathered row by row, so each entry remembers where its text stands.
  const texts = new GrowingBytes(new Arena());
  const places = new Entries(total);
  const next = ends.slice(0, rows);
  let namesLength = 0;
  let textsLength = 0;
  columns.forEach((column, index) => {
    const starts = writeTexts(column, texts);
    namesLength += column.column.count * (names[index]!.buffer.length + 5);
    forEachRun(column.column, (row, ordinal, length) => {
      for (let k = 0; k < length; k++) {
        const entry = next[row + k]!++;
        places.column[entry] = index;
        places.start[entry] = starts[ordinal + k]!;
        places.length[entry] = starts[ordinal + k + 1]! - starts[ordinal + k]!;
      }
    });
  });
  textsLength = texts.end - texts.start + total * 5;

  const data = new Uint8Array(rows * 8 + namesLength + textsLength);
  const target = textBytes(data);
  for (let row = 0; row < rows; row++) target.view.setUint32(row * 8, ends[row + 1]!, true);
  let at = rows * 8;
  for (let entry = 0; entry < total; entry++) {
    const name = names[places.column[entry]!]!;
    const { length } = name.buffer;
    at = writeVarint(data, at, length);
    copyShort(name, 0, target, at, length);
    at += length;
  }
  for (let entry = 0; entry < total; entry++) {
    const length = places.length[entry]!;
    at = writeVarint(data, at, length);
    copyShort(texts, texts.start + places.start[entry]!, target, at, length);
    at += length;
  }
  return { bytes: at, write: ({ buffer }, start) => buffer.set(data.subarray(0, at), start) };
}

/** Where the value of each entry stands. */
class Entries {
  readonly column: Uint32Array;
  readonly start: Uint32Array;
  readonly length: Uint32Array;

  constructor(total: number) {
    this.column = new Uint32Array(total);
    this.start = new Uint32Array(total);
    this.length = new Uint32Array(total);
  }
}

/** Appends the text of every value; answers where each begins, relative to the content, and where the last ends. */
function writeTexts(use: FieldColumn, out: GrowingBytes): readonly number[] {
  const starts = [out.end - out.start];
  const ended = () => starts.push(out.end - out.start);
  if (use.kind === 'fixed') {
    for (let ordinal = 0; ordinal < use.column.count; ordinal++) {
      out.push(Buffer.from(fixedText(use.type, use.column.value(ordinal))));
      ended();
    }
  } else {
    use.column.forEachText((_ordinal, { buffer }, at, length) => {
      out.push(buffer.subarray(at, at + length));
      ended();
    });
  }
  return starts;
}

function fixedText(type: 'integer' | 'boolean' | 'float', value: DataView): string {
  if (type === 'integer') return String(value.getBigInt64(0, true));
  if (type === 'float') return floatText(value.getFloat64(0, true));
  return value.getUint8(0) === 1 ? 'true' : 'false';
}

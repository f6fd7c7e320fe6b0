import { type Arena, GrowingBytes, type TextBytes, copyShort } from './bytes.js';
import { Column, writeNullMap } from './column.js';
import type { NativeBody } from './native-body.js';

/** Values of a fixed width: integers and floats (8 bytes, little endian), booleans (1 byte). */
export class FixedColumn extends Column {
  readonly #values: GrowingBytes;
  readonly #width: number;

  constructor(arena: Arena, width: 1 | 8) {
    super();
    this.#values = new GrowingBytes(arena);
    this.#width = width;
  }

  /** Appends an integer given as the low and high half of its two's complement. */
  pushInteger(row: number, low: number, high: number): void {
    const values = this.#values;
    const at = values.reserve(values.end, 8);
    values.view.setInt32(at, low, true);
    values.view.setInt32(at + 4, high, true);
    values.end = at + 8;
    this.mark(row);
  }

  pushFloat(row: number, value: number): void {
    const values = this.#values;
    const at = values.reserve(values.end, 8);
    values.view.setFloat64(at, value, true);
    values.end = at + 8;
    this.mark(row);
  }

  pushBoolean(row: number, value: boolean): void {
    this.#values.pushByte(value ? 1 : 0);
    this.mark(row);
  }

  get repeats(): boolean {
    return true;
  }

  repeat(row: number): void {
    const values = this.#values;
    const width = this.#width;
    if (width === 1) {
      values.pushByte(values.buffer[values.end - 1]!);
    } else {
      const at = values.reserve(values.end, 8);
      values.view.setInt32(at, values.view.getInt32(at - 8, true), true);
      values.view.setInt32(at + 4, values.view.getInt32(at - 4, true), true);
      values.end = at + 8;
    }
    this.mark(row);
  }

  protected takeBack(): void {
    this.#values.end -= this.#width;
  }

  bytes(): number {
    return this.count * this.#width;
  }

  /** The text of the integer with this ordinal. */
  integerText(ordinal: number): string {
    const { view, start } = this.#values;
    const low = view.getInt32(start + 8 * ordinal, true);
    const high = view.getInt32(start + 8 * ordinal + 4, true);
    return high === low >> 31 ? String(low) : String(view.getBigInt64(start + 8 * ordinal, true));
  }

  /** The float with this ordinal. */
  float(ordinal: number): number {
    return this.#values.view.getFloat64(this.#values.start + 8 * ordinal, true);
  }

  /** The boolean with this ordinal. */
  boolean(ordinal: number): boolean {
    return this.#values.buffer[this.#values.start + ordinal] === 1;
  }

  /** The Native body of `Nullable(Int64 | Float64 | Bool)`: null map, then a value for every row, 0 where there is none. */
  native(rows: number): NativeBody {
    return { bytes: rows + rows * this.#width, write: (to, start) => this.#write(rows, to, start) };
  }

  #write(rows: number, to: TextBytes, start: number): void {
    const width = this.#width;
    const first = start + rows;
    writeNullMap(this, rows, to.buffer, start);
    if (this.count < rows) to.buffer.fill(0, first, first + rows * width);
    const values = this.#values;
    const { runs } = this;
    for (let run = 0; run < runs.length; run += 2) {
      const from = values.start + runs[run + 1]! * width;
      copyShort(values, from, to, first + runs[run]! * width, this.runLength(run) * width);
    }
  }
}

import { Bytes, pushAscii } from '../bytes';
import { Column } from './column';
import { floatText } from '../host';

/** Value types. */
export const INTEGERS: i32 = 0;
export const FLOATS: i32 = 1;
export const BOOLEANS: i32 = 2;

/** Values of a fixed width: integers and floats (8 bytes), booleans (1 byte). */
export class FixedColumn extends Column {
  private readonly kind: i32;
  private readonly width: usize;
  private readonly values: Bytes;

  constructor(kind: i32) {
    super();
    this.kind = kind;
    this.width = kind == BOOLEANS ? 1 : 8;
    this.values = new Bytes(16);
  }

  pushInteger(row: i32, value: i64): void {
    this.values.push64(value);
    this.mark(row, 0);
  }

  pushFloat(row: i32, value: f64): void {
    this.values.push64(reinterpret<i64>(value));
    this.mark(row, 0);
  }

  pushBoolean(row: i32, value: bool): void {
    this.values.push8(value);
    this.mark(row, 0);
  }

  protected takeBack(): void {
    this.values.end -= this.width;
  }

  get bytes(): usize {
    return <usize>this.count * this.width;
  }

  nativeBytes(rows: i32): usize {
    return <usize>rows * (1 + this.width);
  }

  /**
   * `Nullable(Int64 | Float64 | Bool)`: the null map, then a value for every row, 0 where there is
   * none.
   */
  writeNative(rows: i32, to: usize): void {
    const values = this.values;
    const width = this.width;
    const first = to + rows;
    this.writeNulls(rows, to);
    if (this.count < rows) memory.fill(first, 0, <usize>rows * width);
    const runs = this.runCount;
    for (let run = 0; run < runs; run++) {
      const from = values.start + <usize>this.runOrdinal(run) * width;
      memory.copy(first + <usize>this.runRow(run) * width, from, <usize>this.runLength(run) * width);
    }
  }

  writeTexts(texts: Bytes, ends: Bytes): void {
    const values = this.values;
    for (let at = values.start; at < values.end; at += this.width) {
      if (this.kind == INTEGERS) pushInteger(texts, load<i64>(at));
      else if (this.kind == FLOATS) pushFloat(texts, load<f64>(at));
      else pushAscii(texts, load<u8>(at) != 0 ? 'true' : 'false');
      ends.push32(<i32>texts.length);
    }
  }
}

function pushFloat(texts: Bytes, value: f64): void {
  const to = texts.reserve(32);
  texts.end = to + floatText(value, to);
}

/** Appends the digits of an integer. */
function pushInteger(texts: Bytes, value: i64): void {
  let rest: u64 = value < 0 ? 0 - <u64>value : <u64>value;
  let digits: usize = 1;
  for (let over = rest / 10; over > 0; over /= 10) digits++;
  let at = texts.reserve(digits + 1);
  if (value < 0) store<u8>(at++, 0x2d);
  texts.end = at + digits;
  for (let to = at + digits; to > at; rest /= 10) store<u8>(--to, 0x30 + <u8>(rest % 10));
}

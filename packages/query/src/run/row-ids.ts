import { findValues, type ValueSpans } from './columns.js';

/**
 * The row IDs of a page (`cursor.ts`), assembled here and not in SQL: the engine has to plan every
 * function in a statement, and planning is most of its work for a page. So it returns the time as
 * text, and the log position and the row as decimal digits.
 */

const hexDigits = Buffer.from('0123456789abcdef');
const [quote, comma, hyphen, digitZero] = [0x22, 0x2c, 0x2d, 0x30] as const;
const [openBracket, closeBracket] = [0x5b, 0x5d] as const;
const rowsInStep = 1000;
/** Bytes of a row ID with its quotes and the comma after it. */
export const rowIdBytes = 16 + 1 + 16 + 1 + 8 + 3;

/**
 * The row IDs whose parts are the last three columns of a result, as a column like the others; in
 * steps.
 */
export function* formatRowIds(
  columns: readonly { readonly values: Uint8Array }[],
  rows: number,
): Generator<void, Uint8Array> {
  const [time, place, ordinal] = columns.slice(-3);
  const times = yield* findValues(time!.values, rows);
  const positions = yield* findValues(place!.values, rows);
  const ordinals = yield* findValues(ordinal!.values, rows);
  const out = Buffer.allocUnsafeSlow(Math.max(2, rows * rowIdBytes + 1));
  out[0] = openBracket;
  let at = 1;
  for (let row = 0; row < rows; row++) {
    if (row % rowsInStep === 0) yield;
    out[at] = quote;
    const time = instantAt(times, row);
    // The sign bit is inverted, so that ids sort as times do.
    writeHex(time.high ^ 0x80000000, out, at + 1);
    writeHex(time.low, out, at + 9);
    out[at + 17] = hyphen;
    const position = integerAt(positions, row);
    writeHex(position.high, out, at + 18);
    writeHex(position.low, out, at + 26);
    out[at + 34] = hyphen;
    writeHex(integerAt(ordinals, row).low, out, at + 35);
    out[at + 43] = quote;
    out[at + 44] = comma;
    at += rowIdBytes;
  }
  out[out.length - 1] = closeBracket;
  return out;
}

/** An integer of 64 bits, in two halves. */
interface Halves {
  readonly high: number;
  readonly low: number;
}

const billion = 1_000_000_000;

/**
 * `billions * 1e9 + rest` in steps that doubles hold exactly, for results that fit in 64 bits and a
 * `rest` below a billion.
 */
function halvesOf(billions: number, rest: number): Halves {
  const upper = Math.floor(billions / 0x10000);
  const product = upper * billion;
  const high = Math.floor(product / 0x10000);
  const low = (product - high * 0x10000) * 0x10000 + (billions - upper * 0x10000) * billion + rest;
  const carry = Math.floor(low / 0x100000000);
  return { high: high + carry, low: low - carry * 0x100000000 };
}

/**
 * A time as the engine writes it, `"2026-11-01T00:10:00.123456789Z"`, in nanoseconds since the
 * epoch.
 */
function instantAt({ column, bounds }: ValueSpans, row: number): Halves {
  const at = bounds[2 * row]!;
  const part = (from: number, to: number): number => decimal(column, at + from, at + to);
  const milliseconds = Date.UTC(part(1, 5), part(6, 8) - 1, part(9, 11), part(12, 14), part(15, 17), part(18, 20));
  return halvesOf(milliseconds / 1000, part(21, 30));
}

function integerAt({ column, bounds }: ValueSpans, row: number): Halves {
  const [from, to] = [bounds[2 * row]!, bounds[2 * row + 1]!];
  const middle = Math.max(from, to - 9);
  return halvesOf(decimal(column, from, middle), decimal(column, middle, to));
}

/** Parses decimal digits; doubles represent up to fifteen exactly. */
function decimal(text: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + text[i]! - digitZero;
  return value;
}

/** Writes 32 bits as eight digits. */
function writeHex(bits: number, out: Uint8Array, at: number): void {
  for (let i = 7, rest = bits; i >= 0; i--, rest >>>= 4) out[at + i] = hexDigits[rest & 15]!;
}

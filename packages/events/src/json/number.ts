import type { Source } from './source.js';

/** What a JSON number is in storage. */
export type NumberKind = 'integer' | 'float' | 'none';

/** The number read last. Integers keep all 64 bits, in two halves; `none` is a number beyond the range of a double. */
export class NumberValue {
  kind: NumberKind = 'none';
  /** Low and high 32 bits of the two's complement of an integer. */
  low = 0;
  high = 0;
  float = 0;

  /** The integer for arithmetic: a number where that is exact, a bigint otherwise. */
  toExact(): bigint | number {
    const value = this.toFloat();
    return Number.isSafeInteger(value) ? value : (BigInt(this.high) << 32n) | BigInt(this.low >>> 0);
  }

  /** The integer as a double. */
  toFloat(): number {
    return this.high * 4294967296 + (this.low >>> 0);
  }
}

const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Reads the number at `at` (a digit or `-`) into `into`; answers the position behind it, or -1.
 * Without fraction and exponent it is an integer, `-0` included (0); beyond int64 it becomes a float. With either it is a
 * float, correctly rounded, `1.0` included. Beyond double there is no value.
 */
export function readNumber(source: Source, at: number, into: NumberValue): number {
  const { buffer: bytes } = source;
  let i = at;
  let byte = bytes[i]!;
  const negative = byte === 0x2d;
  if (negative) byte = bytes[++i]!;
  const first = i;
  let digits = byte - 0x30;
  if (!(digits >= 0 && digits <= 9)) return source.fail(i, 'a digit');
  if (digits === 0) {
    byte = bytes[++i]!;
    if (byte >= 0x30 && byte <= 0x39) return source.fail(i, 'no digit behind a leading zero');
  } else {
    for (byte = bytes[++i]!; byte >= 0x30 && byte <= 0x39; byte = bytes[++i]!) digits = digits * 10 + (byte - 0x30);
  }
  if (byte === 0x2e || byte === 0x65 || byte === 0x45) return readFloat(source, at, first, i, digits, into);

  const length = i - first;
  if (length <= 9) {
    into.kind = 'integer';
    into.low = negative ? -digits | 0 : digits | 0;
    into.high = into.low >> 31;
  } else if (length <= 15) {
    const value = negative ? -digits : digits;
    into.kind = 'integer';
    into.high = Math.floor(value / 4294967296);
    into.low = (value - into.high * 4294967296) | 0;
  } else {
    const fits = length <= 19 && readLong(bytes, first, i, negative, into);
    if (!fits) setFloat(Number(source.text.toString('latin1', at, i)), into);
  }
  return i;
}

/** Whether the number read last, from `at` to `end`, was written as an integer and is a float because 64 bits do not hold it. */
export function isWideInteger({ buffer }: Source, at: number, end: number, { kind }: NumberValue): boolean {
  if (kind !== 'float' || end - at < 19) return false;
  for (let i = at; i < end; i++) if (buffer[i] === 0x2e || (buffer[i]! | 0x20) === 0x65) return false;
  return true;
}

/** An integer of 16 to 19 digits, whose magnitude fits 64 bits without a sign; false if it is beyond int64. */
function readLong(bytes: Uint8Array, first: number, end: number, negative: boolean, into: NumberValue): boolean {
  const middle = end - 9;
  let upper = 0;
  for (let i = first; i < middle; i++) upper = upper * 10 + (bytes[i]! - 0x30);
  let lower = 0;
  for (let i = middle; i < end; i++) lower = lower * 10 + (bytes[i]! - 0x30);
  // upper × 10⁹ + lower in steps that stay exact in a double: what is above the lowest 16 bits, and these.
  const part = Math.floor(upper / 65536);
  const rest = (upper - part * 65536) * 1e9 + lower;
  const carry = Math.floor(rest / 65536);
  const above = part * 1e9 + carry;
  const high = Math.floor(above / 65536);
  const low = (above - high * 65536) * 65536 + (rest - carry * 65536);
  const smallest = high === 0x80000000 && low === 0;
  if (high >= 0x80000000 && !(negative && smallest)) return false;
  into.kind = 'integer';
  into.low = negative ? -low | 0 : low | 0;
  into.high = (negative ? ~high + (low === 0 ? 1 : 0) : high) | 0;
  return true;
}

function setFloat(value: number, into: NumberValue): void {
  into.float = value;
  into.kind = Number.isFinite(value) ? 'float' : 'none';
}

/** The rest of a number from its `.` or `e` at `dot` on; `whole` are the digits before. */
function readFloat(source: Source, at: number, first: number, dot: number, whole: number, into: NumberValue): number {
  const { buffer: bytes } = source;
  let i = dot;
  let digits = whole;
  let fraction = 0;
  let byte = bytes[i]!;
  if (byte === 0x2e) {
    for (byte = bytes[++i]!; byte >= 0x30 && byte <= 0x39; byte = bytes[++i]!) digits = digits * 10 + (byte - 0x30);
    fraction = i - dot - 1;
    if (fraction === 0) return source.fail(i, 'a digit behind the decimal point');
  }
  const significant = dot - first + fraction;
  let exponent = 0;
  if (byte === 0x65 || byte === 0x45) {
    byte = bytes[++i]!;
    const sign = byte === 0x2d ? -1 : 1;
    if (byte === 0x2d || byte === 0x2b) byte = bytes[++i]!;
    if (!(byte >= 0x30 && byte <= 0x39)) return source.fail(i, 'a digit in the exponent');
    for (; byte >= 0x30 && byte <= 0x39; byte = bytes[++i]!) {
      if (exponent < 10000) exponent = exponent * 10 + (byte - 0x30);
    }
    exponent *= sign;
  }
  const scale = exponent - fraction;
  // Up to 15 digits and powers of ten to 22 are exact as doubles, so one operation rounds correctly.
  if (significant <= 15 && scale >= -22 && scale <= 22) {
    const value = scale < 0 ? digits / POWERS[-scale]! : digits * POWERS[scale]!;
    into.float = bytes[at] === 0x2d ? -value : value;
    into.kind = 'float';
  } else {
    setFloat(Number(source.text.toString('latin1', at, i)), into);
  }
  return i;
}

import { Bytes, pushAscii } from './bytes';
import { FLOAT, INTEGER, isDigit, numberKind, numberPoint } from './number';

/**
 * The one form of a number in an array or object. It keeps all digits: `1.50` is `1.5`, `1.0` and
 * `1e0` are `1`, `-0` is `0`. An integer beyond int64 gets an exponent, because the engine cannot
 * read JSON with one: `18446744073709551616e0`.
 */

/**
 * Numbers with more digits before the decimal point than `MAX_WHOLE` get an exponent, and numbers
 * with at least `MAX_ZEROS` zeros after it.
 */
const MAX_WHOLE: i32 = 21;
const MAX_ZEROS: i32 = 6;
const LARGEST: string = '9223372036854775807';

/** The digits of the number that is being written. */
let digits: Bytes = new Bytes(0);

/** A body begins. */
export function beginNumbers(): void {
  digits = new Bytes(64);
}

/**
 * Whether the number read last, from `at` to `end`, has that form. It may deny it for one that has.
 */
export function isCanonicalNumber(at: usize, end: usize): bool {
  const kind = numberKind();
  const first = at + <usize>(load<u8>(at) == 0x2d);
  if (kind == INTEGER) return first == at || load<u8>(first) != 0x30;
  const point = numberPoint();
  if (kind != FLOAT || point == 0 || load<u8>(end - 1) == 0x30) return false;
  return point - first <= <usize>MAX_WHOLE && (load<u8>(first) != 0x30 || load<u8>(point, 1) != 0x30);
}

/** Appends the number from `at` to `end` in that form. */
export function writeNumber(at: usize, end: usize, out: Bytes): void {
  const negative = load<u8>(at) == 0x2d;
  let i = at + <usize>negative;
  digits.clear();
  /**
   * Number of digits before the decimal point; each zero skipped before the first digit subtracts
   * one.
   */
  let whole: i32 = 0;
  let isFraction = false;
  for (; i < end; i++) {
    const byte: u32 = load<u8>(i);
    if (byte == 0x2e) {
      isFraction = true;
      continue;
    }
    if (!isDigit(byte)) break;
    if (digits.length == 0 && byte == 0x30) {
      if (isFraction) whole--;
      continue;
    }
    digits.push8(<u8>byte);
    if (!isFraction) whole++;
  }
  whole += exponentAt(i, end);
  while (digits.length > 0 && load<u8>(digits.end - 1) == 0x30) digits.end--;
  const count = <i32>digits.length;
  if (count == 0) {
    out.push8(0x30);
    return;
  }
  if (negative) out.push8(0x2d);
  if (whole > MAX_WHOLE || whole <= -MAX_ZEROS) writeExponent(whole - 1, out);
  else if (whole <= 0) {
    pushAscii(out, '0.');
    pushZeros(-whole, out);
    out.push(digits.start, digits.length);
  } else if (count > whole) {
    out.push(digits.start, whole);
    out.push8(0x2e);
    out.push(digits.start + whole, count - whole);
  } else {
    out.push(digits.start, count);
    pushZeros(whole - count, out);
    if (!fitsInt64(whole, negative)) pushAscii(out, 'e0');
  }
}

/** The exponent from its `e` on; 0 if there is none. */
function exponentAt(at: usize, end: usize): i32 {
  if (at >= end) return 0;
  let i = at + 1;
  const negative = load<u8>(i) == 0x2d;
  if (negative || load<u8>(i) == 0x2b) i++;
  let exponent = 0;
  for (; i < end; i++) if (exponent < 1000000) exponent = exponent * 10 + load<u8>(i) - 0x30;
  return negative ? -exponent : exponent;
}

function writeExponent(exponent: i32, out: Bytes): void {
  out.push8(load<u8>(digits.start));
  if (digits.length > 1) {
    out.push8(0x2e);
    out.push(digits.start + 1, digits.length - 1);
  }
  out.push8(0x65);
  pushAscii(out, exponent.toString());
}

function pushZeros(count: i32, out: Bytes): void {
  for (let k = 0; k < count; k++) out.push8(0x30);
}

/** Whether the digits, followed by zeros up to `whole` digits, fit 64 bits. */
function fitsInt64(whole: i32, negative: bool): bool {
  if (whole != LARGEST.length) return whole < LARGEST.length;
  const count = <i32>digits.length;
  for (let k = 0; k < whole; k++) {
    const digit: i32 = k < count ? load<u8>(digits.start + k) : 0x30;
    const max: i32 = LARGEST.charCodeAt(k) + <i32>(negative && k == whole - 1);
    if (digit != max) return digit < max;
  }
  return true;
}

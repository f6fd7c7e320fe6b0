import { float as hostFloat } from './host';
import { fail } from './source';

/** How a JSON number is stored; `NONE` is one beyond the range of a double, or none at all. */
export const NONE: i32 = 0;
export const INTEGER: i32 = 1;
export const FLOAT: i32 = 2;
/** An integer of 64 unsigned bits that does not fit signed ones; its float is rounded. */
export const UNSIGNED: i32 = 3;

/** The number read last. */
let kind: i32 = NONE;
let integer: i64 = 0;
let float: f64 = 0;
/** Its decimal point; 0 if it has none, or has an exponent. */
let point: usize = 0;

export function numberKind(): i32 {
  return kind;
}

export function numberInteger(): i64 {
  return integer;
}

export function numberPoint(): usize {
  return point;
}

export function numberFloat(): f64 {
  return float;
}

const POWERS: StaticArray<f64> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
];
/** How many digits always fit a signed 64-bit integer. */
const SHORT: usize = 18;
const MAX_EXACT: i64 = 1 << 53;
/** How many digits always fit an unsigned one. */
const LONG: usize = 19;
/** 10^19. */
const LARGEST_POWER: u64 = 10000000000000000000;
/** The largest power of ten that leaves room for doubling the remainder in 64 bits. */
const MAX_DECIMALS: i32 = 18;
const POWERS_OF_TEN: StaticArray<u64> = [
  1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
  10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
];

export function isDigit(byte: u32): bool {
  return byte - 0x30 <= 9;
}

/** Whether a number begins with this byte. `N` and `I` begin `NaN` and `Infinity`. */
export function beginsNumber(byte: u32): bool {
  return byte == 0x2d || isDigit(byte) || byte == 0x4e || byte == 0x49;
}

/**
 * Parses the number at `at`; returns the address after it, or 0. Without fraction and exponent it
 * is an integer, including `-0` (which is 0); beyond int64 it becomes a float, and `UNSIGNED` up to
 * 64 bits. With either it is a float, correctly rounded, including `1.0`. Beyond the range of a
 * double it has no value, like `NaN`, `Infinity` and `-Infinity`: they are not JSON, but Python
 * writes them by default.
 */
export function readNumber(at: usize): usize {
  let i = at;
  let byte: u32 = load<u8>(i);
  const negative = byte == 0x2d;
  if (negative) byte = load<u8>(++i);
  const first = i;
  if (!isDigit(byte)) return readName(i, negative);
  let digits: u64 = byte - 0x30;
  byte = load<u8>(++i);
  if (digits == 0) {
    if (isDigit(byte)) return fail(i, 'no digit behind a leading zero');
  } else {
    for (; isDigit(byte); byte = load<u8>(++i)) digits = digits * 10 + (byte - 0x30);
  }
  if (byte == 0x2e || byte == 0x65 || byte == 0x45) return readFloat(at, first, i, digits);
  const length = i - first;
  // 19 digits still fit 64 unsigned bits.
  const largest = <u64>i64.MAX_VALUE + <u64>negative;
  if (length <= SHORT || (length == SHORT + 1 && digits <= largest)) {
    kind = INTEGER;
    integer = negative ? -(<i64>digits) : <i64>digits;
  } else {
    point = 0;
    setFloat(hostFloat(at, i - at));
    if (!negative && isUnsigned(length, load<u8>(first), digits)) kind = UNSIGNED;
  }
  return i;
}

/** Whether an integer beyond int64 fits 64 unsigned bits. `digits` wraps around beyond them. */
function isUnsigned(length: usize, leading: u32, digits: u64): bool {
  return length == LONG || (length == LONG + 1 && leading == 0x31 && digits >= LARGEST_POWER);
}

/** Parses the name of a special number, after its sign. */
function readName(at: usize, negative: bool): usize {
  kind = NONE;
  if (isWord(at, 'Infinity')) return at + 8;
  if (!negative && isWord(at, 'NaN')) return at + 3;
  return fail(at, negative ? 'a digit' : 'a value');
}

function isWord(at: usize, word: string): bool {
  for (let k = 0, length = word.length; k < length; k++) if (load<u8>(at + k) != word.charCodeAt(k)) return false;
  return true;
}

function setFloat(value: f64): void {
  float = value;
  kind = isFinite(value) ? FLOAT : NONE;
}

/**
 * Reads the rest of a number from its `.` or `e` at `dot`; `whole` is the value of the digits
 * before it.
 */
function readFloat(at: usize, first: usize, dot: usize, whole: u64): usize {
  let i = dot;
  let digits = whole;
  let fraction: usize = 0;
  let byte: u32 = load<u8>(i);
  if (byte == 0x2e) {
    for (byte = load<u8>(++i); isDigit(byte); byte = load<u8>(++i)) digits = digits * 10 + (byte - 0x30);
    fraction = i - dot - 1;
    if (fraction == 0) return fail(i, 'a digit behind the decimal point');
  }
  const significant = dot - first + fraction;
  let exponent = 0;
  point = dot;
  if (byte == 0x65 || byte == 0x45) {
    point = 0;
    byte = load<u8>(++i);
    const negative = byte == 0x2d;
    if (negative || byte == 0x2b) byte = load<u8>(++i);
    if (!isDigit(byte)) return fail(i, 'a digit in the exponent');
    for (; isDigit(byte); byte = load<u8>(++i)) if (exponent < 10000) exponent = exponent * 10 + (byte - 0x30);
    if (negative) exponent = -exponent;
  }
  const scale = exponent - <i32>fraction;
  // Digits up to 2^53 and powers of ten to 22 are exact as doubles, so one operation rounds
  // correctly.
  if (significant <= SHORT && <i64>digits <= MAX_EXACT && scale >= -22 && scale <= 22) {
    const exact = <f64>digits;
    const value = scale < 0 ? exact / POWERS[-scale] : exact * POWERS[scale];
    kind = FLOAT;
    float = load<u8>(at) == 0x2d ? -value : value;
  } else if (significant <= LONG && scale < 0 && scale >= -MAX_DECIMALS && exponent == 0) {
    const value = quotient(digits, POWERS_OF_TEN[-scale]);
    kind = FLOAT;
    float = load<u8>(at) == 0x2d ? -value : value;
  } else {
    setFloat(hostFloat(at, i - at));
  }
  return i;
}

/** Computed bits of a quotient: 53 result bits, and two for rounding. */
const QUOTIENT_BITS: i32 = 55;

/**
 * The double nearest to `digits` / `power`, ties to even, for the 16 and 17 digits that doubles are
 * often printed with: too many for the exact path above. Divides bit by bit, never using more than
 * 64 bits.
 */
function quotient(digits: u64, power: u64): f64 {
  let bits = digits / power;
  let rest = digits % power;
  let exponent = 0;
  let inexact = false;
  for (; bits >> QUOTIENT_BITS != 0; exponent++) {
    inexact = inexact || (bits & 1) != 0;
    bits >>= 1;
  }
  if (bits == 0 && rest == 0) return 0;
  for (; bits >> (QUOTIENT_BITS - 1) == 0; exponent--) {
    rest <<= 1;
    bits <<= 1;
    if (rest < power) continue;
    rest -= power;
    bits |= 1;
  }
  inexact = inexact || rest != 0;
  const tail = bits & 3;
  let mantissa = bits >> 2;
  if (tail == 3 || (tail == 2 && (inexact || (mantissa & 1) != 0))) mantissa++;
  // With at most 18 decimals, exponents are far from the smallest a double has.
  return <f64>mantissa * reinterpret<f64>((<u64>(1023 + exponent + 2)) << 52);
}

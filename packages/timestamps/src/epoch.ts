import { toNanoseconds } from './calendar.js';

/**
 * Time since 1970 as a number without a unit: its magnitude decides.
 *
 *     |value| <  10¹¹           seconds        to the year 5138
 *     |value| <  10¹⁴           milliseconds   1973-03-03 to 5138
 *     |value| <  10¹⁷           microseconds   1973-03-03 to 5138
 *     otherwise                 nanoseconds    1973-03-03 onwards
 *
 * The thresholds leave no gap after 1973-03-03, when 10¹¹ ms had passed; times nearer to 1970 can
 * only be given in seconds. Anything outside the years 0001–9999 is not a time.
 */
const units = [
  { below: 1e11, nanoseconds: 1e9, digits: 9 },
  { below: 1e14, nanoseconds: 1e6, digits: 6 },
  { below: 1e17, nanoseconds: 1e3, digits: 3 },
  { below: Number.POSITIVE_INFINITY, nanoseconds: 1, digits: 0 },
] as const;

function unitOf(magnitude: bigint | number): (typeof units)[number] {
  return units.find(({ below }) => magnitude < below) ?? units[3];
}

const year1 = -62_135_596_800_000_000_000n;
export const year10000 = 253_402_300_800_000_000_000n;

/**
 * Nanoseconds since the epoch. A float counts with the decimals it is printed with, so that
 * 1700000000.1 is exactly .1 s. Undefined for NaN, infinities and anything out of range.
 */
export function epochToNanoseconds(value: bigint | number): bigint | undefined {
  if (typeof value === 'bigint') return scaleFraction(value, '', false);
  if (!Number.isFinite(value)) return undefined;
  const magnitude = Math.abs(value);
  if (!Number.isSafeInteger(value)) return parseEpoch(String(value));
  const { nanoseconds } = unitOf(magnitude);
  const perSecond = 1e9 / nanoseconds;
  const seconds = Math.floor(value / perSecond);
  const time = toNanoseconds(seconds, (value - seconds * perSecond) * nanoseconds);
  return time >= year1 ? time : undefined;
}

const shortInteger = /^\d{1,15}$/;
const decimal = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Parses an epoch from the number as it was sent (sign, fraction, exponent), so that its digits do
 * not pass through a double.
 */
export function parseEpoch(text: string): bigint | undefined {
  if (shortInteger.test(text)) return epochToNanoseconds(Number(text));
  const match = text.length <= 64 ? decimal.exec(text) : null;
  if (match === null) return undefined;
  let whole = match[2]!;
  let fraction = match[3] ?? '';
  const exponent = Number(match[4] ?? 0);
  if (exponent > 0) {
    const moved = fraction.padEnd(exponent, '0');
    whole += moved.slice(0, exponent);
    fraction = moved.slice(exponent);
  } else if (exponent < 0) {
    const moved = whole.padStart(1 - exponent, '0');
    fraction = moved.slice(exponent) + fraction;
    whole = moved.slice(0, exponent);
  }
  return scaleFraction(BigInt(whole), fraction, match[1] === '-');
}

function scaleFraction(value: bigint, fraction: string, negative: boolean): bigint | undefined {
  const magnitude = value < 0n ? -value : value;
  const { nanoseconds, digits } = unitOf(magnitude);
  const part = BigInt(fraction.slice(0, digits).padEnd(digits, '0'));
  const distance = magnitude * BigInt(nanoseconds) + part;
  const time = negative || value < 0n ? -distance : distance;
  return time >= year1 && time < year10000 ? time : undefined;
}

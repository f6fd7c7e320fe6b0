/**
 * The proleptic Gregorian calendar in UTC, and instants as nanoseconds since 1970-01-01T00:00:00Z.
 */

export const secondsPerDay = 86_400;

const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const;

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days in a month (1–12) of a year. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : daysBeforeMonth[month]! - daysBeforeMonth[month - 1]!;
}

/**
 * Days from 1970-01-01 to a date; negative before it. The year must be 0 or later; month and day
 * must be valid.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  const past = year + 399; // full years before `year`, counted from −400 so that the division never meets a negative
  const leapDays = ((past / 4) | 0) - ((past / 100) | 0) + ((past / 400) | 0);
  const inYear = daysBeforeMonth[month - 1]! + (month > 2 && isLeapYear(year) ? 1 : 0) + day - 1;
  return past * 365 + leapDays + inYear - daysFromMinus400To1970;
}

const daysFromMinus400To1970 = 2369 * 365 + 592 - 23 + 5;

export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The date that lies this many days after 1970-01-01. */
export function civilFromDays(days: number): CivilDate {
  // Years start in March here, so that the leap day is the last day of the year and all months
  // follow one formula.
  const sinceMarch0 = days + 719_468;
  const era = Math.floor(sinceMarch0 / 146_097);
  const dayOfEra = sinceMarch0 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

const words = new Uint32Array(2);
const word64 = new BigInt64Array(words.buffer);
const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const lowWord = littleEndian ? 0 : 1;
const maxFastSeconds = 9_223_372_035; // within ± this many seconds, every count of nanoseconds fits 64 bits

/**
 * Combines seconds since the epoch (a whole number, any sign) and 0–999,999,999 nanoseconds after
 * it into nanoseconds. Assembles 64-bit results from two words: that takes one bigint allocation
 * instead of four.
 */
export function toNanoseconds(seconds: number, nanoseconds: number): bigint {
  if (seconds > maxFastSeconds || seconds < -maxFastSeconds) {
    return BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
  }
  // seconds × 10⁹ in halves that stay exact in a double.
  const high = Math.floor(seconds / 65_536);
  const upper = high * 1e9; // × 2¹⁶
  const upperHigh = Math.floor(upper / 65_536); // × 2³²
  const low = (upper - upperHigh * 65_536) * 65_536 + (seconds - high * 65_536) * 1e9 + nanoseconds;
  const carry = Math.floor(low / 4_294_967_296);
  words[lowWord] = low - carry * 4_294_967_296;
  words[1 - lowWord] = upperHigh + carry;
  return word64[0]!;
}

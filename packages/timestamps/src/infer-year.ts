import { civilFromDays, secondsPerDay } from './calendar.js';

const nanosecondsPerDay = 86_400_000_000_000n;

/**
 * Completes a time without a year: the latest year in which it is at most one day after the
 * reference, because logs are about the past and clocks differ.
 * @param timeIn the time in a given year; undefined if that year has no such day
 */
export function lastBefore(reference: bigint, timeIn: (year: number) => bigint | undefined): bigint | undefined {
  const { year } = civilFromDays(Math.floor(Number(reference / 1_000_000_000n) / secondsPerDay));
  // 29 February may be eight years ago: 1900 was not a leap year.
  for (let candidate = year + 1; candidate >= year - 8; candidate--) {
    const time = timeIn(candidate);
    if (time !== undefined && time <= reference + nanosecondsPerDay) return time;
  }
  return undefined;
}

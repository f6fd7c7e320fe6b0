import { civilFromDays, secondsPerDay } from './calendar.js';

const nanosecondsPerDay = 86_400_000_000_000n;

/**
 * The time in the latest year that puts it at most a day after the reference: clocks differ, and
 * logs are about the past.
 * @param timeIn the time if it is of this year; undefined if the year has no such day
 */
export function lastBefore(reference: bigint, timeIn: (year: number) => bigint | undefined): bigint | undefined {
  const { year } = civilFromDays(Math.floor(Number(reference / 1_000_000_000n) / secondsPerDay));
  // 29 February may be eight years back: 1900 was not a leap year.
  for (let candidate = year + 1; candidate >= year - 8; candidate--) {
    const time = timeIn(candidate);
    if (time !== undefined && time <= reference + nanosecondsPerDay) return time;
  }
  return undefined;
}

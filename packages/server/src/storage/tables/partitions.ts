/**
 * How the rows of a dataset are divided into partitions, so that old ones can be dropped at once. A
 * row lies in the partition of its day if it arrived within a week of its time, in that of its
 * month if within thirteen months, otherwise in that of its year. So events that arrive as they
 * happen are divided by day, and a bulk load of old ones, or a sender with a wrong clock, makes
 * tens of partitions instead of thousands. The key is a number: `20261120`, `20261100` for a month,
 * `20260000` for a year.
 */

const second = 1_000_000_000;
const day = 86_400 * second;
export const week = 7 * day;
export const thirteenMonths = 396 * day;

/** Nanoseconds between the time of an event and its arrival; either may come first. */
const distance = 'abs(toUnixTimestamp64Nano(_sysTime) - toUnixTimestamp64Nano(_time))';

/** What a table is partitioned by. */
export const partitionKey =
  `multiIf(${distance} < ${week}, toYYYYMMDD(_time), ` +
  `${distance} < ${thirteenMonths}, toYYYYMM(_time) * 100, toYear(_time) * 10000)`;

/**
 * A condition that holds for rows of partitions that end before the day, the month or the year of a
 * time, in nanoseconds.
 * @param column that has the name of the partition
 */
export function endedBefore(time: bigint, column = '_partition_id'): string {
  const cut = `fromUnixTimestamp64Nano(${time}, 'UTC')`;
  const key = `toUInt32(${column})`;
  return (
    `${key} < multiIf(${key} % 10000 = 0, toYear(${cut}) * 10000, ` +
    `${key} % 100 = 0, toYYYYMM(${cut}) * 100, toYYYYMMDD(${cut}))`
  );
}

/**
 * The times that rows of a partition can have, nanoseconds since the epoch; the end is exclusive.
 */
export function timesOf(key: number): { readonly start: bigint; readonly end: bigint } {
  const [year, month, dayOfMonth] = [Math.floor(key / 10_000), Math.floor(key / 100) % 100, key % 100];
  const at = (...parts: readonly [number, number, number]): bigint => BigInt(Date.UTC(...parts)) * 1_000_000n;
  if (month === 0) return { start: at(year, 0, 1), end: at(year + 1, 0, 1) };
  if (dayOfMonth === 0) return { start: at(year, month - 1, 1), end: at(year, month, 1) };
  return { start: at(year, month - 1, dayOfMonth), end: at(year, month - 1, dayOfMonth + 1) };
}

/**
 * Partitioning of a dataset's rows, so that old ones can be dropped at once. A row is in the
 * partition of its day if its ingest time is within a week of its event time, in that of its month
 * if within thirteen months, otherwise in that of its year. So current events are partitioned by
 * day, and a bulk load of old ones, or a client with a wrong clock, creates tens of partitions
 * instead of thousands. The key is a number: `20261120`, `20261100` for a month, `20260000` for a
 * year.
 */

const second = 1_000_000_000;
const day = 86_400 * second;
export const week = 7 * day;
export const thirteenMonths = 396 * day;

/** Nanoseconds between event time and ingest time; either may come first. */
const distance = 'abs(toUnixTimestamp64Nano(_sysTime) - toUnixTimestamp64Nano(_time))';

/** Partition key of a table. */
export const partitionKey =
  `multiIf(${distance} < ${week}, toYYYYMMDD(_time), ` +
  `${distance} < ${thirteenMonths}, toYYYYMM(_time) * 100, toYear(_time) * 10000)`;

/**
 * A condition for rows of partitions that end before the day, the month or the year of a time, in
 * nanoseconds.
 * @param column with the name of the partition
 */
export function endedBefore(time: bigint, column = '_partition_id'): string {
  const cut = `fromUnixTimestamp64Nano(${time}, 'UTC')`;
  const key = `toUInt32(${column})`;
  return (
    `${key} < multiIf(${key} % 10000 = 0, toYear(${cut}) * 10000, ` +
    `${key} % 100 = 0, toYYYYMM(${cut}) * 100, toYYYYMMDD(${cut}))`
  );
}

/** A condition for rows of the partitions that the day, the month or the year of a time has. */
export function around(time: bigint): string {
  const cut = `fromUnixTimestamp64Nano(${time}, 'UTC')`;
  const keys = [`toYear(${cut}) * 10000`, `toYYYYMM(${cut}) * 100`, `toYYYYMMDD(${cut})`];
  return `toUInt32(_partition_id) IN (${keys.join(', ')})`;
}

/** The possible event times of a partition, nanoseconds since the epoch; the end is exclusive. */
export function timesOf(key: number): { readonly start: bigint; readonly end: bigint } {
  const [year, month, dayOfMonth] = [Math.floor(key / 10_000), Math.floor(key / 100) % 100, key % 100];
  const at = (...parts: readonly [number, number, number]): bigint => BigInt(Date.UTC(...parts)) * 1_000_000n;
  if (month === 0) return { start: at(year, 0, 1), end: at(year + 1, 0, 1) };
  if (dayOfMonth === 0) return { start: at(year, month - 1, 1), end: at(year, month, 1) };
  return { start: at(year, month - 1, dayOfMonth), end: at(year, month - 1, dayOfMonth + 1) };
}

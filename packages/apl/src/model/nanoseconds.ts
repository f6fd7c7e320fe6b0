/** Nanoseconds in each unit of time. */
export const MICROSECOND = 1_000n;
export const MILLISECOND = 1_000n * MICROSECOND;
export const SECOND = 1_000n * MILLISECOND;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;

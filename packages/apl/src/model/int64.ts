/** Longs, datetimes and timespans are stored in 64 bits. */
export const MIN_LONG = -(2n ** 63n);
export const MAX_LONG = 2n ** 63n - 1n;

/** Whether a number of nanoseconds or an integer is representable. */
export const fitsInt64 = (value: bigint): boolean => value >= MIN_LONG && value <= MAX_LONG;

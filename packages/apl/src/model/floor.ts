/** Division rounded down; the divisor is positive. */
export const floorDivide = (value: bigint, by: bigint): bigint => value / by - (value % by < 0n ? 1n : 0n);

/** The greatest multiple of a positive size that is not above the value. */
export const floorTo = (value: bigint, size: bigint): bigint => floorDivide(value, size) * size;

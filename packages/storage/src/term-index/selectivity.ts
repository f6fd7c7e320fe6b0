import type { TimeSpan } from './time-spans.js';

/** With more separate time spans, reading all events takes no longer. */
const maxStretches = 32;
/**
 * Up to 256 time spans are worth it if they cover at most one sixteenth of the time range. As a
 * condition of a statement, fifty are ten kilobytes.
 */
const [maxOfMany, minSavedOfMany] = [256, 16n] as const;

/** Whether reading only some time spans is cheaper than reading everything. */
export const isSelective = (stretches: readonly TimeSpan[], all: TimeSpan | undefined): boolean =>
  stretches.length <= maxStretches ||
  (stretches.length <= maxOfMany && all !== undefined && lengthOf(stretches) * minSavedOfMany <= lengthOf([all]));

export const lengthOf = (stretches: readonly TimeSpan[]): bigint =>
  stretches.reduce((sum, { start, end }) => sum + end - start + 1n, 0n);

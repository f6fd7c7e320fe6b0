import type { Stretch } from './stretches.js';

/** With more separate stretches, reading all events takes no longer. */
const mostStretches = 32;
/**
 * More of them take less than all events as long as they are a small part of these: all but one in
 * this many. As a condition of a statement they are ten kilobytes for fifty.
 */
const [mostOfMany, leastSavedOfMany] = [256, 16n] as const;

/** Whether to read only some stretches of time takes less than to read all there are. */
export const areWorthReading = (stretches: readonly Stretch[], all: Stretch | undefined): boolean =>
  stretches.length <= mostStretches ||
  (stretches.length <= mostOfMany && all !== undefined && lengthOf(stretches) * leastSavedOfMany <= lengthOf([all]));

export const lengthOf = (stretches: readonly Stretch[]): bigint =>
  stretches.reduce((sum, { start, end }) => sum + end - start + 1n, 0n);

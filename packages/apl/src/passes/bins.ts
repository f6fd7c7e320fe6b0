import { binOverload } from '../functions/bins.js';
import type { Plan } from '../plan/nodes.js';
import { rewritePlan, rewriteScalars } from '../plan/rewrite.js';
import { constant } from '../plan/scalar.js';
import { DAY, HOUR, MINUTE, SECOND } from '../model/nanoseconds.js';

/** Gives `bin_auto` its size, now that the time range is known. */
export const fixBins = (plan: Plan, size: bigint): Plan =>
  rewritePlan(plan, (node) =>
    rewriteScalars(node, (scalar) =>
      scalar.kind === 'call' && scalar.name === 'bin_auto'
        ? {
            ...scalar,
            name: 'bin',
            overload: binOverload,
            args: [...scalar.args.slice(0, 1), constant('timespan', size)],
          }
        : scalar,
    ),
  );

/** Sizes a person would choose. */
const sizes: readonly bigint[] = [
  ...[1n, 5n, 10n, 15n, 30n].map((n) => n * SECOND),
  ...[1n, 5n, 10n, 15n, 30n].map((n) => n * MINUTE),
  ...[1n, 2n, 4n, 6n, 12n].map((n) => n * HOUR),
  ...[1n, 7n, 30n].map((n) => n * DAY),
];

/**
 * The smallest of the usual sizes that cuts the range into at most `maxBuckets`; beyond the
 * largest, whole multiples of it.
 */
export function automaticSize(range: { readonly start: bigint; readonly end: bigint }, maxBuckets: number): bigint {
  const length = range.end > range.start ? range.end - range.start : 0n;
  const limit = BigInt(Math.max(1, Math.floor(maxBuckets)));
  const fits = (size: bigint): boolean => (length + size - 1n) / size <= limit;
  const largest = 30n * DAY;
  return sizes.find(fits) ?? largest * ((length + largest * limit - 1n) / (largest * limit));
}

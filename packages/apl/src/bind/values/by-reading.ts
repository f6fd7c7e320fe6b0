import { call } from '@millrace/sql';
import type { Overload } from '../../functions/define.js';
import { callOf } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { defineOverload } from '../../functions/define.js';

/**
 * Whether a function whose only argument is a mixed field can be called for each type variant
 * separately. The alternative is JSON, which represents datetimes as strings and timespans as
 * numbers and takes longer to write and parse.
 */
export const isByReading = ({ params, rest, returns }: Overload): boolean =>
  params[0]?.type === 'any' && rest === undefined && typeof returns === 'string';

/**
 * Calls the function on the type variant that is set in a row. If none is set, calls it on the last
 * one, which is null.
 */
export function byReading(name: string, overload: Overload, readings: Bound): Scalar {
  const calls = readings.map((reading) => callOf(name, overload, [reading]));
  const last = calls.at(-1)!;
  const parts = readings.slice(0, -1).flatMap((reading, i): readonly Scalar[] => [reading, calls[i]!]);
  return callOf(name, ofPresent(last.type), [...parts, last]);
}

/** `variant, call, variant, call, …, otherwise` */
const ofPresent = (type: Scalar['type']): Overload =>
  defineOverload({
    params: [],
    rest: { name: 'part', type: 'any' },
    returns: type,
    lower: (parts) =>
      call(
        'multiIf',
        ...parts.map(({ sql }, i) => (i % 2 === 0 && i < parts.length - 1 ? call('isNotNull', sql) : sql)),
      ),
  });

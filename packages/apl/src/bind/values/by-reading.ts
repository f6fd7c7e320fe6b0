import { call } from '@millrace/sql';
import type { Overload } from '../../functions/define.js';
import { callOf } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { defineOverload } from '../../functions/define.js';

/**
 * Whether a function whose only argument is a mixed field can be called on each reading separately.
 * As one value the readings would be JSON, in which datetimes are texts and timespans are numbers,
 * and which takes longer to write and to parse again.
 */
export const isByReading = ({ params, rest, returns }: Overload): boolean =>
  params[0]?.type === 'any' && rest === undefined && typeof returns === 'string';

/**
 * Calls the function on the reading that is set in a row. If none is set, it is called on the last
 * one, which is null.
 */
export function byReading(name: string, overload: Overload, readings: Bound): Scalar {
  const calls = readings.map((reading) => callOf(name, overload, [reading]));
  const last = calls.at(-1)!;
  const parts = readings.slice(0, -1).flatMap((reading, i): readonly Scalar[] => [reading, calls[i]!]);
  return callOf(name, ofPresent(last.type), [...parts, last]);
}

/** `reading, call, reading, call, …, otherwise` */
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

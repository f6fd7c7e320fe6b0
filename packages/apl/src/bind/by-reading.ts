import { call } from '@millrace/sql';
import type { Overload } from '../functions/define.js';
import type { Bound, CallScalar, Scalar } from '../plan/scalar.js';

/**
 * Whether a call of a mixed field, and of nothing else, is that of each of its readings: as one value they are JSON, where times are texts and timespans
 * numbers, and which takes longer to write and to read again.
 */
export const isByReading = ({ params, rest, returns }: Overload): boolean =>
  params[0]?.type === 'any' && rest === undefined && typeof returns === 'string';

/** The call of the reading that a row has. Where it has none, that of the last one, which is of null. */
export function byReading(readings: Bound, callOf: (reading: Scalar) => CallScalar): Scalar {
  const calls = readings.map(callOf);
  const last = calls.at(-1)!;
  const parts = readings.slice(0, -1).flatMap((reading, i): readonly Scalar[] => [reading, calls[i]!]);
  return { kind: 'call', type: last.type, name: last.name, overload: ofPresent(last.type), args: [...parts, last] };
}

/** `reading, call, reading, call, …, otherwise` */
const ofPresent = (type: Scalar['type']): Overload => ({
  params: [],
  rest: { name: 'part', type: 'any' },
  returns: type,
  lower: (parts) =>
    call('multiIf', ...parts.map(({ sql }, i) => (i % 2 === 0 && i < parts.length - 1 ? call('isNotNull', sql) : sql))),
});

import { and, call, column, integer, lambda, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { asJson, instant, nanoseconds, nullOf } from '../../lower/values.js';
import { arrayJson } from '../../lower/json/members.js';
import type { ScalarType } from '../../model/types.js';
import { defineOverload, param } from '../define.js';
import type { FunctionRecord, LoweredArgument, Overload } from '../define.js';
import { longLiteral } from '../datetime/calendar.js';
import { HOUR } from '../../model/nanoseconds.js';

/** The longest array; further elements are cut off. */
const MAX_ELEMENTS = 1_048_576n;

/** `[start, start + step, …]` as JSON with `size` elements; null if a bound is null. */
function series(bounds: readonly Expr[], size: Expr, element: (index: Expr) => LoweredArgument): Expr {
  const limited = call('least', call('greatest', call('ifNull', size, integer(0)), integer(0)), integer(MAX_ELEMENTS));
  // The engine refuses constant arrays of more than a million elements, so this one is made
  // non-constant.
  const indexes = call('range', call('toUInt32', call('materialize', limited)));
  const texts = call('arrayMap', lambda(['i'], call('assumeNotNull', asJson(element(column('i'))))), indexes);
  return call('if', and(...bounds.map((bound) => call('isNotNull', bound))), arrayJson(texts), nullOf('array'));
}

/** Over Int64; the distance is computed with 128 bits. */
function integers(start: Expr, stop: Expr, step: Expr, element: (value: Expr) => LoweredArgument): Expr {
  const distance = call('minus', call('toInt128', stop), call('toInt128', start));
  const divisor = call('if', call('equals', step, integer(0)), integer(1), step);
  const steps = call('intDiv', distance, call('toInt128', divisor));
  const none = or(
    call('equals', step, integer(0)),
    call('less', call('multiply', call('sign', distance), call('sign', step)), integer(0)),
  );
  const size = call('if', none, call('toInt128', integer(0)), call('plus', steps, integer(1)));
  return series([start, stop, step], size, (i) =>
    element(call('plus', start, call('multiply', call('toInt64', i), step))),
  );
}

/**
 * A range of reals. Steps such as 0.1 are not exact, so an end that is missed only by a rounding
 * error counts as reached: the error of the quotient is a few units in the last place of the
 * greatest number in it.
 */
function reals(start: Expr, stop: Expr, step: Expr): Expr {
  const quotient = call('divide', call('minus', stop, start), step);
  const size = call('abs', call('divide', call('greatest', call('abs', start), call('abs', stop)), step));
  const near = call('plus', quotient, call('multiply', size, literal(4 * Number.EPSILON)));
  const steps = call('floor', near);
  const count = call('if', call('isFinite', steps), call('plus', steps, literal(1)), literal(0));
  return series([start, stop, step], count, (i) => {
    const element = call('plus', start, call('multiply', i, step));
    const isBeyond = call('greater', call('multiply', call('minus', element, stop), call('sign', step)), integer(0));
    return { type: 'real', sql: call('if', isBeyond, stop, element) };
  });
}

const overload = (
  type: ScalarType,
  stepType: ScalarType,
  lower: (start: Expr, stop: Expr, step: Expr | undefined) => Expr,
): Overload =>
  defineOverload({
    params: [param('start', type), param('stop', type), param('step', stepType, { optional: true })],
    returns: 'array',
    lower: ([start, stop, step]) => lower(start.sql, stop.sql, step?.sql),
  });

/** The range of reals; the `range` operator makes rows from it. */
export const realRange = overload('real', 'real', (start, stop, step = literal(1)) => reals(start, stop, step));

export const rangeRecord: FunctionRecord = {
  name: 'range',
  summary: `An array of the values from start to stop, both included, by step, which is 1 or 1h by default. At most ${MAX_ELEMENTS.toLocaleString('en')} elements.`,
  overloads: [
    overload('long', 'long', (start, stop, step = longLiteral(1n)) =>
      integers(start, stop, step, (sql) => ({ type: 'long', sql })),
    ),
    realRange,
    overload('datetime', 'timespan', (start, stop, step = longLiteral(HOUR)) =>
      integers(nanoseconds(start), nanoseconds(stop), step, (sql) => ({ type: 'datetime', sql: instant(sql) })),
    ),
    overload('timespan', 'timespan', (start, stop, step = longLiteral(HOUR)) =>
      integers(start, stop, step, (sql) => ({ type: 'timespan', sql })),
    ),
  ],
  examples: [
    { apl: 'range(1, 5)', gives: [1, 2, 3, 4, 5] },
    { apl: 'range(5, 0, -2)', gives: [5, 3, 1] },
    { apl: 'range(0, 1, 0.25)', gives: [0, 0.25, 0.5, 0.75, 1] },
    { apl: 'range(0.0, 0.3, 0.1)', gives: [0, 0.1, 0.2, 0.3] },
    { apl: 'array_length(range(1000000.0, 1000001.0, 0.1))', gives: 11 },
    { apl: 'range(0.3, 0.0, -0.1)[3] == 0', gives: true },
    { apl: 'range(0.0, 0.2999, 0.1)', gives: [0, 0.1, 0.2] },
    { apl: 'range(2, 1)', gives: [] },
    { apl: 'range(1, 2, 0)', gives: [] },
    { apl: 'set_has_element(range(0, 100000000), 1048575)', gives: true },
    { apl: 'set_has_element(range(tolong("-9223372036854775808"), tolong("9223372036854775807")), 0)', gives: false },
    {
      apl: 'range(datetime(2024-01-01 22:30), datetime(2024-01-02), 30m)',
      gives: ['2024-01-01T22:30:00Z', '2024-01-01T23:00:00Z', '2024-01-01T23:30:00Z', '2024-01-02T00:00:00Z'],
    },
    { apl: 'range(0s, 2h)', gives: [0, 3_600_000_000_000, 7_200_000_000_000] },
  ],
};

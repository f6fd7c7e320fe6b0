import { call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { LoweredArgument } from '../define.js';

/** The largest power of ten that is a finite Float64. */
const MAX_PRECISION = 308;
/** Up to this many digits scaling does not overflow for any number worth rounding. */
const SAFE_PRECISION = 15;

/**
 * The largest number below a half: adding a half itself would round 0.49999999999999994 up to 1.
 */
const ALMOST_HALF = 0.49999999999999994;

/**
 * Rounds to the nearest integer, ties away from zero, and never to negative zero. The engine's own
 * function rounds ties to even.
 */
const nearest = (x: Expr): Expr =>
  call('plus', call('trunc', call('plus', x, call('multiply', call('sign', x), literal(ALMOST_HALF)))), literal(0));

function roundNumber(x: Expr, precision: LoweredArgument | undefined): Expr {
  if (precision !== undefined && typeof precision.constant !== 'bigint')
    return shareSubexpression(x, (value) => roundedToColumn(value, precision.sql));
  const digits = Math.max(-MAX_PRECISION, Math.min(MAX_PRECISION, Number(precision?.constant ?? 0n)));
  const power = literal(Number(`1e${Math.abs(digits)}`));
  return shareSubexpression(x, (value) => {
    if (digits === 0) return nearest(value);
    if (digits < 0) return call('multiply', nearest(call('divide', value, power)), power);
    const scaled = call('multiply', value, power);
    const result = call('divide', nearest(scaled), power);
    return digits <= SAFE_PRECISION ? result : call('if', call('isFinite', scaled), result, value);
  });
}

function roundedToColumn(value: Expr, digits: Expr): Expr {
  const limit = integer(MAX_PRECISION);
  const power = call('pow', literal(10), call('least', call('abs', digits), limit));
  const scaled = call('multiply', value, power);
  return call(
    'multiIf',
    call('isNull', digits),
    nullOf('real'),
    call('less', digits, integer(0)),
    call('multiply', nearest(call('divide', value, power)), power),
    call('isFinite', scaled),
    call('divide', nearest(scaled), power),
    value,
  );
}

export const roundRecord = defineFunction({
  name: 'round',
  summary:
    'The number rounded to a number of decimals, 0 by default, ties away from zero; negative decimals round to tens, hundreds….',
  params: [param('number', 'real'), param('precision', 'long', { optional: true })],
  returns: 'real',
  lower: ([number, precision]) => roundNumber(number.sql, precision),
  examples: [
    { apl: 'round(123.456, 2)', gives: 123.46, tolerance: 0 },
    { apl: 'round(2.5)', gives: 3 },
    { apl: 'round(-2.5)', gives: -3 },
    { apl: 'round(0.49999999999999994)', gives: 0 },
    { apl: 'round(1250, -2)', gives: 1300 },
    { apl: 'round(1e300, 20)', gives: 1e300, tolerance: 0 },
    { apl: 'round(123.456, toint("1"))', gives: 123.5, tolerance: 0 },
    { apl: 'round(1250, toint("-2"))', gives: 1300 },
    { apl: 'round(0.1 + 0.2, 10)', gives: 0.3, tolerance: 0 },
  ],
});

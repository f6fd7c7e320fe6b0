import { call, column, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { toReadableJson } from '../../lower/json/json-parts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import type { ScalarType } from '../../model/types.js';
import type { LoweredArgument } from '../define.js';
import { param } from '../define.js';
import { holdsArray } from '../json-text.js';
import { numbersOf } from '../array/elements.js';

/**
 * A series is a JSON array of numbers. It is read once, as `Array(Nullable(Float64))`, and written
 * once: whole numbers without decimals, anything but finite numbers as null.
 */

export const seriesParam = (name: string) => param(name, 'array');

/** The common part of all functions that read numbers. */
export const numbersOnly =
  'A text that is a number counts as a number, true as 1 and false as 0. Not-a-number and infinity are null, as in all results.';

/** A missing number. */
export const noNumber: Expr = nullOf('real');

/** JSON text of an array of numbers or booleans. */
export const seriesJson = (values: Expr): Expr => toReadableJson(call('toJSONString', values));

/** `body` over the numbers of a series; null if it is not an array. */
export const ofSeries = (series: LoweredArgument, type: ScalarType, body: (numbers: Expr) => Expr): Expr =>
  shareSubexpression(series.sql, (json) => call('if', holdsArray(json), body(numbersOf(json)), nullOf(type)));

/** `body` over the numbers of two series; null if one is not an array. */
export const ofTwoSeries = (
  [first, second]: readonly [LoweredArgument, LoweredArgument],
  type: ScalarType,
  body: (first: Expr, second: Expr) => Expr,
): Expr =>
  shareSubexpression(first.sql, (a) =>
    shareSubexpression(second.sql, (b) =>
      call('if', call('and', holdsArray(a), holdsArray(b)), body(numbersOf(a), numbersOf(b)), nullOf(type)),
    ),
  );

/** Whether two series are combined up to the end of the shorter or of the longer one. */
export type Extent = 'shorter' | 'longer';

/**
 * `body` over the elements at the same position; with extent `longer` the shorter series is filled
 * up with nulls.
 */
export function pairSeries(a: Expr, b: Expr, extent: Extent, body: (x: Expr, y: Expr) => Expr): Expr {
  const size = call(extent === 'shorter' ? 'least' : 'greatest', call('length', a), call('length', b));
  const seriesSize = (numbers: Expr): Expr => call('arrayResize', numbers, size, noNumber);
  return call('arrayMap', lambda(['x', 'y'], body(column('x'), column('y'))), seriesSize(a), seriesSize(b));
}

/** The sum of `body` over the elements of a series, nulls left out. */
export const sumOf = (numbers: Expr, body: (x: Expr) => Expr): Expr =>
  call('arraySum', lambda(['x'], call('ifNull', body(column('x')), literal(0))), numbers);

/** A real, null instead of infinity or not-a-number. */
export const zeroIfNotFinite = (value: Expr): Expr =>
  shareSubexpression(value, (real) => call('if', call('isFinite', real), real, nullOf('real')));

/** Numbers with 0 for null, as `Array(Float64)`. */
export const withZeros = (numbers: Expr): Expr =>
  call('arrayMap', lambda(['x'], call('toFloat64', call('ifNull', column('x'), literal(0)))), numbers);

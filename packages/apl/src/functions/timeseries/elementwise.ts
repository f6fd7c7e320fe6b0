import { call, column, lambda } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import type { Example, FunctionRecord } from '../define.js';
import { numbersOnly, ofSeries, seriesJson, seriesParam } from './series.js';
import { defineFunction } from '../define.js';

const elementwise = (
  name: string,
  summary: string,
  body: (x: Expr) => Expr,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name: `series_${name}`,
    summary,
    params: [seriesParam('series')],
    returns: 'array',
    lower: ([series]) =>
      ofSeries(series, 'array', (numbers) => seriesJson(call('arrayMap', lambda(['x'], body(column('x'))), numbers))),
    examples,
    differs: { axiom: numbersOnly },
  });

/** The engine's function with the same meaning. */
const engines =
  (name: string) =>
  (x: Expr): Expr =>
    call(name, x);

const sine = (name: string, what: string, examples: readonly Example[]): FunctionRecord =>
  elementwise(name, `The ${what} of every number, an angle in radians.`, engines(name), examples);

const arc = (name: string, what: string, examples: readonly Example[]): FunctionRecord =>
  elementwise(name, `The angle in radians whose ${what} is the number, for every number.`, engines(name), examples);

/** Functions of each number of a series. */
export const functions: readonly FunctionRecord[] = [
  elementwise('abs', 'Every number without its sign.', engines('abs'), [
    { apl: 'series_abs(dynamic([-50, 30.5, null, 0]))', gives: [50, 30.5, null, 0] },
    { apl: 'series_abs(dynamic([]))', gives: [] },
    { apl: 'series_abs(dynamic({"a": 1}).a)', gives: null },
    { apl: 'series_abs(dynamic(["-2", "x", [1]]))', gives: [2, null, null] },
    { apl: 'series_abs(dynamic(["x", [1]]))', gives: [null, null] },
  ]),
  elementwise('sign', '-1, 0 or 1 for every number that is negative, zero or positive.', engines('sign'), [
    { apl: 'series_sign(dynamic([-15, 0, 0.5, null]))', gives: [-1, 0, 1, null] },
  ]),
  elementwise('floor', 'Every number rounded down to a whole number.', engines('floor'), [
    { apl: 'series_floor(dynamic([150.7, -1.5, 3, null]))', gives: [150, -2, 3, null] },
  ]),
  elementwise('ceiling', 'Every number rounded up to a whole number.', engines('ceil'), [
    { apl: 'series_ceiling(dynamic([0.12, -1.5, 3, null]))', gives: [1, -1, 3, null] },
  ]),
  elementwise('exp', 'e to the power of every number.', engines('exp'), [
    { apl: 'series_exp(dynamic([0, 1, null, 1000]))', gives: [1, Math.E, null, null] },
  ]),
  elementwise('log', 'The natural logarithm of every number; null if it is not positive.', engines('log'), [
    { apl: 'series_log(dynamic([1, 10, 0, -1, null]))', gives: [0, Math.LN10, null, null, null] },
  ]),
  sine('sin', 'sine', [{ apl: 'series_sin(dynamic([0, 1.57, null]))', gives: [0, Math.sin(1.57), null] }]),
  sine('cos', 'cosine', [{ apl: 'series_cos(dynamic([0, 3.14, null]))', gives: [1, Math.cos(3.14), null] }]),
  sine('tan', 'tangent', [{ apl: 'series_tan(dynamic([0, 1, null]))', gives: [0, Math.tan(1), null] }]),
  arc('asin', 'sine', [{ apl: 'series_asin(dynamic([0, 1, 2, null]))', gives: [0, Math.PI / 2, null, null] }]),
  arc('acos', 'cosine', [{ apl: 'series_acos(dynamic([1, 0.5, -2, null]))', gives: [0, Math.acos(0.5), null, null] }]),
  arc('atan', 'tangent', [{ apl: 'series_atan(dynamic([0, 20, null]))', gives: [0, Math.atan(20), null] }]),
];

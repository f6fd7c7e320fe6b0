import { call, column, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { arrayJson } from '../../lower/json/members.js';
import { defineFunction, param } from '../define.js';
import type { Example, FunctionRecord } from '../define.js';
import { adjacent, nullText, ofArray } from '../array/elements.js';
import { seriesParam } from './series.js';

/**
 * Elements are compared by their JSON text, which the engine normalizes, so they may be of any
 * type.
 */
const comparison = (name: string, same: boolean, examples: readonly Example[]): FunctionRecord =>
  defineFunction({
    name: `series_${name}`,
    summary: `Whether each element ${same ? 'equals' : 'differs from'} a value, or the element at the same position of another series; null if either is null.`,
    handlesNulls: true,
    params: [seriesParam('series'), param('other', 'any')],
    returns: 'array',
    onceEach: true,
    lower: ([series, other]) =>
      ofArray(series, 'array', (elements) =>
        arrayJson(
          call('arrayMap', lambda(['x', 'y'], verdict(same)), elements, adjacent(call('length', elements), other)),
        ),
      ),
    examples,
  });

const verdict = (same: boolean): Expr =>
  call(
    'multiIf',
    call('or', isNull('x'), isNull('y')),
    nullText,
    call('equals', column('x'), column('y')),
    literal(String(same)),
    literal(String(!same)),
  );

const isNull = (name: string): Expr => call('equals', column(name), nullText);

/** Functions that compare elements for equality. */
export const functions: readonly FunctionRecord[] = [
  comparison('equals', true, [
    { apl: 'series_equals(dynamic([150, 200.0, null, 200]), 200)', gives: [false, true, null, true] },
    { apl: 'series_equals(dynamic([0.5, 2]), 0.5)', gives: [true, false] },
    { apl: 'series_equals(dynamic(["é", "200"]), dynamic(["é", 200]))', gives: [true, false] },
    { apl: 'series_equals(dynamic("x"), 1)', gives: null },
  ]),
  comparison('not_equals', false, [
    { apl: 'series_not_equals(dynamic([1, 2, 3, 4]), dynamic([1, 3, null]))', gives: [false, true, null, null] },
    { apl: 'series_not_equals(dynamic(["a", "b"]), "a")', gives: [false, true] },
  ]),
];

import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { orFalse } from '../../lower/equality.js';
import { ofTexts } from '../../lower/strings/known-texts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { isDynamic } from '../../model/types.js';
import { defineOverload, defineFunction, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { sizeOf } from './elements.js';
import { contentOf, holdsArray, holdsObject, holdsText } from '../json-text.js';

const textCount = (array: Expr): Expr | undefined => ofTexts(array, sizeOf);

/** Functions that test whether a value is an array, and count its elements. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'array_length',
    summary: 'The number of elements; null if the value is not an array.',
    params: [param('array', 'array')],
    returns: 'long',
    lower: ([array]) =>
      textCount(array.sql) ??
      shareSubexpression(array.sql, (json) =>
        call('if', holdsArray(json), call('toInt64', call('JSONLength', json)), nullOf('long')),
      ),
    examples: [
      { apl: 'array_length(dynamic(["a", null, [1, 2]]))', gives: 3 },
      { apl: 'array_length(dynamic([]))', gives: 0 },
      { apl: 'array_length(dynamic({"a": {"b": 1}}).a)', gives: null },
    ],
  }),
  {
    name: 'len',
    summary: 'The number of characters of a text, elements of an array or keys of an object; null for anything else.',
    overloads: [
      defineOverload({
        params: [param('text', 'string')],
        returns: 'long',
        lower: ([text]) => call('lengthUTF8', text.sql),
      }),
      defineOverload({
        params: [param('value', 'dynamic')],
        returns: 'long',
        lower: ([value]) =>
          textCount(value.sql) ??
          shareSubexpression(value.sql, (json) =>
            call(
              'multiIf',
              holdsText(json),
              call('toInt64', call('lengthUTF8', contentOf(json))),
              call('or', holdsArray(json), holdsObject(json)),
              call('toInt64', call('JSONLength', json)),
              nullOf('long'),
            ),
          ),
      }),
    ],
    examples: [
      { apl: 'len("hé😀")', gives: 3 },
      { apl: 'len(dynamic([1, 2, 3]))', gives: 3 },
      { apl: 'len(dynamic(["hé"])[0])', gives: 2 },
      { apl: 'len(dynamic({"a": 1}))', gives: 1 },
      { apl: 'len(5)', gives: null },
    ],
  },
  defineFunction({
    name: 'isarray',
    summary: 'Whether the value is an array; false for null.',
    handlesNulls: true,
    params: [param('value', 'any')],
    returns: 'bool',
    lower: ([value]) => (isDynamic(value.type) ? orFalse(holdsArray(value.sql)) : literal(false)),
    examples: [
      { apl: 'isarray(dynamic([]))', gives: true },
      { apl: 'isarray(dynamic({"a": [1]}))', gives: false },
      { apl: 'isarray(dynamic({"a": [1]}).a)', gives: true },
      { apl: 'isarray("[1]")', gives: false },
      { apl: 'isarray(dynamic(null))', gives: false },
    ],
  }),
];

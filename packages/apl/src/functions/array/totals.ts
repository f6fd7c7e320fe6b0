import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';
import { mapElements, ofArray, presentNumbersOf, textOf } from './elements.js';

/** The texts with a delimiter between them; the engine's own function demands a constant one. */
function joinTexts(texts: Expr, delimiter: LoweredArgument): Expr {
  if (typeof delimiter.constant === 'string') return call('arrayStringConcat', texts, delimiter.sql);
  const before = call('if', call('equals', column('place'), integer(1)), literal(''), column('between'));
  return call(
    'arrayStringConcat',
    call(
      'arrayMap',
      lambda(['text', 'place', 'between'], call('concat', before, column('text'))),
      texts,
      call('arrayEnumerate', texts),
      call('arrayWithConstant', call('length', texts), call('ifNull', delimiter.sql, literal(''))),
    ),
  );
}

const noDelimiter: LoweredArgument = { type: 'string', sql: literal(''), constant: '' };

/** Functions that combine all elements into one value. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'array_sum',
    summary: 'The sum of the numbers in an array; other elements are left out. Null if there are no numbers.',
    params: [param('array', 'array')],
    returns: 'real',
    lower: ([array]) =>
      shareSubexpression(presentNumbersOf(array.sql), (numbers) =>
        call('if', call('empty', numbers), nullOf('real'), call('arraySum', numbers)),
      ),
    examples: [
      { apl: 'array_sum(dynamic([1, 2.5, null, "x", -1]))', gives: 2.5 },
      { apl: 'array_sum(dynamic(["2", true, false]))', gives: 3 },
      { apl: 'array_sum(dynamic([]))', gives: null },
      { apl: 'array_sum(dynamic(["x"]))', gives: null },
      { apl: 'array_sum(dynamic({"a": 1}).a)', gives: null },
    ],
    differs: {
      axiom:
        'Always a real, so sums beyond 2^53 are rounded. A text that is a number counts as a number, true as 1 and false as 0.',
    },
  }),
  defineFunction({
    name: 'strcat_array',
    summary:
      'The texts of the elements one after the other, with the delimiter between them if one is given; a null element counts as empty.',
    params: [param('array', 'array'), param('delimiter', 'string', { optional: true })],
    returns: 'string',
    onceEach: true,
    lower: ([array, delimiter = noDelimiter]) =>
      ofArray(
        array,
        'string',
        (elements) =>
          shareSubexpression(mapElements(elements, 'element', textOf), (texts) => joinTexts(texts, delimiter)),
        [delimiter],
      ),
    examples: [
      { apl: 'strcat_array(dynamic(["a", "é", 3]), "-")', gives: 'a-é-3' },
      { apl: 'strcat_array(dynamic(["a", "b"]))', gives: 'ab' },
      { apl: 'strcat_array(dynamic([1.5, null, true, {"k": [1]}]), ", ")', gives: '1.5, , true, {"k":[1]}' },
      { apl: 'strcat_array(dynamic([1e20, [1e20]]), "-")', gives: '100000000000000000000-[100000000000000000000]' },
      { apl: 'strcat_array(dynamic([]), "-")', gives: '' },
    ],
  }),
];

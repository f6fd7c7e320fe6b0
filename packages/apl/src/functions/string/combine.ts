import { call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { asString, nullOf } from '../../lower/values.js';
import { textOrEmpty } from '../conversion/text.js';
import { defineFunction, defineOverload, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { clamp } from './position.js';

/** How often a text can be repeated; documented. */
const MAX_REPEATS = 1024;
/** Most bytes of a repeated text: more would strain the engine, and it refuses a gigabyte. */
const MAX_REPEATED_BYTES = 16 * 1024 * 1024;

const joinTexts = (texts: readonly Expr[]): Expr => (texts.length === 1 ? texts[0]! : call('concat', ...texts));

export const functions: readonly FunctionRecord[] = [
  {
    name: 'strcat',
    summary: 'The texts of all values one after the other; null counts as empty.',
    handlesNulls: true,
    overloads: [
      defineOverload({
        params: [param('value', 'string')],
        rest: param('more', 'string'),
        returns: 'string',
        lower: (values) => joinTexts(values.map(textOrEmpty)),
        fold: (values) => values.map((value) => value ?? '').join(''),
      }),
      defineOverload({
        params: [param('value', 'any', { asText: true })],
        rest: param('more', 'any', { asText: true }),
        returns: 'string',
        lower: (values) => joinTexts(values.map(textOrEmpty)),
      }),
    ],
    examples: [
      { apl: 'strcat("a", "é", "c")', gives: 'aéc' },
      { apl: 'strcat("n=", 5, " ", true, " ", 1m)', gives: 'n=5 true 1m0s' },
      { apl: 'strcat("a", string(null))', gives: 'a' },
      { apl: 'strcat(dynamic({"k": "v"}).k)', gives: 'v' },
    ],
  },
  defineFunction({
    name: 'strcat_delim',
    summary: 'The texts of all values with a delimiter between them; null counts as empty.',
    handlesNulls: true,
    params: [param('delimiter', 'string'), param('value', 'any', { asText: true })],
    rest: param('more', 'any', { asText: true }),
    returns: 'string',
    lower: ([delimiter, ...values]) => {
      const between = textOrEmpty(delimiter);
      return joinTexts(values.flatMap((value, i) => (i === 0 ? [textOrEmpty(value)] : [between, textOrEmpty(value)])));
    },
    examples: [
      { apl: 'strcat_delim("-", 1, "a", true)', gives: '1-a-true' },
      { apl: 'strcat_delim("", "a", "b")', gives: 'ab' },
      { apl: 'strcat_delim(", ", "a", string(null), "c")', gives: 'a, , c' },
    ],
  }),
  defineFunction({
    name: 'strrep',
    summary: `The text repeated, at most ${MAX_REPEATS} times, with the delimiter between the copies if one is given.`,
    params: [
      param('value', 'any', { asText: true }),
      param('times', 'long'),
      param('delimiter', 'string', { optional: true }),
    ],
    returns: 'string',
    lower: ([value, times, delimiter]) => {
      const count = clamp(times, 0, MAX_REPEATS);
      return shareSubexpression(asString(value), (text) => {
        const size = delimiter === undefined ? text : call('concat', text, delimiter.sql);
        const repeated =
          delimiter === undefined
            ? call('repeat', text, count)
            : // Every copy has the delimiter after it; the last delimiter is cut off.
              call(
                'substring',
                call('repeat', size, count),
                integer(1),
                call('minus', call('multiply', call('length', size), count), call('length', delimiter.sql)),
              );
        const zero = call('equals', count, integer(0));
        const tooLong = call('greater', call('multiply', call('length', size), count), integer(MAX_REPEATED_BYTES));
        return call(
          'multiIf',
          call('isNull', size),
          nullOf('string'),
          zero,
          literal(''),
          tooLong,
          nullOf('string'),
          repeated,
        );
      });
    },
    examples: [
      { apl: 'strrep("ab", 3)', gives: 'ababab' },
      { apl: 'strrep("é", 3, "-")', gives: 'é-é-é' },
      { apl: 'strrep("ab", -1)', gives: '' },
      { apl: 'strlen(strrep("a", 5000))', gives: 1024 },
      { apl: 'strrep("a", 2, string(null))', gives: null },
    ],
    differs: { axiom: `Null if the result would be longer than ${MAX_REPEATED_BYTES / 1024 / 1024} MiB.` },
  }),
];

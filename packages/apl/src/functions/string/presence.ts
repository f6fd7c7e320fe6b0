import { call, literal, not } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { isDynamic } from '../../model/types.js';
import { defineFunction, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument } from '../define.js';
import { commonTypeOf, unifyTypes } from '../unify.js';

/** Whether a value is null, an empty text, or an object without members. */
function isEmpty({ sql, type }: LoweredArgument): Expr {
  if (type !== 'string' && !isDynamic(type)) return call('isNull', sql);
  // Empty objects of events are stored among arrays.
  const isOne =
    type === 'string' ? call('equals', sql, literal('')) : call('in', sql, call('tuple', literal('{}'), literal('""')));
  return call('ifNull', isOne, literal(true));
}

/** The value, with null instead of an empty text. */
function unlessEmpty(value: LoweredArgument): LoweredArgument {
  const { sql, type } = value;
  if (type !== 'string' && type !== 'dynamic') return value;
  const empty = type === 'string' ? '' : '""';
  if (value.constant !== undefined && value.constant !== empty) return value;
  return { type, sql: call('nullIf', sql, literal(empty)) };
}

function test(
  name: string,
  summary: string,
  lower: (value: LoweredArgument) => Expr,
  examples: readonly Example[],
): FunctionRecord {
  return defineFunction({
    name,
    summary,
    handlesNulls: true,
    params: [param('value', 'any')],
    returns: 'bool',
    lower: ([value]) => lower(value),
    examples,
  });
}

export const functions: readonly FunctionRecord[] = [
  test('isempty', 'Whether the value is null, an empty text, or an object without members.', isEmpty, [
    { apl: 'isempty("")', gives: true },
    { apl: 'isempty(string(null))', gives: true },
    { apl: 'isempty(" ")', gives: false },
    { apl: 'isempty(0)', gives: false },
    { apl: 'isempty(dynamic([]))', gives: false },
    { apl: 'isempty(dynamic({}))', gives: true },
  ]),
  {
    ...test(
      'isnotempty',
      'Whether the value is neither null nor an empty text nor an object without members.',
      (value) => not(isEmpty(value)),
      [
        { apl: 'isnotempty("a")', gives: true },
        { apl: 'isnotempty("")', gives: false },
        { apl: 'isnotempty(long(null))', gives: false },
        { apl: 'isnotempty(dynamic([""])[0])', gives: false },
        { apl: 'notempty("a")', gives: true },
      ],
    ),
    aliases: ['notempty'],
  },
  test('isnull', 'Whether the value is null; an empty text is not null.', ({ sql }) => call('isNull', sql), [
    { apl: 'isnull(real(null))', gives: true },
    { apl: 'isnull("")', gives: false },
    { apl: 'isnull(dynamic({"a": null}).a)', gives: true },
  ]),
  {
    ...test(
      'isnotnull',
      'Whether the value is not null; an empty text is not null.',
      ({ sql }) => call('isNotNull', sql),
      [
        { apl: 'isnotnull("")', gives: true },
        { apl: 'isnotnull(dynamic({}).x)', gives: false },
        { apl: 'notnull(1)', gives: true },
      ],
    ),
    aliases: ['notnull'],
  },
  defineFunction({
    name: 'coalesce',
    summary: 'The first value that is neither null nor an empty text; the last value if there is none.',
    handlesNulls: true,
    params: [param('value', 'any')],
    rest: param('more', 'any'),
    returns: commonTypeOf,
    // The last value stays unchanged: if all are empty, the result is empty.
    lower: (values, _, type) =>
      call(
        'coalesce',
        ...unifyTypes(
          values.map((v, i) => (i < values.length - 1 ? unlessEmpty(v) : v)),
          type,
        ),
      ),
    examples: [
      { apl: 'coalesce(long(null), 3, 4)', gives: 3 },
      { apl: 'coalesce("", "b")', gives: 'b' },
      { apl: 'coalesce(string(null), "")', gives: '' },
      { apl: 'coalesce(dynamic(""), 0) + 0', gives: 0 },
      { apl: 'coalesce(long(null), "none")', gives: 'none' },
      { apl: 'coalesce(bool(null), bool(null))', gives: null },
    ],
    differs: { axiom: 'Values of different types are allowed: numbers become real, anything else dynamic.' },
  }),
];

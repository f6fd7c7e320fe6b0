import { call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { jsonOrNullText, withoutNull } from '../../lower/json/members.js';
import { isDynamic } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import { defineFunction, defineOverload, param, composedOf } from '../define.js';
import type { Example, FunctionRecord, LowerContext, LoweredArgument, Overload, ParamType } from '../define.js';
import { inOrder } from '../array/order.js';
import { commonTypeOf, unifyTypes } from '../unify.js';
import { engine, ofNumber } from './elementary.js';

/** Decided by the type alone; for JSON by how the number is written. */
function isInteger({ sql, type }: LoweredArgument): Expr {
  if (type === 'long') return call('isNotNull', sql);
  if (isDynamic(type)) return call('ifNull', call('match', sql, literal('^-?[0-9]+$')), literal(false));
  return literal(false);
}

/**
 * The largest or smallest of several values of one type, nulls left out. Dynamic values are in the
 * order of `array_sort_asc`.
 */
function extreme(name: 'max_of' | 'min_of', summary: string, examples: readonly Example[]): FunctionRecord {
  const choice = name === 'max_of' ? 'greatest' : 'least';
  const overload = (type: ParamType, returns: Overload['returns']): Overload =>
    defineOverload({
      params: [param('first', type), param('second', type)],
      rest: param('more', type),
      returns,
      lower: (args, _, type) => call(choice, ...unifyTypes(args, type)),
    });
  const types: readonly ScalarType[] = ['datetime', 'timespan', 'string', 'bool'];
  const dynamic: Overload = {
    ...overload('dynamic', 'dynamic'),
    lower: (args) => {
      const elements = call('array', ...args.map(jsonOrNullText));
      return withoutNull(call('arrayElement', inOrder(elements, name === 'max_of' ? 'desc' : 'asc'), integer(1)));
    },
  };
  return {
    name,
    summary,
    handlesNulls: true,
    overloads: [overload('number', commonTypeOf), ...types.map((type) => overload(type, type)), dynamic],
    examples,
  };
}

const drawRandom = (name: string, { draw }: LowerContext): Expr => call(name, ...(draw === undefined ? [] : [draw()]));

export const numbers: readonly FunctionRecord[] = [
  ofNumber('isnan', 'Whether the value is not-a-number, such as sqrt(-1).', 'bool', engine('isNaN'), [
    { apl: 'isnan(sqrt(-1))', gives: true },
    { apl: 'isnan(1)', gives: false },
  ]),
  ofNumber('isinf', 'Whether the number is infinite.', 'bool', engine('isInfinite'), [
    { apl: 'isinf(1.0 / 0)', gives: true },
    { apl: 'isinf(-1.0 / 0)', gives: true },
    { apl: 'isinf(1e300)', gives: false },
  ]),
  ofNumber('isfinite', 'Whether the number is neither infinite nor not-a-number.', 'bool', engine('isFinite'), [
    { apl: 'isfinite(1)', gives: true },
    { apl: 'isfinite(1.0 / 0)', gives: false },
    { apl: 'isfinite(sqrt(-1))', gives: false },
  ]),
  defineFunction({
    name: 'isint',
    summary: 'Whether the value is an integer; a real is not one, even without a fraction.',
    handlesNulls: true,
    params: [param('value', 'any')],
    returns: 'bool',
    lower: ([value]) => isInteger(value),
    examples: [
      { apl: 'isint(4)', gives: true },
      { apl: 'isint(4.0)', gives: false },
      { apl: 'isint("4")', gives: false },
      { apl: 'isint(dynamic({"n": -7}).n)', gives: true },
      { apl: 'isint(dynamic({"n": "7"}).n)', gives: false },
      { apl: 'isint(long(null))', gives: false },
    ],
  }),
  extreme(
    'max_of',
    'The largest of the values; nulls do not count. Dynamic ones are in the order of array_sort_asc; next to a value of another type, values of other types count as null.',
    [
      { apl: 'max_of(1, 5, 3)', gives: 5 },
      { apl: 'max_of(1, 2.5)', gives: 2.5 },
      { apl: 'max_of(long(null), -1)', gives: -1 },
      { apl: 'max_of(tolong("x"), tolong("y"))', gives: null },
      { apl: 'max_of(1h, 30m, 90m) == 90m', gives: true },
      { apl: 'max_of(datetime(2024-01-01), datetime(2023-01-01))', gives: '2024-01-01T00:00:00Z' },
      { apl: 'max_of("a", "b")', gives: 'b' },
      { apl: 'max_of(false, true)', gives: true },
      { apl: 'max_of(dynamic([10])[0], dynamic([9])[0])', gives: 10 },
      { apl: 'max_of(dynamic(["a"])[0], dynamic(["b"])[0])', gives: 'b' },
      { apl: 'max_of(dynamic(["2024-01-01"])[0], datetime(2024-02-01))', gives: '2024-02-01T00:00:00Z' },
      { apl: 'max_of(5, dynamic(["x"]))', gives: 5 },
      { apl: 'max_of(dynamic([null])[0], dynamic([null])[0])', gives: null },
    ],
  ),
  extreme(
    'min_of',
    'The smallest of the values; nulls do not count. Dynamic ones are in the order of array_sort_asc; next to a value of another type, values of other types count as null.',
    [
      { apl: 'min_of(3, 1, 2)', gives: 1 },
      { apl: 'min_of(1, 0.5)', gives: 0.5 },
      { apl: 'min_of(real(null), 7)', gives: 7 },
      { apl: 'min_of("b", "a", "ä")', gives: 'a' },
      { apl: 'min_of(datetime(2024-01-02), datetime(2024-01-01))', gives: '2024-01-01T00:00:00Z' },
      { apl: 'min_of(1m, 59s) == 59s', gives: true },
      { apl: 'min_of(true, false)', gives: false },
      { apl: 'min_of(datetime(null), datetime(null)) + 1s', gives: null },
      { apl: 'min_of(dynamic({"a": "b"}).a, dynamic(null), dynamic(["a"])[0])', gives: 'a' },
    ],
  ),
  {
    name: 'rand',
    summary:
      'A random real from 0 up to but not including 1; with an argument, a random integer from 0 up to but not including it. A new one for each row.',
    overloads: [
      defineOverload({
        params: [],
        returns: 'real',
        isRandom: true,
        lower: (_, context) => drawRandom('randCanonical', context),
      }),
      defineOverload({
        params: [param('range', 'long')],
        returns: 'long',
        isRandom: true,
        lower: ([range], context) => {
          const below = call('toUInt64', call('greatest', range.sql, integer(1)));
          const number = call('toInt64', call('modulo', drawRandom('rand64', context), below));
          return call('if', call('greater', range.sql, integer(0)), number, nullOf('long'));
        },
      }),
    ],
    examples: [
      { apl: 'rand() >= 0 and rand() < 1', gives: true },
      { apl: 'rand(1)', gives: 0 },
      { apl: 'rand(10) between (0 .. 9)', gives: true },
      { apl: 'rand(0)', gives: null },
      { apl: 'rand() == rand() or rand(1000000000000) == rand(1000000000000)', gives: false },
    ],
  },
  defineFunction({
    name: 'new_guid',
    summary: 'A random UUID (version 4) as text, a new one for each row.',
    params: [],
    returns: 'string',
    isRandom: true,
    lower: (_, context) => call('toString', drawRandom('generateUUIDv4', context)),
    examples: [
      {
        apl: 'new_guid() matches regex "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"',
        gives: true,
      },
      { apl: 'new_guid() == new_guid()', gives: false },
    ],
    differs: { axiom: 'Not documented.' },
  }),
  composedOf({
    name: 'around',
    summary: 'Whether a value is at most that far from another one.',
    params: [param('value', 'any'), param('center', 'any'), param('distance', 'any')],
    returns: 'bool',
    written: 'value >= center - distance and value <= center + distance',
    examples: [
      { apl: 'around(4, 5, 1)', gives: true },
      { apl: 'around(4.5, 6, 1)', gives: false },
      { apl: 'around(datetime(2024-01-01 00:05), datetime(2024-01-01), 5m)', gives: true },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
];

import { and, call, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { negate, orFalse } from '../../lower/equality.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { wordsIn } from '../../lower/strings/words.js';
import { wordsOfNeedle } from '../../plan/required-words.js';
import { defineFunction, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument, Param } from '../define.js';
import { hasTerm } from './text.js';

/**
 * Membership in lists and ranges. Negated forms are true where the value is null, like `!=`. The
 * binder spreads constant arrays into the list and handles queries and non-constant arrays
 * differently (see `conditions/membership.ts`).
 */

/** An item of a list: lists can be long, and their integers need no `toInt64`. */
const listElements = ({ type, constant, sql }: LoweredArgument): Expr =>
  type === 'long' && typeof constant === 'bigint' ? literal(constant) : sql;

const within = ([value, ...items]: Operands): Expr => call('in', value.sql, call('tuple', ...items.map(listElements)));

const terms =
  (join: (...tests: readonly Expr[]) => Expr, exactCase: boolean) =>
  ([text, ...needles]: Operands): Expr =>
    shareSubexpression(text.sql, (sql) => join(...needles.map((needle) => hasTerm(sql, needle, exactCase))));

/** The searched value, and a list. */
type Operands = readonly [LoweredArgument, ...LoweredArgument[]];
interface Shape {
  readonly params: readonly [Param];
  readonly rest: Param;
}
const list: Shape = { params: [param('value', 'any')], rest: param('item', 'any') };
const needles: Shape = { params: [param('text', 'string')], rest: param('term', 'string') };

const record = (
  name: string,
  summary: string,
  shape: Shape,
  test: (args: Operands) => Expr,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary,
    handlesNulls: true,
    wants: (args) => {
      const wanted = wordsOfNeedle(args, (text) => wordsIn(text, { first: true, last: true }));
      return wanted !== undefined && name.startsWith('has_all') ? { ...wanted, sets: [wanted.sets.flat()] } : wanted;
    },
    ...shape,
    returns: 'bool',
    lower: (args) => (name.startsWith('!') ? negate(test(args)) : orFalse(test(args))),
    examples,
  });

/** Operators that the binder composes from others. */
const composedRecord = (name: string, summary: string, examples: readonly Example[]): FunctionRecord => ({
  name,
  summary,
  handlesNulls: true,
  overloads: [],
  examples,
});

export const sets: readonly FunctionRecord[] = [
  record('in', 'Whether the value is in a list, a dynamic array or the first column of a query.', list, within, [
    { apl: '2 in (1, 2.0, "x")', gives: true },
    { apl: '"a" in ("A", "b")', gives: false },
    { apl: '3 in (dynamic([1, [2, 3]]))', gives: true },
    { apl: '1234567890123456789 in (dynamic([{"[": "}"}, 1234567890123456789]))', gives: true },
    { apl: 'dynamic({"a": [1, {}]}) in (dynamic(["}", {"a": [1, {}]}]))', gives: true },
    { apl: 'toint("2") in (toint("1"), toint("2"))', gives: true },
    { apl: 'string(null) in ("a")', gives: false },
    { apl: '2 in ((range x from 1 to 3 step 1))', gives: true },
  ]),
  composedRecord('!in', 'Whether the value is not in a list.', [
    { apl: '2 !in (1, 2)', gives: false },
    { apl: 'string(null) !in ("a")', gives: true },
  ]),
  composedRecord('in~', 'Whether a text is in a list, ignoring case.', [
    { apl: '"Ä" in~ ("ä", "b")', gives: true },
    { apl: '"c" in~ ("ä", "b")', gives: false },
    { apl: '"οδοσ" in~ ("ΟΔΟΣ", "b")', gives: true },
  ]),
  composedRecord('!in~', 'Whether a text is not in a list, ignoring case.', [
    { apl: '"Ä" !in~ ("ä", "b")', gives: false },
  ]),
  record('has_any', 'Whether a text has at least one of several terms, ignoring case.', needles, terms(or, false), [
    { apl: '"disk full on node-7" has_any ("cpu", "NODE")', gives: true },
    { apl: '"diskfull" has_any ("disk", "full")', gives: false },
    { apl: '"b a" has_any (dynamic(["x", "a"]))', gives: true },
  ]),
  record('has_any_cs', 'Whether a text has at least one of several terms, case-sensitive.', needles, terms(or, true), [
    { apl: '"disk full on Node-7" has_any_cs ("NODE", "cpu")', gives: false },
    { apl: '"disk full on Node-7" has_any_cs ("Node", "cpu")', gives: true },
  ]),
  record('has_all', 'Whether a text has all of several terms, ignoring case.', needles, terms(and, false), [
    { apl: '"disk full on node-7" has_all ("FULL", "node")', gives: true },
    { apl: '"disk full on node-7" has_all ("full", "cpu")', gives: false },
  ]),
  composedRecord(
    'between',
    'Whether the value is in a range, both ends included; a timespan after a datetime is the length of the range.',
    [
      { apl: '2 between (1 .. 2)', gives: true },
      { apl: 'datetime(2024-01-02) between (datetime(2024-01-01) .. datetime(2024-01-03))', gives: true },
      { apl: 'datetime(2024-01-02) between (datetime(2024-01-01) .. 1d)', gives: true },
      { apl: 'datetime(2024-01-02) between (datetime(2024-01-01) .. 23h)', gives: false },
      { apl: 'long(null) between (1 .. 2)', gives: null },
    ],
  ),
  composedRecord('!between', 'Whether the value is not in a range.', [
    { apl: '3 !between (1 .. 2)', gives: true },
    { apl: 'long(null) !between (1 .. 2)', gives: true },
  ]),
];

import { expect, it } from 'vitest';
import { call, column, item, literal, select } from './build.js';
import type { Query, Select, Source } from './nodes.js';
import { isConstantQuery } from './is-constant-query.js';

const of = (from: Source, more: Partial<Select> = {}): Query =>
  select({ columns: [item(call('count'))], from, ...more });
const table: Source = { kind: 'table', name: 't' };
const none = of(table, { where: literal(false) });
const some = of(table, { where: column('x') });
const from = (query: Query): Source => ({ kind: 'subquery', query });
const joinQueries = (left: Query, right: Query): Query =>
  of({ kind: 'join', join: 'inner', strictness: 'all', left: from(left), right: from(right), on: column('x') });

it.each<readonly [string, Query, boolean]>([
  ['no rows', none, true],
  ['rows', some, false],
  ['all rows', of(table), false],
  ['a subquery', of(from(none), { having: column('y'), limit: 1 }), true],
  ['a subquery with rows', of(from(some), { where: literal(false) }), false],
  ['a union', of(from({ kind: 'unionAll', queries: [none, of(from(none))] })), true],
  ['a union with rows', { kind: 'unionAll', queries: [none, some] }, false],
  ['a join', joinQueries(none, none), true],
  ['a join with rows', joinQueries(none, some), false],
  ['rows of a function', of({ kind: 'function', name: 'numbers', args: [] }), false],
  [
    'rows in an expression',
    of(table, {
      where: literal(false),
      columns: [item(call('plus', call('count'), { kind: 'scalarSubquery', query: some }))],
    }),
    false,
  ],
  ['no table', select({ columns: [item(literal(1n))] }), true],
])('knows of %s', (_, query, nothing) => {
  expect(isConstantQuery(query)).toBe(nothing);
});

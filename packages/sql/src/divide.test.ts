import { expect, it } from 'vitest';
import { call, column, integer, item, literal, select } from './build.js';
import { type DividedQuery, divideQuery } from './divide.js';
import type { Query, Select, Source } from './nodes.js';
import { printQuery } from './print.js';
import { printedParts } from './printed-parts.js';

/** Tables whose name begins with a are at 1, all others at 2. */
const placeOf = (table: string): number => (table.startsWith('a') ? 1 : 2);
const from = (name: string): Source => ({ kind: 'table', database: 'db', name });
const read = (name: string, ...columns: readonly string[]): Select =>
  select({ columns: columns.map((each) => item(column(each), each)), from: from(name) });
const union = (...queries: readonly Query[]): Query => ({ kind: 'unionAll', queries });
const over = (query: Query, ...columns: readonly string[]): Select =>
  select({ columns: columns.map((each) => item(column(each))), from: { kind: 'subquery', query } });

/** The statements of a divided query, each with its place and its name. */
function statements({ query, place, moved }: DividedQuery, name = ''): readonly string[] {
  return [`${name}@${place} ${printQuery(query)}`, ...moved.flatMap((part) => statements(part, part.name))];
}
const divide = (query: Query, preferred = 1): readonly string[] => statements(divideQuery(query, placeOf, preferred));

it('members of a union at one place move together', () => {
  const query = over(union(read('a1', 'x'), read('b1', 'x'), read('a2', 'x'), read('b2', 'x')), 'x');
  expect(divide(query)).toEqual([
    '@1 SELECT `x` FROM ((SELECT `x` AS `x` FROM `db`.`a1`) UNION ALL (SELECT `x` AS `x` FROM `db`.`a2`) UNION ALL (SELECT * FROM `moved1`))',
    'moved1@2 (SELECT `x` AS `x` FROM `db`.`b1`) UNION ALL (SELECT `x` AS `x` FROM `db`.`b2`)',
  ]);
  expect(divide(query, 2)[1]).toMatch(/^moved1@1 .*`a1`.*`a2`/);
});

it('the sides of a join move without the columns that nothing reads', () => {
  const join: Source = {
    kind: 'join',
    join: 'inner',
    strictness: 'all',
    left: { kind: 'subquery', query: read('a1', 'k', 'x'), alias: 'l' },
    right: {
      kind: 'subquery',
      query: { ...read('b1', 'k2', 'y'), columns: [...read('b1', 'k2', 'y').columns, item(column('stored'), 'z')] },
      alias: 'r',
    },
    on: call('equals', column('k'), column('k2')),
  };
  const query = select({ columns: [item(column('x')), item(column('y'))], from: join });
  expect(divide(query)).toEqual([
    '@1 SELECT `x`, `y` FROM (SELECT `k` AS `k`, `x` AS `x` FROM `db`.`a1`) AS `l` INNER JOIN (SELECT * FROM `moved1`) AS `r` ON equals(`k`, `k2`)',
    'moved1@2 SELECT `k2` AS `k2`, `y` AS `y` FROM `db`.`b1`',
  ]);
});

it('a select from a table runs where the table is, and what its conditions read moves there', () => {
  const inner: Select = {
    ...read('b1', 'y'),
    where: { kind: 'inSubquery', needle: column('y'), query: read('a2', 'z') },
  };
  const query: Select = {
    ...read('a1', 'x'),
    where: call('and', { kind: 'inSubquery', needle: column('x'), query: inner }, literal(true)),
  };
  const expected = [
    '@1 SELECT `x` AS `x` FROM `db`.`a1` WHERE and((`x` IN (SELECT * FROM `moved1`)), true)',
    'moved1@2 SELECT `y` AS `y` FROM `db`.`b1` WHERE (`y` IN (SELECT * FROM `moved2`))',
    'moved2@1 SELECT `z` AS `z` FROM `db`.`a2`',
  ];
  expect(divide(query, 2)).toEqual(expected);
  // Also when a thread has compiled it.
  expect(divide(printedParts(query), 2)).toEqual(expected);
});

it('queries that are values move', () => {
  const count = (name: string): Select => select({ columns: [item(call('count'))], from: from(name) });
  const sum = call(
    'plus',
    { kind: 'scalarSubquery', query: count('a1') },
    { kind: 'scalarSubquery', query: count('b1') },
  );
  expect(divide(select({ columns: [item(sum)] }))).toEqual([
    '@1 SELECT plus((SELECT count() FROM `db`.`a1`), (SELECT * FROM `moved1`))',
    'moved1@2 SELECT count() FROM `db`.`b1`',
  ]);
});

it('a query over one place stays as it is', () => {
  const query = { ...over(read('b1', 'x'), 'x'), limit: 3, orderBy: [] };
  expect(divideQuery(query, placeOf, 1)).toEqual({ query, place: 2, moved: [] });
  const constant = select({ columns: [item(integer(1))] });
  expect(divideQuery(constant, placeOf, 1)).toEqual({ query: constant, place: 1, moved: [] });
});

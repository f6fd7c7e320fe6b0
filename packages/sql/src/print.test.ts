import { describe, expect, it } from 'vitest';
import {
  and,
  call,
  cast,
  column,
  descendingKey,
  integer,
  item,
  lambda,
  literal,
  or,
  parametric,
  printExpr,
  printedParts,
  printQuery,
  quoteIdentifier,
  quoteString,
  select,
} from './index.js';
import type { Expr, Query } from './index.js';

const cases: readonly (readonly [string, Expr, string])[] = [
  ['a column', column('geo.city#s'), '`geo.city#s`'],
  ['an integer', integer(-3), '-3'],
  ['a float that looks whole', literal(3), '3.0'],
  ['a tiny float', literal(1e-7), '1e-7'],
  ['not a number', literal(Number.NaN), 'nan'],
  ['null', literal(null), 'NULL'],
  ['a call', call('equals', column('a'), literal('x')), "equals(`a`, 'x')"],
  ['a parametric aggregate', parametric('quantile', [literal(0.5)], column('a')), 'quantile(0.5)(`a`)'],
  ['a lambda', call('arrayMap', lambda(['x'], column('x')), column('a')), 'arrayMap((`x`) -> `x`, `a`)'],
  ['a cast', cast(column('a'), 'Nullable(Int64)'), "CAST(`a`, 'Nullable(Int64)')"],
  ['no conjuncts', and(), 'true'],
  ['one disjunct', or(column('a')), '`a`'],
  [
    'a window',
    {
      kind: 'call',
      name: 'sum',
      args: [column('a')],
      over: { orderBy: [descendingKey(column('t'))], rows: { to: 0 } },
    },
    'sum(`a`) OVER (ORDER BY `t` DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)',
  ],
];

describe('printExpr', () => {
  it.each(cases)('%s', (_, expr, text) => expect(printExpr(expr)).toBe(text));

  it('refuses a function name that is not a name', () =>
    expect(() => printExpr(call('sleep(3)--'))).toThrow('not a function name'));
});

describe('quoting', () => {
  it('keeps hostile text inside its quotes', () => {
    expect(quoteString("a'; DROP TABLE t --\\")).toBe("'a\\'; DROP TABLE t --\\\\'");
    expect(quoteIdentifier('a`b\\')).toBe('`a\\`b\\\\`');
    expect(quoteString('\0\n')).toBe("'\\0\\n'");
  });
});

const orderedQuery = select({
  columns: [item(call('count'), 'n'), item(column('k'))],
  from: { kind: 'table', database: 'events', name: 'd1' },
  where: call('greater', column('a'), integer(1)),
  groupBy: [column('k')],
  having: call('greater', call('count'), integer(2)),
  orderBy: [descendingKey(column('n'))],
  limitBy: { limit: 1, by: [column('k')] },
  limit: 10,
  settings: { max_threads: 2 },
});
const unionQuery: Query = {
  kind: 'unionAll',
  queries: [
    select({
      columns: [{ expr: { kind: 'star' } }],
      from: { kind: 'function', name: 'numbers', args: [integer(3)] },
    }),
    select({
      columns: [item(column('a'))],
      from: {
        kind: 'join',
        join: 'left',
        strictness: 'semi',
        left: { kind: 'table', name: 't', alias: 'l' },
        right: { kind: 'table', name: 'u', alias: 'r' },
        on: call('equals', column('a'), column('b')),
      },
    }),
  ],
};
const nestedQuery = select({
  columns: [item(lambda(['x'], column('x')))],
  from: { kind: 'subquery', query: orderedQuery, alias: 's' },
  arrayJoin: [item(column('list'), 'each')],
  prewhere: { kind: 'inSubquery', needle: column('a'), query: unionQuery },
  groupingSets: [[column('a'), column('b')], []],
});

describe('printQuery', () => {
  it('prints the clauses in order', () =>
    expect(printQuery(orderedQuery)).toBe(
      'SELECT count() AS `n`, `k` FROM `events`.`d1` WHERE greater(`a`, 1) GROUP BY `k` HAVING greater(count(), 2) ' +
        'ORDER BY `n` DESC NULLS LAST LIMIT 1 BY `k` LIMIT 10 SETTINGS max_threads = 2',
    ));

  it('prints joins and unions', () =>
    expect(printQuery(unionQuery)).toBe(
      '(SELECT * FROM numbers(3)) UNION ALL (SELECT `a` FROM `t` AS `l` SEMI LEFT JOIN `u` AS `r` ON equals(`a`, `b`))',
    ));

  it.each([
    ['clauses', orderedQuery],
    ['joins and unions', unionQuery],
    ['queries in queries', nestedQuery],
  ])('prints the same once the parts are printed: %s', (_, query: Query) => {
    const parts = printedParts(query);
    expect(printQuery(parts)).toBe(printQuery(query));
    const kinds = JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
    expect(kinds).not.toMatch(/"kind":"(column|call|literal|lambda|star)"/);
  });
});

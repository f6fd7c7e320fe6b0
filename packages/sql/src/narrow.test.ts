import { describe, expect, it } from 'vitest';
import { and, call, column, item, literal, or, select } from './build.js';
import { narrowQuery, tablesWithWords } from './narrow.js';
import type { Call, Expr, Query, Source } from './nodes.js';
import { printQuery } from './print.js';

const table = (name: string, words?: readonly (readonly string[])[]): Source => ({
  kind: 'table',
  name,
  ...(words !== undefined && { words }),
});
const from = (source: Source, more: object = {}): Query =>
  select({ columns: [item(column('x'))], from: source, ...more });
const at = literal('at');

it('adds a condition to the selects from tables with words, wherever they are', () => {
  const where = { where: column('w') };
  const query = from({
    kind: 'subquery',
    query: {
      kind: 'unionAll',
      queries: [
        from(table('a', [['x']]), where),
        from(table('b'), where),
        from(table('c', [['y']]), { prewhere: column('p'), ...where }),
        from({
          kind: 'join',
          join: 'inner',
          strictness: 'all',
          left: { kind: 'subquery', query: from(table('d', [['z']])) },
          right: table('e', [['z']]),
          on: column('o'),
        }),
      ],
    },
  });
  expect(tablesWithWords(query).map(({ name }) => name)).toEqual(['a', 'c', 'd']);
  const text = printQuery(
    narrowQuery(query, ({ name, words }) => ({
      condition: call('near', literal(`${name} ${words[0]![0]}`), at),
      mayHave: () => true,
    })),
  );
  expect(text).toContain("FROM `a` WHERE and(near('a x', 'at'), `w`)");
  expect(text).toContain('FROM `b` WHERE `w`');
  expect(text).toContain("FROM `c` PREWHERE and(near('c y', 'at'), `p`) WHERE `w`");
  expect(text).toContain("FROM `d` WHERE near('d z', 'at')");
});

it('leaves a query as it is where there is nothing to add', () => {
  const query = from({ kind: 'subquery', query: from(table('a', [['x']])) });
  expect(narrowQuery(query, () => undefined)).toBe(query);
});

describe('tests for words', () => {
  const wants = (name: string, column: string, without: false | ''): Call => ({
    ...call(name, { kind: 'column', name: column }),
    wants: { column, words: ['x'], without },
  });
  const text = (where: Expr, has: readonly string[]): string =>
    printQuery(
      narrowQuery(from(table('t', [['x']]), { where }), () => ({
        condition: column('near'),
        mayHave: (name, words) => words[0] === 'x' && has.includes(name),
      })),
    ).replace('SELECT `x` FROM `t` WHERE ', '');
  const line = literal('\n');
  const lines = call('concat', wants('l', 'a', ''), line, wants('l', 'b', ''), line, wants('l', 'c', ''));
  const any = call('bitOr', call('bitOr', wants('f', 'a', false), wants('f', 'b', false)), wants('f', 'c', false));
  const all = and(any, or(wants('g', 'b', false), call('match', lines, literal('re'))), call('h', column('c')));

  it.each<readonly [readonly string[], string]>([
    [
      ['a', 'b', 'c'],
      "and(`near`, and(bitOr(bitOr(f(`a`), f(`b`)), f(`c`)), or(g(`b`), match(concat(l(`a`), '\\n', l(`b`), '\\n', l(`c`)), 're')), h(`c`)))",
    ],
    [['c'], "and(`near`, and(f(`c`), match(concat('\\n\\n', l(`c`)), 're'), h(`c`)))"],
    [['a'], "and(`near`, and(f(`a`), match(concat(l(`a`), '\\n\\n'), 're'), h(`c`)))"],
    [
      ['a', 'b'],
      "and(`near`, and(bitOr(f(`a`), f(`b`)), or(g(`b`), match(concat(l(`a`), '\\n', l(`b`), '\\n'), 're')), h(`c`)))",
    ],
    [[], 'false'],
  ])('go where no column but %j has them', (has, where) => {
    expect(text(all, has)).toBe(where);
  });

  it('stay outside operations on text', () => {
    expect(text(and(call('not', wants('f', 'a', false)), column('y')), [])).toBe('and(`near`, and(not(false), `y`))');
  });

  it('are all that goes where nothing is known of the rows', () => {
    const query = from(table('t', [['x']]), { where: and(any, column('y')), limit: 5 });
    const found = narrowQuery(query, () => ({ condition: true, mayHave: (name) => name === 'b' }));
    expect(printQuery(found)).toBe('SELECT `x` FROM `t` WHERE and(f(`b`), `y`) LIMIT 5');
  });

  it('are all that is left out where there are no rows', () => {
    const query = from(table('t', [['x']]), { prewhere: column('p'), where: column('w'), limit: 5 });
    const none = narrowQuery(query, () => ({ condition: false, mayHave: () => false }));
    expect(printQuery(none)).toBe('SELECT `x` FROM `t` WHERE false LIMIT 5');
  });
});

import { expect, it } from 'vitest';
import { call, column, item, literal, select } from './build.js';
import { narrowed, tablesWithWords } from './narrow.js';
import type { Query, Source } from './nodes.js';
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
  const text = printQuery(narrowed(query, ({ name, words }) => call('near', literal(`${name} ${words[0]![0]}`), at)));
  expect(text).toContain("FROM `a` WHERE and(near('a x', 'at'), `w`)");
  expect(text).toContain('FROM `b` WHERE `w`');
  expect(text).toContain("FROM `c` PREWHERE and(near('c y', 'at'), `p`) WHERE `w`");
  expect(text).toContain("FROM `d` WHERE near('d z', 'at')");
});

it('leaves a query as it is where there is nothing to add', () => {
  const query = from({ kind: 'subquery', query: from(table('a', [['x']])) });
  expect(narrowed(query, () => undefined)).toBe(query);
});

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileOrThrow } from '../testing/compile-text.js';
import { catalogWithoutTable } from '../testing/tableless.js';
import { firstQueries } from './first-queries.js';
import { referencePages } from './page.js';

/** The pages match the tables; `npm run docs -w packages/apl` brings them up to date. */

const folder = new URL('../../../../docs/apl/', import.meta.url);
const pages = [...referencePages()];

test.each(pages)('docs/apl/%s is current', (name, text) =>
  expect(text).toMatchFileSnapshot(fileURLToPath(new URL(name, folder))),
);

test('there is nothing else in docs/apl', () =>
  expect(readdirSync(folder).toSorted()).toEqual(pages.map(([name]) => name).toSorted()));

test.each(firstQueries)('%s is a query', (query) => {
  const fields = {
    status: 'long',
    path: 'string',
    service: 'string',
    duration: 'real',
    message: 'string',
    url: 'string',
    user: 'string',
    trace_id: 'string',
    'geo.city': 'string',
    _time: 'datetime',
  } as const;
  const { diagnostics } = compileOrThrow(query, {
    catalog: catalogWithoutTable(/^\W*([\w-]+)/.exec(query)![1]!, fields),
  });
  expect(diagnostics).toEqual([]);
});

test('every page is linked from the first', () => {
  const [[, index = ''] = [], ...others] = pages;
  for (const [name] of others) expect(index).toContain(`](${name})`);
});

test('reports a difference once, however many functions share it', () => {
  const [, section = ''] = (new Map(pages).get('deviations.md') ?? '').split('## Functions and aggregations');
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  const differences = rows.map((row) => row.slice(row.indexOf(' | ')));
  expect(differences.length).toBeGreaterThan(30);
  expect(new Set(differences).size).toBe(differences.length);
});

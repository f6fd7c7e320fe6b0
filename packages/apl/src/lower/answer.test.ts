import { printQuery } from '@millrace/sql';
import { beforeAll, expect, it } from 'vitest';
import type { Catalog } from '../model/catalog.js';
import { compileOrThrow, noDatasets } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { createSample } from '../testing/sample.js';

const engine = testEngine();
let catalog: Catalog = noDatasets;
beforeAll(() => {
  catalog = createSample(engine);
});

const plan = (apl: string): string => {
  const { query } = compileOrThrow(apl, { catalog, rowIds: true });
  return engine.text(`EXPLAIN ${printQuery(query)} FORMAT TSVRaw`);
};

it.each(['logs', 'logs | take 2', 'logs | where status >= 400', 'logs | sort by _time asc | take 2'])(
  'reads the other columns of a page only for its rows: %s',
  (apl) => expect(plan(apl)).toContain('LazilyRead'),
);
it('reads all rows of an answer that is not a page', () =>
  expect(plan('logs | summarize count() by method')).not.toContain('Lazily'));
it('counts over a thousand datasets without nesting too deep for the engine', () => {
  const all = Array.from({ length: 1000 }, () => '(logs | where id < 3)').join(', ');
  const { counts } = compileOrThrow(`union ${all}`, { catalog });
  const matched = counts?.matched.kind === 'query' ? counts.matched.query : undefined;
  let [depth, deepest] = [0, 0];
  for (const character of printQuery(matched!)) {
    if (character === '(') deepest = Math.max(deepest, ++depth);
    if (character === ')') depth--;
  }
  expect(deepest).toBeLessThan(100);
});

it.each([
  ['c desc', 2],
  ['c desc, method asc', 2],
  ['method asc, c desc', 1],
  ['m desc', 3],
])('orders groups by no more keys than tell them apart: %s', (by, keys) => {
  const apl = `logs | summarize c = count(), m = max(_time) by method | order by ${by}`;
  const { query } = compileOrThrow(apl, { catalog });
  expect(query.kind === 'select' && query.orderBy).toHaveLength(keys);
});
it('does not convert nanoseconds to an instant and back', () => {
  const apl = "logs | summarize m = max(_time) by method | project d = datetime_diff('hour', m, datetime(2024-01-01))";
  expect(printQuery(compileOrThrow(apl, { catalog }).query)).not.toContain('toUnixTimestamp64Nano(fromUnix');
});

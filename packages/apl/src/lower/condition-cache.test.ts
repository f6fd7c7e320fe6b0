import { printQuery } from '@millrace/sql';
import { beforeAll, expect, it } from 'vitest';
import type { Catalogue } from '../catalogue.js';
import { compiled, noDatasets } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { catalogueOf, createDataset } from '../testing/events.js';

const engine = testEngine();
let catalogue: Catalogue = noDatasets;
beforeAll(() => {
  const events = Array.from({ length: 5 }, (_, i) => ({
    _time: new Date(Date.UTC(2024, 5, 15, 11, i)).toISOString(),
    'id#i': i,
    'text#s': `s${i}`,
  }));
  catalogue = catalogueOf(createDataset(engine, 'events', events));
});

const count = (text: string): number => engine.rows(compiled(text, { catalogue }).query).length;

it.each([
  'events | take 4 | join kind=leftsemi (events | take 4) on _time | where _time < datetime(2024-01-01)',
  'events | take 4 | join kind=leftanti (events | take 4 | where _time < datetime(2024-01-01)) on _time',
  'events | take 4 | top-nested of _time by max(id), of text by max(id) | where _time < datetime(2024-01-01)',
])('no later query misses events: %s', (text) => {
  engine.text('SYSTEM DROP QUERY CONDITION CACHE');
  expect(count('events')).toBe(5);
  engine.text('SYSTEM DROP QUERY CONDITION CACHE');
  count(text);
  expect(count('events')).toBe(5);
  expect(count('events | where id < 99')).toBe(5);
});

it.each([
  'events | where id > 1',
  'events | where id in ((events | where id > 1 | project id))',
  'events | join events on id | where id > 1',
])('also what is counted does without what the engine remembers: %s', (text) => {
  const { query, counts } = compiled(text, { catalogue });
  const matched = counts?.matched.kind === 'query' ? [counts.matched.query] : [];
  for (const each of [query, ...matched]) expect(printQuery(each)).toContain('use_query_condition_cache = 0');
});

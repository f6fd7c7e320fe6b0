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
  'union events, events | take 1',
  'events | where id > 100 | summarize arg_max(_time, *) by text',
  'events | where id in ((events | where id > 100 | project id))',
])('no later query misses events: %s', (text) => {
  engine.text('SYSTEM DROP QUERY CONDITION CACHE');
  expect(count('events')).toBe(5);
  engine.text('SYSTEM DROP QUERY CONDITION CACHE');
  count(text);
  expect(count('events')).toBe(5);
  expect(count('events | where id < 99')).toBe(5);
});

it('only queries without joins use what the engine remembers, also for what they count', () => {
  const uses = (text: string): readonly boolean[] => {
    const { query, counts } = compiled(text, { catalogue });
    const matched = counts?.matched.kind === 'query' ? [counts.matched.query] : [];
    return [query, ...matched].map((each) => printQuery(each).includes('use_query_condition_cache = 1'));
  };
  expect(uses('events | where id > 1')).toEqual([true, true]);
  expect(uses('events | where id in ((events | where id > 1 | project id))')).toEqual([true, true]);
  expect(uses('events | where id in ((events | join kind=leftsemi events on id | project id))')).toEqual([
    false,
    false,
  ]);
});

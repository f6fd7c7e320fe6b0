import { printQuery } from '@millrace/sql';
import { beforeAll, expect, it } from 'vitest';
import type { Catalog } from '../../model/catalog.js';
import { compileOrThrow, noDatasets } from '../../testing/compile-text.js';
import { testEngine } from '../../testing/engine.js';
import { catalogOf, createDataset } from '../../testing/events.js';

const engine = testEngine();
let catalog: Catalog = noDatasets;
beforeAll(() => {
  const events = Array.from({ length: 5 }, (_, i) => ({
    _time: new Date(Date.UTC(2024, 5, 15, 11, i)).toISOString(),
    'id#i': i,
    'text#s': `s${i}`,
  }));
  catalog = catalogOf(createDataset(engine, 'events', events));
});

const count = (text: string): number => engine.rows(compileOrThrow(text, { catalog }).query).length;

it.each([
  'events | take 4 | join kind=leftsemi (events | take 4) on _time | where _time < datetime(2024-01-01)',
  'events | take 4 | join kind=leftanti (events | take 4 | where _time < datetime(2024-01-01)) on _time',
  'events | take 4 | top-nested of _time by max(id), of text by max(id) | where _time < datetime(2024-01-01)',
  'union events, events | take 1',
  'events | where id > 100 | summarize arg_max(_time, *) by text',
  'events | where id in ((events | where id > 100 | project id))',
  'events | where id < 99 | take 1 | where id > 100',
  'events | where id < 99 | top 2 by text | where id > 100 | count',
  'events | where id < 99 | take 1 | extend n = id * 2 | where n > 1000 | summarize count() by n',
  'events | where id < 99 | take 1 | where id > 100 | join kind=inner (events) on id',
  'events | where id < 99 | sort by text asc | extend n = row_number() | where n > 100',
  'events | where id < 99 | take 3 | extend n = row_number() | where n > 100',
  'events | where id < 99 | summarize n = count() by id | where n > 100',
  'events | where id < 99 | take 3 | mv-expand e = dynamic([1, 2]) | where id > 100',
  'events | where id < 99 | mv-apply e = dynamic([1, 2]) on (take 1 | where toint(e) > 100)',
  'union (events | where id < 99 | take 1), (events | where id > 3) | where id > 100',
  'union (events | where id < 99), (events | where id > 3) | extend n = id * 2 | where n > 1000',
  'events | where id < 99 | take 3 | where id in ((events | where id < 99 | take 1 | where id > 100 | project id))',
  'events | where id < 99 | take 1 | sample 0.0000001',
])('no later query misses events: %s', (text) => {
  engine.text('SYSTEM DROP QUERY CONDITION CACHE');
  expect(count('events')).toBe(5);
  engine.text('SYSTEM DROP QUERY CONDITION CACHE');
  count(text);
  expect(count('events')).toBe(5);
  expect(count('events | where id < 99')).toBe(5);
});

it('only queries that filter nothing but tables, and join nothing, use what the engine remembers, also for what they count', () => {
  const uses = (text: string): readonly boolean[] => {
    const { query, counts } = compileOrThrow(text, { catalog });
    const matched = counts?.matched.kind === 'query' ? [counts.matched.query] : [];
    return [query, ...matched].map((each) => printQuery(each).includes('use_query_condition_cache = 1'));
  };
  expect(uses('events | where id > 1')).toEqual([true, true]);
  expect(uses('events | where id > 1 | extend x = id | where x < 3 | take 2')).toEqual([true, true]);
  expect(uses('events | where id in ((events | where id > 1 | project id))')).toEqual([true, true]);
  expect(uses('events | where id in ((events | join kind=leftsemi events on id | project id))')).toEqual([
    false,
    false,
  ]);
  expect(uses('events | where id > 1 | take 1 | where id > 2')).toEqual([false, true]);
  expect(uses('events | where id > 1 | take 1 | sample 0.5')).toEqual([false, true]);
});

import { beforeAll, expect, it } from 'vitest';
import type { Catalog } from '../../model/catalog.js';
import { rowsOf } from '../../testing/agreement.js';
import { testEngine } from '../../testing/engine.js';
import { catalogOf, createDataset } from '../../testing/events.js';

const engine = testEngine();

let catalog: Catalog;
beforeAll(() => {
  const written = ['[1,2]', '[1, 2]', '[ 1,\n2.0 ]', String.raw`["\u00e9 "]`, '["é "]', '[2,1]'];
  const events = written.map((tags, i) => ({
    _time: `2024-06-15T11:0${i}:00Z`,
    'n#i': i,
    'tags#j': tags,
    'attributes#m': `{"a":${tags}}`,
    ...(i === 0 ? { 'mixed#s': 'a' } : { 'mixed#j': tags }),
    'large#j': i === 0 ? '[1e19, 2.0]' : '[ 1e19,2]',
  }));
  catalog = catalogOf(createDataset(engine, 'tagged', events));
});

const firstTwo = '(tagged | where n == 1)';

it.each([
  [
    'summarize count() by tags',
    [
      [[1, 2], 3],
      [['é '], 2],
      [[2, 1], 1],
    ],
  ],
  ['summarize count() by attributes | project count_', [[3], [2], [1]]],
  [
    'summarize count() by mixed | sort by tostring(mixed) asc',
    [
      [['é '], 2],
      [[1, 2], 2],
      [[2, 1], 1],
      ['a', 1],
    ],
  ],
  ['distinct tags | count', [[3]]],
  ['distinct large | summarize by second = large[1]', [[2]]],
  [
    'summarize dcount(tags), count_distinct(tags), array_length(make_set(tags)), array_length(make_list(tags))',
    [[3, 3, 3, 6]],
  ],
  ['summarize topk(tags, 1)', [[[{ key: [1, 2], count: 3, error: 0 }]]]],
  [`join ${firstTwo} on tags | count`, [[3]]],
  [`join kind=leftanti ${firstTwo} on attributes | count`, [[3]]],
  [`join ${firstTwo} on $left.mixed == $right.tags | count`, [[2]]],
  [`where tags in (${firstTwo.slice(1, -1)} | project tags) | count`, [[3]]],
  ['where attributes in (dynamic([{"a": [1, 2]}])) | count', [[3]]],
  ['where tags in (pack_array(dynamic([1, 2]), n)) | count', [[3]]],
  [
    'top-nested 1 of tags with others = "rest" by count()',
    [
      [[1, 2], 3],
      ['rest', 3],
    ],
  ],
  ['summarize count() by bin(_time, 1h), tags | limit 1', [['2024-06-15T11:00:00Z', [1, 2], 3]]],
  ['summarize arg_max(_time, n, mixed) by tags | summarize sum(n)', [[11]]],
  ['evaluate pivot(tags, count(), bin(_time, 1h)) | project-away _time', [[2, 3, 1]]],
])('%s', (apl, rows) => {
  expect(rowsOf(engine, `tagged | ${apl}`, { catalog })).toEqual(rows);
});

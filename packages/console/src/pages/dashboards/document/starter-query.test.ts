import { expect, it } from 'vitest';
import type { Catalog } from '../../../data/catalog.js';
import { elementTable } from '../elements/element-table.js';
import type { BoardDocument } from './document.js';
import { starterQuery } from './starter-query.js';

type Dataset = Catalog['datasets'][number];

const dataset = (name: string, fields: Readonly<Record<string, string>>, locked = false) =>
  ({
    name,
    locked,
    fields: Object.entries(fields).map(([field, type]) => ({ name: field, type, hidden: false })),
  }) as unknown as Dataset;

const shop = dataset('shop.eu', {
  _time: 'datetime',
  host: 'string',
  service: 'string',
  status: 'integer',
  n: 'integer',
  duration_ms: 'float',
});
const bare = dataset('bare', { _time: 'datetime', text: 'string' });
const own = dataset('millrace-audit', { service: 'string', action: 'string', who: 'string' });
const empty = { charts: [] } as unknown as BoardDocument;

const starterText = (type: string, datasets: readonly Dataset[], document = empty): string => {
  const kind = elementTable[type];
  return kind?.asks === true ? starterQuery(document, datasets, kind.begins) : '-';
};

it.each([
  ['TimeSeries', "['shop.eu']\n| summarize count() by bin_auto(_time), service"],
  ['Statistic', "['shop.eu']\n| summarize count() by bin_auto(_time)"],
  ['TopK', "['shop.eu']\n| summarize count() by service\n| top 10 by count_"],
  ['Heatmap', "['shop.eu']\n| summarize histogram(duration_ms, 20) by bin_auto(_time)"],
  ['Scatter', "['shop.eu']\n| summarize avg(duration_ms), avg(n) by service"],
  ['LogStream', "['shop.eu']"],
])('a new %s runs %s', (type, query) => expect(starterText(type, [own, shop])).toBe(query));

it('queries the available datasets, and none without events', () => {
  expect(starterText('Heatmap', [bare])).toBe('bare\n| summarize count() by bin_auto(_time), text');
  expect(starterText('TopK', [own])).toBe('');
});

it('uses the dataset of the previous element', () => {
  const document = {
    charts: [{ id: 'a', type: 'Table', query: { apl: 'bare | take 1' } }],
  } as unknown as BoardDocument;
  expect(starterText('LogStream', [shop, bare], document)).toBe('bare');
});

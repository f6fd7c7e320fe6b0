import { expect, it } from 'vitest';
import type { Chart } from './document/document.js';
import type { DashboardState } from './element-queries.js';
import { copyAsking, MAX_REPEATS, oneText, repeatedFilterOf, repeatsOf } from './repeats.js';

const options = Array.from({ length: 20 }, (_, n) => ({ key: `Host ${n}`, value: `h${n}` }));
const charts: readonly Chart[] = [
  {
    id: 'bar',
    type: 'SmartFilter',
    filters: [
      { id: '_host', type: 'select', field: 'host', options: [{ key: 'All', value: '' }, ...options] },
      { id: '_zone', type: 'select', options: [{ key: 'A', value: 'a,1' }] },
      { id: '_text', type: 'search' },
    ],
  },
  { id: 'hosts', type: 'TimeSeries', repeat: '_host' },
  { id: 'zones', type: 'TimeSeries', repeat: '_zone' },
  { id: 'texts', type: 'TimeSeries', repeat: '_text' },
  { id: 'once', type: 'TimeSeries' },
];
const valuesFor = (texts: Readonly<Record<string, string>>, id: string) =>
  repeatsOf(charts, texts, () => undefined).get(id)?.values;

it('an element is repeated for the chosen values, or all options up to a limit', () => {
  expect(valuesFor({ _host: 'h3,h1' }, '_host')).toEqual(['h3', 'h1']);
  expect(valuesFor({ _zone: 'a,1' }, '_zone')).toEqual(['a,1']);
  expect(valuesFor({ _host: '' }, '_host')).toEqual(options.slice(0, MAX_REPEATS).map(({ value }) => value));
  expect(repeatsOf(charts, {}, () => undefined).get('_host')?.total).toBe(20);
});

it('only choices repeat elements', () => {
  const repeats = repeatsOf(charts, {}, () => undefined);
  expect(charts.map((chart) => repeatedFilterOf(chart, repeats)?.filter.id)).toEqual([
    undefined,
    '_host',
    '_zone',
    undefined,
    undefined,
  ]);
});

it('each copy runs with one value of the filter', () => {
  const repeats = repeatsOf(charts, {}, () => undefined);
  const [host, zone] = ['_host', '_zone'].map((id) => repeats.get(id)!.filter);
  const asking: DashboardState = {
    range: { from: 'now-1h', to: 'now' },
    against: '',
    values: { _host: { values: [], isField: true }, _zone: '' },
    repeats,
    filteredQueries: new Map(),
  };
  expect(copyAsking(asking, host!, 'a,b')).toMatchObject({
    values: { _host: { values: ['a,b'], isField: true }, _zone: '' },
    only: { id: '_host', value: 'a,b' },
  });
  expect(copyAsking(asking, zone!, 'a,1').values['_zone']).toBe('a,1');
  expect([oneText(host!, 'a,b'), oneText(zone!, 'a,1')]).toEqual([String.raw`a\,b`, 'a,1']);
});

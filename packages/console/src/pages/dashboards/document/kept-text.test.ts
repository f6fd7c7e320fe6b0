import { expect, it } from 'vitest';
import { keptText } from './kept-text.js';

const text = '{"name":"n","refreshTime":60.0,"big":1769205867543185447,"charts":[{"id":"a","n":1.50},{"id":"b","n":[1e3,2.0]}],"layout":[{"i":"a","w":4.0},{"i":"b","w":2.0}]}'; // prettier-ignore
const document = JSON.parse(text) as { charts: { id: string }[]; layout: object[] };

it.each<readonly [string, unknown, string]>([
  ['nothing', document, text],
  ['a member', { ...document, name: 'other' }, text.replace('"n"', '"other"')],
  ['a number', { ...document, refreshTime: 15 }, text.replace('60.0', '15')],
  ['the order of charts', { ...document, charts: document.charts.toReversed() }, text.replace('{"id":"a","n":1.50},{"id":"b","n":[1e3,2.0]}', '{"id":"b","n":[1e3,2.0]},{"id":"a","n":1.50}')], // prettier-ignore
  ['a chart is gone', { ...document, charts: document.charts.slice(1), layout: document.layout.slice(1) }, text.replace('{"id":"a","n":1.50},', '').replace('{"i":"a","w":4.0},', '')], // prettier-ignore
  ['a chart is new', { ...document, charts: [...document.charts, { id: 'c', x: undefined }] }, text.replace('2.0]}]', '2.0]},{"id":"c"}]')], // prettier-ignore
  ['a member is gone', { ...document, big: undefined }, text.replace('"big":1769205867543185447,', '')],
])('%s changed: everything else keeps its spelling', (_, changed, expected) =>
  expect(keptText(changed, text)).toBe(expected),
);

it('without a text of before, it is JSON all the same', () => expect(keptText({ a: 1 }, 'no json')).toBe('{"a":1}'));

import { describe, expect, it } from 'vitest';
import { textToSave } from './raw-json.js';

const text =
  '{"name":"n","refreshTime":60.0,"big":1769205867543185447,"charts":[{"id":"a","n":1.50},{"id":"b","n":[1e3,2.0]}],"layout":[{"i":"a","w":4.0},{"i":"b","w":2.0}]}';
const document = JSON.parse(text) as { charts: { id: string }[]; layout: object[] };

it.each<readonly [string, unknown, string]>([
  ['nothing', document, text],
  ['a member', { ...document, name: 'other' }, text.replace('"n"', '"other"')],
  ['a number', { ...document, refreshTime: 15 }, text.replace('60.0', '15')],
  [
    'the order of charts',
    { ...document, charts: document.charts.toReversed() },
    text.replace('{"id":"a","n":1.50},{"id":"b","n":[1e3,2.0]}', '{"id":"b","n":[1e3,2.0]},{"id":"a","n":1.50}'),
  ],
  [
    'a chart is gone',
    { ...document, charts: document.charts.slice(1), layout: document.layout.slice(1) },
    text.replace('{"id":"a","n":1.50},', '').replace('{"i":"a","w":4.0},', ''),
  ],
  [
    'a chart is new',
    { ...document, charts: [...document.charts, { id: 'c', x: undefined }] },
    text.replace('2.0]}]', '2.0]},{"id":"c"}]'),
  ],
  ['a member is gone', { ...document, big: undefined }, text.replace('"big":1769205867543185447,', '')],
])('%s changed: everything else keeps its spelling', (_, changed, expected) =>
  expect(textToSave(changed, text)).toBe(expected),
);

it('without the previous text, it is plain JSON', () => expect(textToSave({ a: 1 }, 'no json')).toBe('{"a":1}'));

describe('a multi-line document', () => {
  const pretty = `{
  "name" : "caf\\u00e9",
  "charts": [
    { "id": "a", "n": 1.50 },
    { "id": "b", "n": 2.0 }
  ],
  "refreshTime": 60.0
}`;
  const parsed = JSON.parse(pretty) as { charts: readonly object[] };

  it.each<readonly [string, object, string]>([
    ['a number', { ...parsed, refreshTime: 15 }, pretty.replace('60.0', '15')],
    ['a member of an item', { ...parsed, charts: [{ id: 'a', n: 3 }, parsed.charts[1]] }, pretty.replace('1.50', '3')],
    ['a member is new', { ...parsed, against: '-1d' }, pretty.replace('60.0\n', '60.0,\n  "against": "-1d"\n')],
    ['the last is gone', { ...parsed, refreshTime: undefined }, pretty.replace(',\n  "refreshTime": 60.0', '')],
    [
      'a member of an item is new',
      { ...parsed, charts: [{ ...parsed.charts[0], x: [1] }, parsed.charts[1]] },
      pretty.replace('1.50', '1.50, "x": [1]'),
    ],
    [
      'an item is gone',
      { ...parsed, charts: parsed.charts.slice(1) },
      pretty.replace('\n    { "id": "a", "n": 1.50 },', ''),
    ],
    [
      'an item is new',
      { ...parsed, charts: [...parsed.charts, { id: 'c', at: { x: 1 } }] },
      pretty.replace('2.0 }', '2.0 },\n    {\n      "id": "c",\n      "at": {\n        "x": 1\n      }\n    }'),
    ],
  ])('%s changed: every other character stays in place', (_, changed, expected) =>
    expect(textToSave(changed, pretty)).toBe(expected),
  );
});

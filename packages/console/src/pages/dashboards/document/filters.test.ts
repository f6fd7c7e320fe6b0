import { describe, expect, it } from 'vitest';
import type { Chart } from './document.js';
import { defaultsOf, filterValues, filtersOf, takesValues, variablesFor } from './filters.js';

const bar = {
  id: 'bar',
  type: 'SmartFilter',
  filters: [
    { id: '_text', name: 'Search', active: true, type: 'search', selectType: 'list' },
    {
      id: '_service',
      name: 'Service',
      active: true,
      type: 'select',
      selectType: 'apl',
      apl: { apl: 'shop | distinct service', queryOptions: { quickRange: '7d' } },
      options: [{ key: 'All', value: '', default: true }],
    },
    { id: '_level', type: 'select', selectType: 'list', options: [{ key: 'Bad', value: 'error', default: true }] },
    { id: '_off', type: 'select', active: false, options: null },
    { type: 'select' },
  ],
};

describe('a filter bar', () => {
  it('has the active filters, with both spellings of an options query', () =>
    expect(filtersOf(bar).map(({ id, name, kind, apl }) => [id, name, kind, apl])).toEqual([
      ['_text', 'Search', 'search', undefined],
      ['_service', 'Service', 'select', 'shop | distinct service'],
      ['_level', '_level', 'select', undefined],
    ]));

  it('starts with the default options', () =>
    expect(defaultsOf([bar])).toMatchObject({ _text: '', _service: '', _level: 'error' }));

  it('is empty if its filters are not a list', () => expect(filtersOf({ ...bar, filters: 'x' })).toEqual([]));
});

it.each([
  ['declare query_parameters (_level:string = "", x : string); shop', { _level: 'error' }],
  ['shop', {}],
  ['declare query_parameters(_text:string="");\nshop', { _text: 'a' }],
])('the variables of %s', (apl, variables) =>
  expect(variablesFor(apl, { _level: 'error', _text: 'a' })).toEqual(variables),
);

const several: Chart = {
  id: 'bar',
  type: 'SmartFilter',
  filters: [
    { id: '_host', type: 'select', field: 'host' },
    { id: '_path', type: 'select', multiple: true },
    { id: '_one', type: 'select' },
  ],
};
const list = 'declare query_parameters (_host: dynamic = dynamic([]), _path: dynamic, _one: dynamic);';
const text = "declare query_parameters (_host: string = '', _path: string = '', _one: string = '');";

it.each([
  [list, 'a,b', { _host: ['a', 'b'], _path: ['a', 'b'], _one: ['a,b'] }],
  [list, String.raw`a\,b`, { _host: ['a,b'], _path: ['a,b'], _one: [String.raw`a\,b`] }],
  [list, '', { _host: [], _path: [], _one: [] }],
  // A text has room for one value of a field; with several the query gets a condition.
  [text, 'a,b', { _host: '', _path: 'a,b', _one: 'a,b' }],
  [text, 'a', { _host: 'a', _path: 'a', _one: 'a' }],
  [text, '', { _host: '', _path: '', _one: '' }],
])('%s receives %j as it declares it', (apl, chosen, variables) =>
  expect(variablesFor(apl, filterValues([several], { _host: chosen, _path: chosen, _one: chosen }))).toEqual(variables),
);

it.each([
  [list, 2, true],
  [text, 1, true],
  [text, 2, false],
  ['logs', 1, false],
])('%s takes the values of a filter itself: %j %j', (apl, count, takes) =>
  expect(takesValues(apl, '_host', count)).toBe(takes),
);

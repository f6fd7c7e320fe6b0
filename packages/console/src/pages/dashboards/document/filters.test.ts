import { describe, expect, it } from 'vitest';
import { defaultsOf, filtersOf, variablesFor } from './filters.js';

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

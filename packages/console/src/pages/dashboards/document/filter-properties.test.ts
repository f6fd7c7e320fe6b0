import { expect, it } from 'vitest';
import {
  aplPathOf,
  filterKind,
  freshFilter,
  optionLines,
  withFilterKind,
  withOptionLines,
} from './filter-properties.js';

const all = { key: 'All', value: '', default: true, unset: false };
const list = { id: '_a', type: 'select', selectType: 'list', options: [all, { key: 'x', value: 'x' }], logo: 1 };
const older = { id: '_b', type: 'select', selectType: 'apl', apl: { apl: 'q', queryOptions: {} }, options: '' };

it('values are lines, and retained ones keep their other properties', () => {
  expect(optionLines(list)).toBe('All = \nx');
  expect(withOptionLines(list, 'All =\n y = why \n\nz')).toEqual({
    ...list,
    options: [all, { key: 'y', value: 'why', default: false }, { key: 'z', value: 'z', default: false }],
  });
  expect(optionLines(older)).toBe('');
});

it('a query stays where the document has it', () => {
  expect([aplPathOf(older), aplPathOf(list)]).toEqual([
    ['apl', 'apl'],
    ['query', 'apl'],
  ]);
  expect([older, list, { type: 'search' }].map(filterKind)).toEqual(['query', 'list', 'search']);
});

it('a new kind keeps the rest', () => {
  expect(withFilterKind(list, 'query')).toEqual({ ...list, selectType: 'query', query: { apl: '' } });
  expect(withFilterKind(list, 'search')).toEqual({ ...list, type: 'search' });
  expect(filterKind(withFilterKind(older, 'list'))).toBe('list');
  expect(filterKind(withFilterKind(older, 'query'))).toBe('query');
});

it('a new filter gets a free ID', () => expect(freshFilter([freshFilter([]), { id: 7 }])['id']).toBe('_filter2'));

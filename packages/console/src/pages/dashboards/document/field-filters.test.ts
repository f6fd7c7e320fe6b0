import { describe, expect, it } from 'vitest';
import { chosenText, chosenValues, fieldFilter } from './field-filters.js';

const bar = (filters: readonly object[]) => [{ id: 'bar', type: 'SmartFilter', filters }];

describe('a filter over a field', () => {
  it('has the most frequent values of the field, and an ID that no other filter has', () => {
    const first = fieldFilter([], 'http logs', 'geo.city');
    expect(first).toMatchObject({
      id: '_geo_city',
      name: 'geo.city',
      field: 'geo.city',
      query: { apl: expect.stringMatching(/^\['http logs'\]\n[^]*value = tostring\(geo\.city\)/) },
    });
    expect(fieldFilter([first], 'http logs', 'geo city')['id']).toBe('_geo_city_2');
    expect(fieldFilter([], 'logs', '地域')['id']).toBe('_field');
  });

  it('applies when it has a value; declared filters do not', () => {
    const charts = bar([fieldFilter([], 'logs', 'service'), { id: '_other', type: 'search' }]);
    expect(chosenValues(charts, { _service: 'api', _other: 'x' })).toEqual([
      { id: '_service', field: 'service', values: ['api'], how: 'equals' },
    ]);
    expect(chosenValues(charts, { _service: '', _other: 'x' })).toEqual([]);
    expect(chosenValues(bar([{ id: 'f', field: 'msg', type: 'search' }]), { f: 'time' })).toMatchObject([
      { how: 'contains' },
    ]);
  });

  it.each([
    ['string', "it's", 'equals', "f == 'it\\'s'"],
    ['integer', '500', 'equals', 'f == 500'],
    ['integer', 'none', 'equals', "tostring(f) == 'none'"],
    ['integer|string', '500', 'equals', "tostring(f) == '500'"],
    ['boolean', 'true', 'equals', 'f == true'],
    ['datetime', '2026-01-02T00:00:00Z', 'equals', 'f == datetime(2026-01-02T00:00:00Z)'],
    ['string', 'out', 'contains', "f contains 'out'"],
    ['float', '5', 'contains', "tostring(f) contains '5'"],
  ] as const)('compares a field of type %s with %s (%s)', (type, value, how, text) =>
    expect(chosenText('logs', { id: '_f', field: 'f', values: [value], how }, type)).toBe(text),
  );

  it('may have several values', () => {
    const charts = bar([fieldFilter([], 'logs', 'service')]);
    const [chosen] = chosenValues(charts, { _service: String.raw`api,a\,b` });
    expect(chosenText('logs', chosen!, 'string')).toBe("(service == 'api' or service == 'a,b')");
  });

  it('leaves a query alone that declares its variable', () => {
    const declared = "declare query_parameters (_f: string = '');\nlogs | where isempty(_f) or f == _f";
    expect(chosenText(declared, { id: '_f', field: 'f', values: ['x'], how: 'equals' }, 'string')).toBeUndefined();
  });
});

import { expect, it } from 'vitest';
import { numberText, unitNames, unitTitle } from './units.js';

it.each([
  [1234.5, undefined, undefined, undefined, '1,235'],
  [1.5e308, undefined, undefined, undefined, '1.5E308'],
  [1e300, 'DateDateTime', undefined, undefined, '1E300'],
  [0.12345, undefined, 'req', undefined, '0.1235 req'],
  [1_500_000, 'Abbreviated', undefined, undefined, '1.5 M'],
  [1500, 'Megabyte', undefined, undefined, '1.5 GB'],
  [2_000_000, 'BytesSec', undefined, undefined, '2 MB/s'],
  [90, 'TimeSec', undefined, undefined, '1.5 min'],
  [0.25, 'TimeMS', undefined, undefined, '250 µs'],
  [12.3456, 'Percent100', undefined, 1, '12.3%'],
  [3, 'CurrencyEUR', undefined, 0, '€3'],
  [5, 'Furlong', 'furlongs', undefined, '5 furlongs'],
])('%s %s %s', (value, unit, custom, decimals, text) => expect(numberText(value, unit, custom, decimals)).toBe(text));

it.each([
  ['BytesSec', 'bytes per second'],
  ['Kilobyte', 'kilobytes'],
  ['BitsSec', 'bits per second'],
  ['TimeNS', 'nanoseconds'],
  ['CurrencyCZK', 'Czech Koruna (CZK)'],
])('the unit %s is called %s', (unit, title) => expect(unitTitle(unit)).toBe(title));

it('each unit has a distinct name', () => expect(new Set(unitNames.map(unitTitle)).size).toBe(unitNames.length));

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSearch, writeSearch } from '../../data/search-text.js';
import { changedSearch, readState } from '../../data/url-params.js';
import { chartKinds, queryParams, views } from './query-state.js';

const text = fc.string({ unit: 'grapheme' });
const states = fc.record({
  q: text,
  from: text,
  to: text,
  asof: text,
  tz: text,
  v: fc.constantFrom(...views),
  c: fc.array(fc.string({ minLength: 1 })),
  s: text,
  by: text,
  wrap: fc.boolean(),
  row: text,
  tab: text,
  sel: text,
  base: text,
  with: fc.array(fc.string({ minLength: 1 })),
  every: fc.constantFrom('off', '5s', '15s', '1m'),
  kind: fc.constantFrom(...chartKinds),
  stack: fc.constantFrom('auto', 'on', 'off'),
  unit: text,
  digits: fc.constantFrom('', '0', '1', '2', '3', '4'),
  legend: fc.constantFrom('names', 'numbers'),
});

it('state → address → state is the identity', () =>
  fc.assert(
    fc.property(states, (state) => {
      const { search } = new URL(`http://x/console/query${writeSearch(changedSearch(queryParams, {}, state))}`);
      expect(readState(queryParams, readSearch(search))).toEqual(state);
    }),
  ));

it('a page without a query has no query string', () =>
  expect(writeSearch(changedSearch(queryParams, {}, readState(queryParams, {})))).toBe(''));

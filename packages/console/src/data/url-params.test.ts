import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSearch, writeSearch } from './search-text.js';
import {
  queryParam,
  changedSearch,
  choiceParam,
  flagParam,
  changesQuery,
  listParam,
  numberParam,
  readState,
  textParam,
} from './url-params.js';

const params = {
  q: queryParam(textParam()),
  from: queryParam(textParam('now-1h')),
  v: choiceParam(['log', 'table'], 'log'),
  c: listParam(),
  wrap: flagParam(),
  n: numberParam(20),
};

const states = fc.record({
  q: fc.string({ unit: 'grapheme' }),
  from: fc.string(),
  v: fc.constantFrom('log' as const, 'table' as const),
  c: fc.array(fc.string({ unit: 'binary', minLength: 0 })).filter((list) => list.length !== 1 || list[0] !== ''),
  wrap: fc.boolean(),
  n: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
});

describe('state and address', () => {
  it('state → address → state is the identity', () =>
    fc.assert(
      fc.property(states, (state) => {
        const address = writeSearch(changedSearch(params, {}, state));
        expect(readState(params, readSearch(address))).toEqual(state);
        // As in the browser's history.
        const browser = new URL(`http://x/${address}`).search;
        expect(readState(params, readSearch(browser))).toEqual(state);
      }),
    ));

  it('omits a parameter with its default', () =>
    expect(writeSearch(changedSearch(params, {}, { q: '', from: 'now-1h', v: 'log', c: [], wrap: false, n: 20 }))).toBe(
      '',
    ));

  it('keeps unknown parameters', () =>
    expect(changedSearch(params, { later: '1', q: 'logs' }, { q: '' })).toEqual({ later: '1' }));

  it('addresses are readable', () =>
    expect(writeSearch({ q: "logs\n| where status >= 500 and path has '/a'", from: 'now-1h', v: 'table' })).toBe(
      "?q=logs%0A|+where+status+>=+500+and+path+has+'/a'&from=now-1h&v=table",
    ));

  it('invalid values become defaults', () =>
    expect(readState(params, { v: 'pie', n: 'many', wrap: 'yes' })).toMatchObject({ v: 'log', n: 20, wrap: false }));

  it('distinguishes queries from their presentation', () => {
    expect(changesQuery(params, { q: 'logs', wrap: true })).toBe(true);
    expect(changesQuery(params, { wrap: true })).toBe(false);
  });
});

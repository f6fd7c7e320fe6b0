import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSearch, writeSearch } from '../../data/search-text.js';
import { changedSearch, readState } from '../../data/url-params.js';
import { servicesParams, tracesParams } from './traces-params.js';

const text = fc.string({ unit: 'grapheme' });
const place = { d: text, from: text, to: text, tz: text };
const traces = fc.record({
  ...place,
  service: text,
  name: text,
  kind: text,
  only: fc.constantFrom('all' as const, 'failed' as const),
  took: text,
  where: fc.array(fc.string({ minLength: 1 })),
  order: fc.constantFrom('newest' as const, 'slowest' as const),
  max: fc.nat(),
});
const services = fc.record({ ...place, service: text, qs: text, sort: text, sortOperations: text });

it('traces: state → address → state is the identity', () =>
  fc.assert(
    fc.property(traces, (state) => {
      const { search } = new URL(`http://x/console/traces${writeSearch(changedSearch(tracesParams, {}, state))}`);
      expect(readState(tracesParams, readSearch(search))).toEqual(state);
    }),
  ));

it('services: state → address → state is the identity', () =>
  fc.assert(
    fc.property(services, (state) => {
      const { search } = new URL(`http://x/console/services${writeSearch(changedSearch(servicesParams, {}, state))}`);
      expect(readState(servicesParams, readSearch(search))).toEqual(state);
    }),
  ));

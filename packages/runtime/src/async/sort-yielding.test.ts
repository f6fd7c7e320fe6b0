import { expect, it } from 'vitest';
import { sortYielding } from './sort-yielding.js';

it.each([0, 1, 2047, 2048, 2049, 10_000, 65_537])('sorts %d texts like a single sort', async (count) => {
  // Every text once or more often, in no order, with characters beyond the first plane.
  const texts = Array.from({ length: count }, (_, i) => `${(i * 7919) % 5003}${i % 11 === 0 ? '\u{1F600}' : '\uFFFD'}`);
  expect(await sortYielding(texts)).toEqual(texts.toSorted());
});

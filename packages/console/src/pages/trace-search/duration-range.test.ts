import { expect, it } from 'vitest';
import { durationRangeText, parseDurationRange } from './duration-range.js';

const MS = 1_000_000n;

it.each([
  ['', undefined, undefined],
  ['100ms', 100n * MS, undefined],
  ['> 1.5s', 1500n * MS, undefined],
  ['>=2m', 120_000n * MS, undefined],
  ['< 250µs', undefined, 250_000n],
  ['100ms..2s', 100n * MS, 2000n * MS],
  ['1.5ms .. 2.5ms', 1_500_000n, 2_500_000n],
  ['..2s', undefined, 2000n * MS],
  ['2s..', 2000n * MS, undefined],
])('%j is parsed, and round-trips', (typed, from, to) => {
  const range = parseDurationRange(typed);
  expect(range).toEqual({ from, to });
  expect(parseDurationRange(durationRangeText(range!))).toEqual(range);
});

it.each(['fast', '100', '2s..1s', '..', '1s..2s..3s', '>', '1s<'])('%j is not', (typed) =>
  expect(parseDurationRange(typed)).toBeUndefined(),
);

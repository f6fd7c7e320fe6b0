import { expect, it } from 'vitest';
import { numberText, scaleFor, valuePath } from './run-scale.js';

it.each([
  [[0, 10, 4], 20],
  [[-5, 5], undefined],
  [[3], 3],
  [[], undefined],
  [[1e12, 1e12 + 1], -4],
] as const)('fits values %j and threshold %s, and maps positions back to values', (values, threshold) => {
  const scale = scaleFor(values, threshold);
  for (const each of [...values, ...(threshold === undefined ? [] : [threshold])]) {
    expect(scale.low).toBeLessThanOrEqual(each);
    expect(scale.high).toBeGreaterThan(each);
    // To the precision visible on the screen.
    expect(Math.abs(scale.valueAt(scale.shareOf(each)) - each)).toBeLessThanOrEqual((scale.high - scale.low) / 100);
  }
  expect(scale.step).toBeGreaterThan(0);
});

it('counts do not go below zero', () => expect(scaleFor([0, 3], undefined).low).toBe(0));

it('the ends of whole numbers are whole', () => {
  const { low, high } = scaleFor([3, 5], undefined);
  expect([low, high]).toEqual([2, 6]);
});

it('a line is interrupted where a run has no value, and where runs are missing', () => {
  const at = (time: number, value?: number) => ({ time, value, state: 'ok' as const });
  const path = valuePath([at(0, 1), at(1, 1), at(2), at(3, 1), at(4, 1), at(9, 1)], {
    scale: scaleFor([1], undefined),
    shareOf: (time) => time / 10,
    interval: 1,
  });
  expect(path.replaceAll(/[\d.]+ [\d.]+/g, '')).toBe('MLMLM');
});

it.each([
  [1234567, '1,234,567'],
  [0.1 + 0.2, '0.3'],
  [1 / 3, '0.333333'],
])('%s reads %s', (value, text) => expect(numberText(value)).toBe(text));

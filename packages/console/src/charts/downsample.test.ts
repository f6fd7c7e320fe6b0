import { expect, it } from 'vitest';
import { thinPoints } from './downsample.js';

const TIMES = 50_000;
const times = Array.from({ length: TIMES }, (_, at) => at * 1000);
const overTime = (...series: readonly (readonly (number | null)[])[]) =>
  ({
    kind: 'times',
    times,
    series: series.map((values, at) => ({ name: `s${at}`, values })),
    left: 0,
    step: 1000,
  }) as const;
const peak = (at: number, value: number) => times.map((_, each) => (each === at ? value : 1));
const valuesOf = (data: ReturnType<typeof thinPoints>, at = 0) => data.series[at]!.values;

it('reduces fifty thousand times to a few thousand and keeps peaks', () => {
  const data = thinPoints(
    overTime(
      peak(33_333, 900),
      peak(7, -900),
      times.map(() => null),
    ),
    false,
  );
  if (data.kind !== 'times') throw new Error('it is over time');
  expect(data.times.length).toBeLessThanOrEqual(2400);
  expect(data.times.toSorted((a, b) => a - b)).toEqual(data.times);
  const at = valuesOf(data).indexOf(900);
  expect(Math.abs(data.times[at]! - 33_333_000)).toBeLessThanOrEqual(25_000);
  expect(valuesOf(data, 1).filter((value) => value === -900)).toHaveLength(1);
  expect(new Set(valuesOf(data, 2))).toEqual(new Set([null]));
});

it('stacked series still add up', () => {
  const data = thinPoints(overTime(peak(50, 10), peak(60, 10)), true);
  const sums = valuesOf(data).map((value, at) => value! + valuesOf(data, 1)[at]!);
  expect(Math.max(...sums)).toBe(11);
});

it('keeps short series unchanged', () => {
  const few = { ...overTime([1, 2]), times: [0, 1000] };
  expect(thinPoints(few, false)).toBe(few);
});

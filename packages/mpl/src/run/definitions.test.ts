import { expect, it } from 'vitest';
import { unlimitedWork } from '../model/work.js';
import { finish } from '../testing/finish.js';
import { computeIncreases } from './align.js';
import { map } from './map.js';
import { histogramQuantile } from './quantiles.js';
import type { Series } from './series.js';

/** Random series against the definitions, computed here in another way. */

/** Numbers between 0 and 1, the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** A counter that is reset now and then, with gaps. */
function randomCounter(next: () => number): Series {
  const [times, values]: [number[], number[]] = [[], []];
  let [time, value] = [0, 0];
  for (let i = 0; i < 100; i++) {
    time += 1000 * Math.ceil(next() * 20);
    value = next() < 0.1 ? Math.floor(next() * 5) : value + Math.floor(next() * 10);
    times.push(time);
    values.push(next() < 0.2 ? Number.NaN : value);
  }
  return {
    metric: 'm',
    tags: new Map(),
    type: 'CounterMonotonic',
    temporality: 'Cumulative',
    times: Float64Array.from(times),
    values: Float64Array.from(values),
  };
}

it('rate and increase are those of a counter without its resets', () => {
  const next = random(7);
  for (let round = 0; round < 50; round++) {
    const series = randomCounter(next);
    const points = [...series.values.keys()].filter((i) => !Number.isNaN(series.values[i]!));
    // The counter as if it had never been reset.
    let offset = 0;
    const whole = new Map(
      points.map((at, i) => {
        const before = i === 0 ? 0 : series.values[points[i - 1]!]!;
        if (series.values[at]! < before) offset += before;
        return [at, offset + series.values[at]!];
      }),
    );
    const frame = { grid: undefined, range: { start: 0, end: 1e9 }, series: [series] };
    const [increase, rate] = (['increase', 'rate'] as const).map(
      (fn) => finish(map(frame, fn, 0, unlimitedWork())).series[0]!.values,
    );
    for (const [i, at] of points.entries()) {
      if (i === 0) continue;
      const last = points[i - 1]!;
      const expected = whole.get(at)! - whole.get(last)!;
      expect(increase![at]).toBeCloseTo(expected, 9);
      expect(rate![at]).toBeCloseTo((expected * 1000) / (series.times[at]! - series.times[last]!), 9);
    }
    // In windows: the difference between the last points before their ends.
    const grid = { start: 0, step: 60_000, length: 40 };
    const inWindows = computeIncreases(series, grid, true);
    const lastBefore = (time: number) => points.findLast((at) => series.times[at]! < time);
    for (let window = 0; window < grid.length; window++) {
      const [from, to] = [lastBefore(window * grid.step), lastBefore((window + 1) * grid.step)];
      const start = from ?? points[0];
      if (to === undefined || start === undefined || to === start) expect(inWindows[window]).toBeNaN();
      else expect(inWindows[window]).toBeCloseTo(whole.get(to)! - whole.get(start)!, 9);
    }
  }
});

it('a quantile of a histogram is where its piecewise linear distribution reaches the rank', () => {
  const next = random(11);
  for (let round = 0; round < 200; round++) {
    const bounds = Array.from({ length: 1 + Math.floor(next() * 8) }, (_, i) => i + 1 + next() * 0.9);
    const counts = bounds.map(() => Math.floor(next() * 5));
    const beyond = Math.floor(next() * 3);
    const total = counts.reduce((sum, count) => sum + count, beyond);
    let sum = 0;
    const buckets = [
      ...bounds.map((bound, i): [number, number] => [bound, (sum += counts[i]!)]),
      [Infinity, total] as [number, number],
    ];
    const quantile = 0.01 + 0.98 * next();
    const found = histogramQuantile(quantile, buckets);
    if (total === 0) {
      expect(found).toBeNaN();
      continue;
    }
    // Share of the values up to a place, by summing up the parts of all buckets below it.
    const share = (place: number): number =>
      counts.reduce((all, count, i) => {
        const [low, high] = [i === 0 ? 0 : bounds[i - 1]!, bounds[i]!];
        return all + count * Math.min(1, Math.max(0, (place - low) / (high - low)));
      }, 0) / total;
    if (quantile * total > total - beyond) expect(found).toBe(bounds.at(-1));
    else expect(share(found)).toBeCloseTo(quantile, 9);
  }
});

import { expect, test } from 'vitest';
import { labelsKey } from './model/labels.js';
import { bucketQuantile } from './run/histogram.js';
import type { GridSeries, PointSeries } from './run/values.js';
import { ask, end, seriesOf } from './testing/memory.js';

/**
 * Random series with resets, gaps and ends, and the definitions of functions computed another way:
 * for one time after the other, from lists of points.
 */

const minute = 60_000;
const lookback = 5 * minute;

/** Numbers between 0 and 1, the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

function randomSeries(next: () => number, labels: Readonly<Record<string, string>>): PointSeries {
  const points: [number, number | typeof end][] = [];
  let [time, value] = [Math.floor(next() * 2 * minute), next() * 20];
  for (let i = 0; i < 60; i++) {
    time += 1000 * Math.ceil(next() * 30 + (next() < 0.05 ? 400 : 0));
    value = next() < 0.08 ? next() * 5 : value + Math.floor(next() * 10);
    points.push([time, next() < 0.07 ? end : value]);
  }
  return seriesOf(labels, points);
}

interface Point {
  readonly time: number;
  readonly value: number;
}

const listOf = ({ times, values }: PointSeries): readonly Point[] =>
  [...times].map((time, i) => ({ time, value: values[i]! }));

/** The points of a window, without the ends of a series. */
const within = (series: PointSeries, start: number, end: number): readonly Point[] =>
  listOf(series).filter(({ time, value }) => time > start && time <= end && !Number.isNaN(value));

function lastValue(series: PointSeries, time: number): number | undefined {
  const last = listOf(series).findLast((point) => point.time <= time);
  return last === undefined || last.time <= time - lookback || Number.isNaN(last.value) ? undefined : last.value;
}

/** The increase of a counter over a window, by the rules that Prometheus documents. */
function increase(points: readonly Point[], start: number, end: number, isCounter: boolean): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return undefined;
  // The counter as if it had never been reset.
  let base = 0;
  const whole = points.map(({ value }, i) => {
    if (isCounter && i > 0 && value < points[i - 1]!.value) base += points[i - 1]!.value;
    return base + value;
  });
  const grown = whole.at(-1)! - whole[0]!;
  const span = last.time - first.time;
  const gap = span / (points.length - 1);
  const slope = grown / span;
  const reach = (distance: number): number => (distance < 1.1 * gap ? distance : gap / 2);
  let before = reach(first.time - start);
  if (isCounter && slope > 0 && first.value >= 0) before = Math.min(before, first.value / slope);
  return slope * (span + before + reach(end - last.time));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const average = (points: readonly Point[]): number => mean(points.map(({ value }) => value));

function line(points: readonly Point[]): { readonly slope: number; at(time: number): number } {
  const [x, y] = [mean(points.map(({ time }) => time / 1000)), average(points)];
  const sums = points.map(({ time, value }) => [(time / 1000 - x) * (value - y), (time / 1000 - x) ** 2] as const);
  const slope = mean(sums.map(([cross]) => cross)) / mean(sums.map(([, square]) => square));
  return { slope, at: (time) => y + slope * (time / 1000 - x) };
}

type Definition = (points: readonly Point[], start: number, end: number) => number | undefined;
const ofSome =
  (definition: Definition): Definition =>
  (points, start, end) =>
    points.length === 0 ? undefined : definition(points, start, end);
const ofTwo =
  (definition: Definition): Definition =>
  (points, start, end) =>
    points.length < 2 ? undefined : definition(points, start, end);
const pairs = (points: readonly Point[]): readonly (readonly [Point, Point])[] =>
  points.slice(1).map((point, i) => [points[i]!, point] as const);

const definitions: Readonly<Record<string, Definition>> = {
  'increase(m[4m])': (points, start, end) => increase(points, start, end, true),
  'rate(m[4m])': (points, start, end) => {
    const grown = increase(points, start, end, true);
    return grown === undefined ? undefined : (grown * 1000) / (end - start);
  },
  'delta(m[4m])': (points, start, end) => increase(points, start, end, false),
  'irate(m[4m])': ofTwo((points) => {
    const [a, b] = points.slice(-2) as [Point, Point];
    return ((b.value < a.value ? b.value : b.value - a.value) * 1000) / (b.time - a.time);
  }),
  'idelta(m[4m])': ofTwo((points) => points.at(-1)!.value - points.at(-2)!.value),
  'resets(m[4m])': ofSome((points) => pairs(points).filter(([a, b]) => b.value < a.value).length),
  'changes(m[4m])': ofSome((points) => pairs(points).filter(([a, b]) => b.value !== a.value).length),
  'deriv(m[4m])': ofTwo((points) => line(points).slope),
  'predict_linear(m[4m], 90)': ofTwo((points, _, end) => line(points).at(end + 90_000)),
  'avg_over_time(m[4m])': ofSome(average),
  'min_over_time(m[4m])': ofSome((points) => Math.min(...points.map(({ value }) => value))),
  'max_over_time(m[4m])': ofSome((points) => Math.max(...points.map(({ value }) => value))),
  'sum_over_time(m[4m])': ofSome((points) => average(points) * points.length),
  'count_over_time(m[4m])': ofSome(({ length }) => length),
  'last_over_time(m[4m])': ofSome((points) => points.at(-1)!.value),
  'stddev_over_time(m[4m])': ofSome((points) =>
    Math.sqrt(average(points.map((point) => ({ ...point, value: (point.value - average(points)) ** 2 })))),
  ),
  'quantile_over_time(0.3, m[4m])': ofSome((points) => {
    const sorted = points.map(({ value }) => value).toSorted((a, b) => a - b);
    const rank = 0.3 * (sorted.length - 1);
    return sorted[Math.floor(rank)]! + (rank % 1) * (sorted[Math.ceil(rank)]! - sorted[Math.floor(rank)]!);
  }),
};

const grids = [
  { start: 3 * minute, step: 17_000, length: 40 },
  { start: 5 * minute, step: 6 * minute, length: 5 },
  { start: 11 * minute, step: 1, length: 1 },
];

/** Values by time; undefined where there is none. */
const cells = (series: GridSeries | undefined, length: number): readonly (number | undefined)[] =>
  Array.from({ length }, (_, i) => (series?.present[i] === 1 ? series.values[i]! : undefined));

/** Where values are not the wanted ones. */
function differences(
  found: readonly (number | undefined)[],
  wanted: readonly (number | undefined)[],
  of: string,
): readonly string[] {
  const isClose = (a: number | undefined, b: number | undefined): boolean =>
    a === undefined || b === undefined || Number.isNaN(b)
      ? Object.is(a, b)
      : Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));
  return wanted.flatMap((value, i) =>
    isClose(found[i], value) ? [] : [`${of}, time ${i}: ${found[i]}, not ${value}`],
  );
}

test.each(Object.entries(definitions))('%s', (query, definition) => {
  const next = random(5);
  for (let round = 0; round < 12; round++) {
    const series = randomSeries(next, { __name__: 'm' });
    for (const grid of grids) {
      const value = ask(query, [series], grid);
      const found = value.kind === 'vector' ? value.series[0] : undefined;
      const wanted = Array.from({ length: grid.length }, (_, i) => {
        const end = grid.start + i * grid.step;
        return definition(within(series, end - 4 * minute, end), end - 4 * minute, end);
      });
      expect(differences(cells(found, grid.length), wanted, `${query}, round ${round}`)).toEqual([]);
    }
  }
});

const several = (next: () => number): readonly PointSeries[] =>
  ['a', 'b', 'c', 'd', 'e'].flatMap((instance) =>
    ['m', 'n'].map((name) => randomSeries(next, { __name__: name, instance, zone: instance < 'c' ? 'east' : 'west' })),
  );

/** The values at a time, by instance. */
const valuesAt = (all: readonly PointSeries[], name: string, time: number): ReadonlyMap<string, number> =>
  new Map(
    all.flatMap((series) => {
      const value = series.labels.get('__name__') === name ? lastValue(series, time) : undefined;
      return value === undefined ? [] : [[series.labels.get('instance')!, value] as const];
    }),
  );
const isEast = (instance: string): boolean => instance < 'c';

type AtOnce = (m: ReadonlyMap<string, number>, n: ReadonlyMap<string, number>) => Readonly<Record<string, number>>;
const zones = (m: ReadonlyMap<string, number>, combine: (values: readonly number[]) => number) =>
  Object.fromEntries(
    ['east', 'west'].flatMap((zone) => {
      const values = [...m].filter(([instance]) => isEast(instance) === (zone === 'east')).map(([, value]) => value);
      return values.length === 0 ? [] : [[zone, combine(values)]];
    }),
  );
const inBoth = (
  m: ReadonlyMap<string, number>,
  n: ReadonlyMap<string, number>,
): readonly (readonly [string, number, number])[] =>
  [...m].flatMap(([key, value]) => (n.has(key) ? [[key, value, n.get(key)!] as const] : []));

const atOnce: Readonly<Record<string, AtOnce>> = {
  'sum by (zone) (m)': (m) => zones(m, (values) => values.reduce((sum, value) => sum + value, 0)),
  'avg by (zone) (m)': (m) => zones(m, mean),
  'max by (zone) (m)': (m) => zones(m, (values) => Math.max(...values)),
  'count by (zone) (m)': (m) => zones(m, ({ length }) => length),
  'label_replace(topk(2, m), "zone", "", "", ".*")': (m) =>
    Object.fromEntries([...m].toSorted(([, a], [, b]) => b - a).slice(0, 2)),
  'sum by (instance) (m / on (instance) n)': (m, n) =>
    Object.fromEntries(inBoth(m, n).map(([key, a, b]) => [key, a / b])),
  'sum by (instance) (m > on (instance) n)': (m, n) =>
    Object.fromEntries(inBoth(m, n).flatMap(([key, a, b]) => (a > b ? [[key, a]] : []))),
  'sum by (instance) (m and on (instance) n)': (m, n) => Object.fromEntries(inBoth(m, n).map(([key, a]) => [key, a])),
  'sum by (instance) (m unless on (instance) n)': (m, n) => Object.fromEntries([...m].filter(([key]) => !n.has(key))),
  'sum by (instance) (m or on (instance) n)': (m, n) => Object.fromEntries([...n, ...m]),
  'sum by (instance) (m * on (zone) group_left () count by (zone) (n))': (m, n) => {
    const counts = zones(n, ({ length }) => length);
    return Object.fromEntries(
      [...m].flatMap(([key, value]) => {
        const count = counts[isEast(key) ? 'east' : 'west'];
        return count === undefined ? [] : [[key, value * count]];
      }),
    );
  },
};

test.each(Object.entries(atOnce))('%s', (query, definition) => {
  const next = random(9);
  for (let round = 0; round < 5; round++) {
    const all = several(next);
    for (const grid of grids) {
      const value = ask(query, all, grid);
      const found = value.kind === 'vector' ? value.series : [];
      const byKey = new Map(
        found.map((series) => [[...series.labels].find(([name]) => name !== '__name__')![1], series]),
      );
      expect(byKey.size).toBe(new Set(found.map(({ labels }) => labelsKey(labels))).size);
      const wanted = Array.from({ length: grid.length }, (_, i) => {
        const time = grid.start + i * grid.step;
        return definition(valuesAt(all, 'm', time), valuesAt(all, 'n', time));
      });
      for (const key of new Set([...byKey.keys(), ...wanted.flatMap(Object.keys)]))
        expect(
          differences(
            cells(byKey.get(key), grid.length),
            wanted.map((each) => each[key]),
            `${query}, ${key}`,
          ),
        ).toEqual([]);
    }
  }
});

test('a quantile of a histogram is where its piecewise linear distribution reaches the rank', () => {
  const next = random(11);
  for (let round = 0; round < 300; round++) {
    const bounds = Array.from({ length: 1 + Math.floor(next() * 8) }, (_, i) => i + 1 + next() * 0.9);
    const counts = bounds.map(() => Math.floor(next() * 5));
    const beyond = Math.floor(next() * 3);
    const total = counts.reduce((sum, count) => sum + count, beyond);
    let sum = 0;
    const buckets = [
      ...bounds.map((upper, i) => ({ upper, count: (sum += counts[i]!) })),
      { upper: Infinity, count: total },
    ];
    const share = 0.01 + 0.98 * next();
    const found = bucketQuantile(share, buckets);
    if (total === 0) {
      expect(found).toBeNaN();
      continue;
    }
    const below = (place: number): number =>
      counts.reduce((all, count, i) => {
        const [low, high] = [i === 0 ? 0 : bounds[i - 1]!, bounds[i]!];
        return all + count * Math.min(1, Math.max(0, (place - low) / (high - low)));
      }, 0) / total;
    if (share * total > total - beyond) expect(found).toBe(bounds.at(-1));
    else expect(below(found)).toBeCloseTo(share, 9);
  }
});

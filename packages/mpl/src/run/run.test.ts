import { expect, it } from 'vitest';
import { compile } from '../compile.js';
import {
  BoundExceeded,
  ComputeProblem,
  ExtendProblem,
  jsonOfTag,
  readTags,
  run,
  timesOf,
  unlimitedWork,
  Work,
  WorkExceeded,
} from '../index.js';
import type { Frame, ReadRequest, Series } from '../index.js';
import { metricsBounds } from '../model/bounds.js';
import { finish } from '../testing/finish.js';
import { align } from './align.js';

const minute = 60_000;

interface SentSeries {
  readonly metric?: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly temporality?: string;
  /** Minutes and values. */
  readonly points: readonly (readonly [number, number])[];
}

/** Evaluates a query over series in memory, as the statements would read them. */
async function answer(text: string, sent: readonly SentSeries[], minutes = 4, work = unlimitedWork()) {
  const range = { start: 0, end: minutes * minute };
  const compiled = compile(text, { now: 0, range });
  if (compiled.kind === 'failed') throw new Error(compiled.diagnostics[0]!.message);
  const read = async ({ metric }: { readonly metric: string }, reading: ReadRequest): Promise<readonly Series[]> => {
    const series = sent
      .filter((each) => (each.metric ?? 'm') === metric)
      .map(({ tags, type = 'Gauge', temporality = '', points }): Series => {
        const inRange = points.filter(([at]) => at * minute >= reading.range.start && at * minute < reading.range.end);
        return {
          metric,
          tags: readTags(JSON.stringify(tags)),
          type,
          temporality,
          times: Float64Array.from(inRange, ([at]) => at * minute),
          values: Float64Array.from(inRange, ([, value]) => value),
        };
      });
    if (reading.kind === 'points') return series;
    const { start, step, length } = reading.grid;
    const frame: Frame = { grid: undefined, range: { start, end: start + step * length }, series };
    return finish(align(frame, step, reading.fn, unlimitedWork())).series;
  };
  const result = await run(compiled.plan, { read, work, take: (steps) => Promise.resolve(finish(steps)) });
  expect([...timesOf(result.grid)]).toHaveLength(result.grid.length);
  return result.series.map(({ metric, tags, values }) => ({
    metric,
    tags: Object.fromEntries([...tags].map(([name, tag]) => [name, jsonOfTag(tag)])),
    data: [...values].map((value) => (Number.isNaN(value) ? null : value)),
  }));
}

const counter = { type: 'CounterMonotonic', temporality: 'Cumulative' };
const one: SentSeries = { tags: { host: 'sa', zone: 'sx' }, points: [[0, 1], [0.5, 3], [2, 5]] }; // prettier-ignore
const two: SentSeries = { tags: { host: 'sb', zone: 'sx' }, points: [[0, 10], [1, 20], [3, 40]] }; // prettier-ignore

it.each<readonly [string, readonly (number | null)[]]>([
  ['m:m | align to 1m using avg', [2, null, 5, null]],
  ['m:m | align to 1m using sum', [4, null, 5, null]],
  ['m:m | align to 1m using count', [2, null, 1, null]],
  ['m:m | align to 1m using last', [3, null, 5, null]],
  ['m:m | align to 1m using min | map fill::prev', [1, 1, 5, 5]],
  ['m:m | align to 1m using max | map interpolate::linear', [3, 4, 5, null]],
  ['m:m | align to 1m using max | map fill::const(0) | map / 0', [null, null, null, null]],
  ['m:m | align to 1m using max | map is::gte(5)', [0, null, 1, null]],
  ['m:m | align to 1m using max | map filter::lt(5)', [3, null, null, null]],
  ['m:m | align using sum', [9]],
  ['m:m | map increase | align to 1m using sum', [2, null, 2, null]],
])('%s', async (text, data) => {
  expect((await answer(text.replace('m:m', 'd:m'), [one])).map((series) => series.data)).toEqual([data]);
});

it('combines series by tags, in the order of their tags', async () => {
  const text = 'd:m | align to 1m using last | group by zone using sum';
  expect(await answer(text, [one, two])).toEqual([{ metric: 'm', tags: { zone: 'x' }, data: [13, 20, 5, 40] }]);
  expect(await answer('d:m | align to 1m using last', [two, one])).toMatchObject([
    { tags: { host: 'a' } },
    { tags: { host: 'b' } },
  ]);
});

it('takes the fall of a counter for a reset, and not that of a gauge', async () => {
  const points = [[0, 10], [1, 30], [2, 5], [3, 6]] as const; // prettier-ignore
  const increases = async (more: object) =>
    (await answer('d:m | map increase | align to 1m using last', [{ tags: {}, points, ...more }]))[0]!.data;
  expect(await increases(counter)).toEqual([null, 20, 5, 1]);
  expect(await increases({})).toEqual([null, 20, -25, 1]);
  expect(await increases({ type: 'CounterMonotonic', temporality: 'Delta' })).toEqual([null, 30, 5, 6]);
  const rates = await answer('d:m | align to 2m using prom::rate', [{ tags: {}, points, ...counter }]);
  expect(rates[0]!.data).toEqual([20 / 120, 6 / 120]);
});

it('computes series that have the same tags', async () => {
  const [a, b] = ['a', 'b'].map((metric) => ({
    metric,
    tags: { host: 'sx' },
    points: [[0, metric === 'a' ? 6 : 3]] as const,
  }));
  const text = '(d:a | align to 1m using last, d:b | align to 1m using last) | compute c using /';
  expect(await answer(text, [a!, b!], 1)).toEqual([{ metric: 'c', tags: { host: 'x' }, data: [2] }]);
  expect(await answer(text, [a!, { ...b!, tags: { host: 'sy' } }], 1)).toEqual([]);
  const other = '(d:a | align to 1m using last, d:b | align to 2m using last) | compute c using /';
  await expect(answer(other, [a!, b!], 2)).rejects.toThrow(ComputeProblem);
});

it('adds tags', async () => {
  const text = 'd:m | align using last | group by host using sum | extend url = "http://${host}/", n = 5';
  expect(await answer(text, [one])).toMatchObject([{ tags: { host: 'a', url: 'http://a/', n: 5 } }]);
  await expect(answer('d:m | align using last | extend host = 1', [one])).rejects.toThrow(ExtendProblem);
  await expect(answer('d:m | align using last | extend x = "${y}"', [one])).rejects.toThrow(ExtendProblem);
});

it('finds quantiles of histograms', async () => {
  const bucket = (le: string, a: number, b: number): SentSeries => ({
    tags: { le, 'axiom.histogram': 'sbucket', host: 'sx' },
    points: [[0, a], [1, b]], // prettier-ignore
    type: 'Histogram',
    temporality: 'Cumulative',
  });
  const histogram = [bucket('f1', 0, 2), bucket('f2', 0, 4), bucket('finf', 0, 4)];
  const text = 'd:m | bucket by host to 2m using interpolate_cumulative_histogram(increase, 0.5, 0.75, count)';
  expect(await answer(text, histogram, 2)).toEqual([
    { metric: 'm', tags: { host: 'x', spec: 'count' }, data: [4] },
    { metric: 'm', tags: { host: 'x', spec: 'p50' }, data: [1] },
    { metric: 'm', tags: { host: 'x', spec: 'p75' }, data: [1.5] },
  ]);
  const ofValues = await answer('d:m | bucket using histogram(0.5, max)', [one, two]);
  expect(ofValues.map(({ data }) => data[0])).toEqual([40, 7.5]);
});

it('limits the number of windows', async () => {
  await expect(answer('d:m | align to 1s using avg', [one], 60_000)).rejects.toThrow(BoundExceeded);
});

it('limits samples and memory', async () => {
  const text = 'd:m | align to 1m using sum | group using sum';
  const within = (samples: number, bytes: number) => answer(text, [one, two], 4, new Work({ samples, bytes }));
  await expect(within(1e6, 1e6)).resolves.toHaveLength(1);
  await expect(within(10, 1e6)).rejects.toThrow(new WorkExceeded('samples', 10));
  await expect(within(1e6, 500)).rejects.toThrow(new WorkExceeded('bytes', 500));
});

it('a tag that repeats the one before it does not grow without limit', async () => {
  const added = Array.from({ length: 30 }, (_, i) => `extend t${i + 1} = "\${t${i}}\${t${i}}"`).join(' | ');
  const growing = answer(`d:m | align using last | extend t0 = "x" | ${added}`, [one]);
  await expect(growing).rejects.toThrow("shorten the text of the tag 't17'");
});

it('a result has at most answeredSeries series', async () => {
  const { max } = metricsBounds.answeredSeries;
  const series = (count: number): readonly SentSeries[] =>
    Array.from({ length: count }, (_, i) => ({ tags: { host: String(i) }, points: [[0, 1]] }));
  expect(await answer('d:m | align using sum', series(max))).toHaveLength(max);
  await expect(answer('d:m | align using sum', series(max + 1))).rejects.toThrow(BoundExceeded);
});

import { expect, test } from 'vitest';
import { metricSeries } from './metric-series.js';

const metadata = { warnings: [] };
const series = (tags: Record<string, unknown>, data: (number | null)[], metric = 'cpu') => ({
  metric,
  tags,
  start: 60,
  resolution: 30,
  data,
});
const drawSeries = (...all: ReturnType<typeof series>[]) =>
  metricSeries({ result: { metadata, series: all }, asked: { from: 60_000, to: 120_000 } });

test('times are milliseconds, gaps stay, the largest series comes first', () => {
  const { data, tags } = drawSeries(
    series({ host: 'a', env: 'x' }, [1, null]),
    series({ host: 'b', env: 'x' }, [2, 3]),
  );
  expect(data.times).toEqual([60_000, 90_000]);
  expect(data.series).toEqual([
    { name: 'b', values: [2, 3] },
    { name: 'a', values: [1, null] },
  ]);
  expect(data.step).toBe(30_000);
  expect(tags.get('a')).toEqual({ host: 'a', env: 'x' });
});

test.each([
  [[series({}, [1])], ['cpu']],
  [[series({ host: 'a' }, [1])], ['cpu']],
  [
    [series({ le: 0.5 }, [1]), series({}, [0])],
    ['0.5', '(none)'],
  ],
  [
    [series({ host: 'a', port: 1 }, [2]), series({ host: 'b', port: 2 }, [1])],
    ['host=a · port=1', 'host=b · port=2'],
  ],
  [
    [series({}, [2], 'a'), series({}, [1], 'b')],
    ['a', 'b'],
  ],
])('names %#', (all, names) => {
  expect(drawSeries(...all).data.series.map(({ name }) => name)).toEqual(names);
});

test('no series', () => {
  expect(drawSeries().data).toMatchObject({ times: [], series: [], left: 0 });
});

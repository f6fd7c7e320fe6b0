import { expect, test } from 'vitest';
import { seriesOf } from '../../charts/series-data.js';
import { metricsAnswer } from './metrics-answer.js';

test('an element draws the series of a query in MPL', () => {
  const series = (host: string, data: (number | null)[]) => ({
    metric: 'cpu',
    tags: { host, env: 'prod' },
    start: 60,
    resolution: 30,
    data,
  });
  const result = { metadata: { warnings: [] }, series: [series('a', [1, null, 3]), series('b', [5, 6, 7])] };
  const answer = metricsAnswer({ result, asked: { from: 60_000, to: 150_000 } }, 'metrics', 0);
  expect(answer.table.head.groups).toEqual([{ name: 'host' }]);
  expect(seriesOf(answer)).toMatchObject({
    kind: 'times',
    times: [60_000, 90_000, 120_000],
    step: 30_000,
    series: [
      { name: 'b', values: [5, 6, 7] },
      { name: 'a', values: [1, null, 3] },
    ],
  });
});

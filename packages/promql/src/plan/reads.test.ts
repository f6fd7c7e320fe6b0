import { expect, test } from 'vitest';
import { compile } from '../compile.js';
import { readsOf } from './reads.js';

const grid = { start: 1_000_000, step: 60_000, length: 10 };
const query = { start: grid.start, end: 1_540_000, lookback: 300_000, subqueryStep: 60_000 };

test.each([
  ['sum_over_time(a[30s])', [{ ...grid, range: 30_000 }]],
  ['sum_over_time(a[30s] offset 10s)', [{ ...grid, start: 990_000, range: 30_000 }]],
  // All points are in a window.
  ['sum_over_time(a[1m])', [undefined]],
  ['sum_over_time(a[5m])', [undefined]],
  // A single window.
  ['sum_over_time(a[30s] @ 1500)', [undefined]],
  ['a', [undefined]],
  ['max_over_time(sum_over_time(a[5s])[5m:10s])', [expect.objectContaining({ step: 10_000, range: 5000 })]],
])('%s reads the points of its windows only', (text, windows) =>
  expect(readsOf(compile(text).expr, grid, query).map((read) => read.windows)).toEqual(windows),
);

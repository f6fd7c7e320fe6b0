import type { WindowFunction } from '@millrace/mpl';
import type { FunctionName } from './functions.js';

/** Functions of range vectors that the engine can compute, and what it computes for them. */
export const engineFunctions: ReadonlyMap<FunctionName, WindowFunction> = new Map([
  ['rate', 'rate'],
  ['increase', 'increase'],
  ['delta', 'delta'],
  ['irate', 'irate'],
  ['idelta', 'idelta'],
  ['changes', 'changes'],
  ['resets', 'resets'],
  ['avg_over_time', 'avg'],
  ['sum_over_time', 'sum'],
  ['min_over_time', 'min'],
  ['max_over_time', 'max'],
  ['count_over_time', 'count'],
  ['first_over_time', 'first'],
  ['last_over_time', 'last'],
  ['present_over_time', 'present'],
  ['absent_over_time', 'present'],
]);

import { expect, it } from 'vitest';
import { statisticsOf } from './series-statistics.js';

it.each([
  [[2, null, 4, 0], { last: 0, min: 0, max: 4, avg: 2 }],
  [[1, null], { last: 1, min: 1, max: 1, avg: 1 }],
  [[null], { last: undefined, min: undefined, max: undefined, avg: undefined }],
  [[], { last: undefined, min: undefined, max: undefined, avg: undefined }],
])('the numbers of %j leave out missing values', (values, numbers) => expect(statisticsOf(values)).toEqual(numbers));

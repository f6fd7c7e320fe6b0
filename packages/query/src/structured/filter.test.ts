import { requestBounds } from '@millrace/api/limits';
import { expect, test } from 'vitest';
import { BodyOrigins } from '../compile/body-origins.js';
import { filterExpr } from './filter.js';

test('filters nest at most structuredFilterLevels deep', () => {
  const nest = (levels: number): object =>
    levels === 0 ? { op: '==', field: 'n', value: 1 } : { op: 'not', children: [nest(levels - 1)] };
  const { max } = requestBounds.structuredFilterLevels;
  expect(filterExpr(nest(max), new BodyOrigins())).toBeDefined();
  expect(() => filterExpr(nest(max + 1), new BodyOrigins())).toThrow("body 'filter' is nested deeper than 64 levels");
});

import { expect, test } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.js';

test('each caller has so many at once, and leaving twice counts once', () => {
  const limit = new ConcurrencyLimit(2);
  const [first, second] = [limit.enter('a')!, limit.enter('a')!];
  expect([limit.enter('a'), limit.enter('b') !== undefined, limit.total]).toEqual([undefined, true, 3]);
  first();
  first();
  expect(limit.total).toBe(2);
  const third = limit.enter('a')!;
  expect(limit.enter('a')).toBeUndefined();
  second();
  third();
  expect(limit.total).toBe(1);
});

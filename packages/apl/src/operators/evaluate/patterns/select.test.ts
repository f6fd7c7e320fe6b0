import { expect, test } from 'vitest';
import { localBest, mostSpecific } from './select.js';
import type { Pattern } from './select.js';

const pattern = (text: string, a: number, b = 0): Pattern => ({
  values: [...text].map((value) => (value === '.' ? undefined : value)),
  a,
  b,
});

test('of patterns with the same rows the most specific is kept', () => {
  const patterns = [pattern('x.', 5), pattern('xy', 5), pattern('.y', 7), pattern('xz', 4, 1)];
  expect(mostSpecific(patterns)).toEqual([patterns[1], patterns[2], patterns[3]]);
  expect(mostSpecific([pattern('x.', 5, 1), pattern('xy', 5)])).toHaveLength(2);
});

test('patterns are kept where no neighbor is better', () => {
  const patterns = [pattern('x.', 5), pattern('xy', 6), pattern('.y', 3), pattern('w.', 4), pattern('wv', 4)];
  expect(localBest(patterns, ({ a }) => a)).toEqual([patterns[1], patterns[4]]);
});

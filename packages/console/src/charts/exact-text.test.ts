import { expect, it } from 'vitest';
import { withExact } from './exact-text.js';

it.each([
  [12, undefined, '12'],
  [1234, undefined, '1,234'],
  [45.77499146729135, undefined, '45.775 (45.77499146729135)'],
  [1500, (value: number) => `${value / 1000} s`, '1.5 s (1500)'],
  [3, (value: number) => `${value} ms`, '3 ms'],
])('%s is shown rounded, and exact where that says more', (value, format, text) =>
  expect(withExact(value, format)).toBe(text),
);

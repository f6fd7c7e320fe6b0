import { expect, it } from 'vitest';
import { rateText, shareText } from './rates.js';

it.each([
  [0, '0'],
  [7_200_000, '2.0 k /s'],
  [3600, '1 /s'],
  [1800, '30 /min'],
  [60, '1 /min'],
  [3, '3 /h'],
])('%i in an hour are %s', (count, text) => expect(rateText(count, 3600)).toBe(text));

it.each([
  [0, '0%'],
  [0.0004, '0.04%'],
  [0.0123, '1.2%'],
  [0.126, '13%'],
  [1, '100%'],
])('a share of %d is %s', (share, text) => expect(shareText(share)).toBe(text));

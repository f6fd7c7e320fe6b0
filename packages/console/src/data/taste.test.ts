import { expect, it } from 'vitest';
import { tasteOf } from './taste.js';

it('what was kept comes back', () =>
  expect(tasteOf('{"theme":"light","detailWidth":300,"recentRanges":["1h"]}')).toMatchObject({
    theme: 'light',
    detailWidth: 300,
    recentRanges: ['1h'],
    density: 'normal',
  }));

it.each([null, '', 'nonsense', '[]', '7', '{"theme":7,"recentRanges":{}}'])('%s is the plain taste', (kept) =>
  expect(tasteOf(kept)).toEqual(tasteOf(null)),
);

import { expect, it } from 'vitest';
import { tasteOf } from './preferences.js';

it('restores stored preferences', () =>
  expect(tasteOf('{"theme":"light","detailWidth":300,"recentRanges":["1h"]}')).toMatchObject({
    theme: 'light',
    detailWidth: 300,
    recentRanges: ['1h'],
    density: 'normal',
  }));

it.each([null, '', 'nonsense', '[]', '7', '{"theme":7,"recentRanges":{}}'])('%s gives the defaults', (kept) =>
  expect(tasteOf(kept)).toEqual(tasteOf(null)),
);

import { expect, it } from 'vitest';
import { parsePreferences } from './preferences.js';

it('restores stored preferences', () =>
  expect(parsePreferences('{"theme":"light","detailWidth":300,"recentRanges":["1h"]}')).toMatchObject({
    theme: 'light',
    detailWidth: 300,
    recentRanges: ['1h'],
    density: 'normal',
  }));

it.each([null, '', 'nonsense', '[]', '7', '{"theme":7,"recentRanges":{}}'])('%s gives the defaults', (kept) =>
  expect(parsePreferences(kept)).toEqual(parsePreferences(null)),
);

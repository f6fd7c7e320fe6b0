import { expect, it } from 'vitest';
import { lineAndColumn, Places } from './diagnostics.js';

it.each([
  ['', 0, 1, 1],
  ['ab\ncd', 2, 1, 3],
  ['ab\ncd', 3, 2, 1],
  ['ab\rcd', 4, 2, 2],
  ['ab\r\ncd', 3, 1, 4],
  ['ab\r\ncd', 4, 2, 1],
  ['\r\n\r\r\n\n\n\rx', 8, 7, 1],
  ['ab\u2028cd', 4, 1, 5],
])('%j at %d is line %d, column %d', (text, offset, line, column) =>
  expect(lineAndColumn(text, offset)).toEqual({ line, column }),
);

it('places of one text are the same in any order', () => {
  const text = 'a\r\n\nb\rcd\r\n';
  const places = new Places(text);
  for (const offset of [0, 1, 2, 3, 9, 4, 10, 10, 2, 8, 11])
    expect(places.of(offset)).toEqual(lineAndColumn(text, offset));
});

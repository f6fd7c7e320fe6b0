import { expect, it } from 'vitest';
import { colorsOf, serviceColours } from './value-colors.js';

it('levels and status have conventional colors', () =>
  expect(colorsOf(['info', 'ERROR', 'warning', '200'])).toEqual([
    'var(--blue)',
    'var(--red)',
    'var(--amber)',
    'var(--green)',
  ]));

it('a value keeps its color, and eight values have eight', () => {
  const values = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  expect(new Set(colorsOf(values)).size).toBe(8);
  expect(colorsOf(['c'])[0]).toBe(colorsOf(['c', 'x'])[0]);
});

it('classes of status codes differ, and so do the codes within a class', () => {
  const colours = colorsOf(['200', '302', '400', '404', '429', '500', '503']);
  expect(new Set(colours).size).toBe(colours.length);
  expect(colours[2]).toBe('var(--amber)');
  expect(colours[3]).toContain('var(--amber)');
  expect(colours[6]).toContain('var(--red)');
});

it('no service has the color of an error', () => {
  const names = ['errors', 'fatal', '503', ...Array.from({ length: 50 }, (_, index) => `service-${index}`)];
  // Series 2 is reddish in the light theme, series 4 in the dark one.
  for (const colour of serviceColours(names)) expect(colour).toMatch(/^var\(--series-[135678]\)$/);
});

import { expect, it } from 'vitest';
import { colorsOf, serviceColors } from './value-colors.js';

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
  const colors = colorsOf(['200', '302', '400', '404', '429', '500', '503']);
  expect(new Set(colors).size).toBe(colors.length);
  expect(colors[2]).toBe('var(--amber)');
  expect(colors[3]).toContain('var(--amber)');
  expect(colors[6]).toContain('var(--red)');
});

it('no service has the color of an error', () => {
  const names = ['errors', 'fatal', '503', ...Array.from({ length: 50 }, (_, index) => `service-${index}`)];
  // Series 2 is reddish in the light theme, series 4 in the dark one.
  for (const color of serviceColors(names)) expect(color).toMatch(/^var\(--series-[135678]\)$/);
});

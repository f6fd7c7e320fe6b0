import { expect, it } from 'vitest';
import { coloursOf } from './value-colours.js';

it('levels and status have the colours that people expect', () =>
  expect(coloursOf(['info', 'ERROR', 'warning', '503', '200'])).toEqual([
    'var(--blue)',
    'var(--red)',
    'var(--amber)',
    'var(--red)',
    'var(--green)',
  ]));

it('a value keeps its colour, and eight values have eight', () => {
  const values = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  expect(new Set(coloursOf(values)).size).toBe(8);
  expect(coloursOf(['c'])[0]).toBe(coloursOf(['c', 'x'])[0]);
});

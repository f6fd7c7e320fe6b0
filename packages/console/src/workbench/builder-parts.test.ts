import { expect, it } from 'vitest';
import { outlineOf } from '../editor/outline.js';
import { partsOf } from './builder-parts.js';

it('each condition and each other operator is a part of the text', () => {
  const text = 'logs | where a == 1 and b == 2 | take 5';
  const { parts, more } = partsOf(outlineOf(text));
  expect(parts.map(({ start, end }) => text.slice(start, end))).toEqual(['a == 1', 'b == 2', 'take 5']);
  expect(more).toBe(0);
});

it('a very long query has chips for its first parts and a count of the rest', () => {
  const text = `logs${' | where a == 1'.repeat(300)}`;
  const { parts, more } = partsOf(outlineOf(text));
  expect(parts.length).toBeLessThan(100);
  expect(parts.length + more).toBe(300);
});

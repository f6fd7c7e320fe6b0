import { expect, it } from 'vitest';
import { contrast, distance, visions } from './color-science.js';

it('contrast follows WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  // The commonly cited minimum on white.
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

it('red and green are close for color-blind viewers, and far apart for others', () => {
  const far = distance('#c04040', '#708020', visions.normal);
  expect(distance('#c04040', '#708020', visions.deuteranopia)).toBeLessThan(far / 2);
});

import { expect, it } from 'vitest';
import { contrast, distance, visions } from './colour-science.js';

it('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  // The example that is widely quoted as just enough on white.
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

it('red and green are close to those who lack a cone, and far apart to others', () => {
  const far = distance('#c04040', '#708020', visions.normal);
  expect(distance('#c04040', '#708020', visions.deuteranopia)).toBeLessThan(far / 2);
});

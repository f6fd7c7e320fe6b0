import { expect, it } from 'vitest';
import { colorsOf } from '../theme/value-colors.js';
import { themes } from '../theme/tokens.js';
import { resolveColor } from './resolve-color.js';

const property = (name: string): string =>
  ({ '--red': '#ff0000', '--bg0': ' #000000', '--amber': '#808080' })[name] ?? '';

it.each([
  ['var(--red)', '#ff0000'],
  ['color-mix(in oklab, var(--red) 60%, var(--bg0))', '#990000'],
  ['#123456', '#123456'],
])('%s is %s', (color, resolved) => expect(resolveColor(color, property)).toBe(resolved));

it.each(['dark', 'light'] as const)('status codes have distinct colors on a %s canvas', (name) => {
  const theme = new Map(Object.entries(themes[name]));
  const codes = ['200', '302', '400', '404', '429', '500', '503'];
  const colors = colorsOf(codes).map((color) => resolveColor(color, (key) => String(theme.get(key.slice(2)))));
  for (const color of colors) expect(color).toMatch(/^#[\da-f]{6}$/);
  expect(new Set(colors).size).toBe(codes.length);
});

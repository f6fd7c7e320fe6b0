import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contrast, distance, visions } from './color-science.js';
import { contrasts, stylesheet, themes } from './tokens.js';

it('tokens.css is generated from tokens.ts', () =>
  expect(stylesheet()).toMatchFileSnapshot(join(import.meta.dirname, 'tokens.css')));

describe.each(['dark', 'light'] as const)('the %s theme', (name) => {
  const theme = themes[name];

  it('has the required contrast for text and borders on every surface', () =>
    expect(
      contrasts
        .map(({ ink, on, min }) => ({ ink, on, min, is: contrast(String(theme[ink]), String(theme[on])) }))
        .filter(({ is, min }) => is < min),
    ).toEqual([]));

  it('has white text on its primary button', () =>
    expect(contrast('#ffffff', theme.accentFill)).toBeGreaterThanOrEqual(4.5));

  it.each(Object.entries(visions))('has series that are distinct for %s', (_, vision) => {
    const pairs = theme.series.flatMap((one, index) =>
      theme.series.slice(index + 1).map((other) => distance(one, other, vision)),
    );
    expect(Math.min(...pairs)).toBeGreaterThanOrEqual(9);
  });

  it('has series that stand out from the surface', () =>
    expect(Math.min(...theme.series.map((each) => contrast(each, theme.bg1)))).toBeGreaterThanOrEqual(3));

  it('has a heat scale with increasing distance from the surface', () => {
    const steps = theme.heat.map((each) => contrast(each, theme.bg1));
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });
});

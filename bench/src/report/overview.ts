import type { Figure } from '../result.js';
import { median, ratios } from '../statistics.js';
import { type Render, formatShort } from './figures-table.js';

/** Fewer figures are seen at a glance. */
const fewest = 3;

/**
 * For every suite and yardstick the ratios of all figures together: their median, and the worst and
 * the best with their names.
 */
export function overviewTable(
  sections: readonly (readonly [suite: string, figures: readonly Figure[]])[],
  render: Render,
): string {
  const rows = sections.flatMap(([suite, figures]) => {
    // Ratios of rates and of times cannot be compared; figures that are ratios themselves are
    // summaries of the others.
    if (new Set(figures.map(({ better }) => better)).size > 1) return [];
    const names = new Set(figures.flatMap(({ against }) => against.map(({ name }) => name)));
    return [...names].flatMap((yardstick) => {
      const measured = figures
        .filter(({ unit }) => unit !== '×')
        .map(({ name, better, ours, against }) => ({
          name,
          ratio: median(ratios(ours, against.find((one) => one.name === yardstick)?.runs ?? [])),
          sign: better === 'higher' ? 1 : -1,
        }))
        .filter(({ ratio }) => Number.isFinite(ratio))
        .toSorted((a, b) => a.sign * (a.ratio - b.ratio));
      if (measured.length < fewest) return [];
      const [worst, best] = [measured[0]!, measured.at(-1)!].map(
        ({ name, ratio }) => `×${formatShort(ratio)}: ${name}`,
      );
      const middle = `×${formatShort(median(measured.map(({ ratio }) => ratio)))}`;
      return [[suite, yardstick, String(measured.length), middle, worst!, best!]];
    });
  });
  return rows.length === 0 ? '' : render(['', 'yardstick', 'figures', 'median ratio', 'worst', 'best'], rows);
}

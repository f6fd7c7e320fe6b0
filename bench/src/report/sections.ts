import type { Figure } from '../result.js';

/**
 * The metrics by suite, the suites in a given order. `query, 1,000,000 events` is sorted like
 * `query`.
 */
export function sectionsOf<T extends Figure>(
  figures: readonly T[],
  order: readonly string[],
): readonly (readonly [suite: string, figures: readonly T[]])[] {
  const placeOf = (suite: string): number => order.findIndex((name) => suite.startsWith(name));
  const suites = new Map<string, T[]>();
  for (const figure of figures) suites.set(figure.suite, [...(suites.get(figure.suite) ?? []), figure]);
  return [...suites].toSorted(([a], [b]) => placeOf(a) - placeOf(b));
}

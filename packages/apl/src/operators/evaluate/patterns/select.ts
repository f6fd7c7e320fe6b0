/** Values that rows have together, and the weight of such rows in two sets. */
export interface Pattern {
  /** By column; undefined where any value will do. */
  readonly values: readonly (string | undefined)[];
  readonly a: number;
  readonly b: number;
}

export const sizeOf = ({ values }: Pattern): number => values.filter((value) => value !== undefined).length;

/** Patterns that no pattern with one value more describes as well: those have fewer rows. */
export function mostSpecific(patterns: readonly Pattern[]): readonly Pattern[] {
  const implied = new Set<Pattern>();
  for (const [larger, smaller] of neighbors(patterns))
    if (smaller.a === larger.a && smaller.b === larger.b) implied.add(smaller);
  return patterns.filter((pattern) => !implied.has(pattern));
}

/**
 * Patterns with a better score than all that have one value more or less, best first. Of equal
 * neighbors the larger one is kept.
 */
export function localBest(patterns: readonly Pattern[], score: (pattern: Pattern) => number): readonly Pattern[] {
  const scores = new Map(patterns.map((pattern) => [pattern, score(pattern)]));
  const of = (pattern: Pattern): number => scores.get(pattern) ?? 0;
  const beaten = new Set<Pattern>();
  for (const [larger, smaller] of neighbors(patterns)) beaten.add(of(smaller) > of(larger) ? larger : smaller);
  return patterns.filter((pattern) => !beaten.has(pattern)).toSorted((x, y) => of(y) - of(x));
}

/** All pairs of patterns whose second lacks one value of the first. */
function* neighbors(patterns: readonly Pattern[]): Generator<readonly [larger: Pattern, smaller: Pattern]> {
  const keyOf = (values: Pattern['values']): string => JSON.stringify(values.map((value) => value ?? null));
  const known = new Map(patterns.map((pattern) => [keyOf(pattern.values), pattern]));
  for (const larger of patterns) {
    for (const [i, value] of larger.values.entries()) {
      if (value === undefined) continue;
      const smaller = known.get(keyOf(larger.values.with(i, undefined)));
      if (smaller !== undefined) yield [larger, smaller];
    }
  }
}

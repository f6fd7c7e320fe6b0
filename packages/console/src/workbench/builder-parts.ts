import type { Outline } from '../editor/outline.js';

export interface Part {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** More chips than that nobody reads, and each is drawn again with each key. */
const MOST_PARTS = 60;

/**
 * The steps that have chips: a `where` is shown as its conditions, any other step as itself. Of a
 * very long query it is the first of them; its text has them all.
 */
export function partsOf({ steps }: Outline): { readonly parts: readonly Part[]; readonly more: number } {
  const all = steps.flatMap(({ kind, start, end, conditions }): readonly Part[] =>
    conditions.length > 0 ? conditions.map((each) => ({ kind: 'where', ...each })) : [{ kind, start, end }],
  );
  return { parts: all.slice(0, MOST_PARTS), more: Math.max(0, all.length - MOST_PARTS) };
}

import type { Outline } from '../editor/outline.js';

export interface Part {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum chips; each is rendered again on every keystroke. */
const MAX_PARTS = 60;

/**
 * Parts with chips: a `where` as its conditions, other operators as they are. A very long query has
 * chips for its first parts only.
 */
export function partsOf({ steps }: Outline): { readonly parts: readonly Part[]; readonly more: number } {
  const all = steps.flatMap(({ kind, start, end, conditions }): readonly Part[] =>
    conditions.length > 0 ? conditions.map((each) => ({ kind: 'where', ...each })) : [{ kind, start, end }],
  );
  return { parts: all.slice(0, MAX_PARTS), more: Math.max(0, all.length - MAX_PARTS) };
}

import type { Query } from '@millrace/sql';

/** Calls and columns of a statement. The engine plans ten thousand of them in half a second to a second, and cannot be stopped while it does. */
const MAX_PARTS = 150_000;

/**
 * Whether a statement is more than the engine should plan. A function may become a hundred calls, and an operator repeats all columns, so the text of a query
 * does not tell. Counting ends at the limit: parts that are shared count as often as they are written.
 */
export function isTooLarge(query: Query): boolean {
  let parts = 0;
  const values: object[] = [query];
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    if ('kind' in value && (value.kind === 'call' || value.kind === 'column') && ++parts > MAX_PARTS) return true;
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      if (typeof inner === 'object' && inner !== null) values.push(inner);
    }
  }
  return false;
}

import type { QueryClient } from '@tanstack/react-query';
import type { Answer } from './answers/answers.js';

/** What the keys of rows begin with; their data are pages of an answer. */
export const ROWS = 'rows';

/** Values that are kept for *Back* besides those in view: some tens of megabytes. */
const MOST_CELLS = 500_000;

type Kept = { readonly pages: readonly Pick<Answer, 'table'>[] } | undefined;

const cellsOf = (kept: Kept): number =>
  (kept?.pages ?? []).reduce((sum, { table }) => sum + table.rows * table.columns.length, 0);

/**
 * Rows that nobody looks at any more are kept up to a number of values, the latest first: *Back*
 * shows those again, and asks for larger ones anew.
 */
export function keepFewRows(client: QueryClient): void {
  const cache = client.getQueryCache();
  cache.subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.queryKey[0] !== ROWS) return;
    let cells = 0;
    const unseen = cache.findAll({ queryKey: [ROWS], predicate: (each) => each.getObserversCount() === 0 });
    for (const each of unseen.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)) {
      cells += cellsOf(each.state.data as Kept);
      if (cells > MOST_CELLS) cache.remove(each);
    }
  });
}

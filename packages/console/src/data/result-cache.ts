import type { QueryClient } from '@tanstack/react-query';
import type { Answer } from './results/results.js';

/** Query key prefix of rows; their data are pages of a result. */
export const ROWS = 'rows';

/** Maximum cached values for *Back*, in addition to those in view: some tens of megabytes. */
const MAX_CELLS = 500_000;

type CachedPages = { readonly pages: readonly Pick<Answer, 'table'>[] } | undefined;

const cellsOf = (kept: CachedPages): number =>
  (kept?.pages ?? []).reduce((sum, { table }) => sum + table.rows * table.columns.length, 0);

/**
 * Evicts unused rows beyond a number of values, latest first: *Back* shows cached rows and
 * refetches others.
 */
export function keepFewRows(client: QueryClient): void {
  const cache = client.getQueryCache();
  cache.subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.queryKey[0] !== ROWS) return;
    let cells = 0;
    const unseen = cache.findAll({ queryKey: [ROWS], predicate: (each) => each.getObserversCount() === 0 });
    for (const each of unseen.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)) {
      cells += cellsOf(each.state.data as CachedPages);
      if (cells > MAX_CELLS) cache.remove(each);
    }
  });
}

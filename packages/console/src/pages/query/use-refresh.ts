import { useEffect, useRef } from 'react';
import type { QueryState } from './query-state.js';
import type { Result } from './use-result.js';

export const refreshMilliseconds: Readonly<Record<QueryState['every'], number>> = {
  off: 0,
  '5s': 5000,
  '15s': 15_000,
  '1m': 60_000,
};

/**
 * Whether a refresh is useful and harmless: the range is relative and not pinned, the last result
 * succeeded, and the user has not loaded further pages.
 */
const isRefreshable = ({ to, asof, q }: QueryState, { running, error, loadingMore, pages }: Result): boolean =>
  q !== '' && to.startsWith('now') && asof === '' && !running && !loadingMore && error === null && pages <= 1;

/** Refreshes periodically while the page is visible. */
export function useRefresh(state: QueryState, result: Result): void {
  const latest = useRef({ state, result });
  latest.current = { state, result };
  const milliseconds = refreshMilliseconds[state.every];
  useEffect(() => {
    if (milliseconds === 0) return undefined;
    const timer = setInterval(() => {
      const { state, result } = latest.current;
      if (document.visibilityState === 'visible' && isRefreshable(state, result)) result.again();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}

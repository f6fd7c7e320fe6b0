import { useEffect, useState, useSyncExternalStore } from 'react';
import { runBatch } from '../../data/batch.js';
import { nowInstant } from '../../data/time/instants.js';
import { type ElementQueryState, DashboardQueryRunner, type ElementQuery } from './query-runner.js';

/** A query runner with the lifetime of the page. */
export function useRunner(): DashboardQueryRunner {
  const [runner] = useState(() => new DashboardQueryRunner(runBatch, nowInstant));
  useEffect(() => () => runner.stop(), [runner]);
  return runner;
}

/** State of a query; re-renders only when it changes. */
export const useQueryState = (
  runner: DashboardQueryRunner,
  query: ElementQuery | undefined,
): ElementQueryState | undefined =>
  useSyncExternalStore(runner.states.subscribe, () =>
    query === undefined ? undefined : runner.states.get().get(query.key),
  );

/** Minimum interval of the interface; documents may contain any number. */
const MIN_SECONDS = 15;

/** Refreshes periodically while the page is visible. */
export function useTimedRefresh(runner: DashboardQueryRunner, seconds: number): void {
  useEffect(() => {
    if (seconds <= 0) return undefined;
    const timer = setInterval(
      () => {
        if (document.visibilityState === 'visible') runner.refresh();
      },
      Math.max(seconds, MIN_SECONDS) * 1000,
    );
    return () => clearInterval(timer);
  }, [runner, seconds]);
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { type Answer, columnOf, wasLimited } from '../../data/results/results.js';
import { ROWS } from '../../data/result-cache.js';
import { queryClient } from '../../data/query-client.js';
import { runQuery } from '../../data/run-query.js';
import { CURSOR, orderBy, type RowSource, rowSource } from '../../rows/row-source.js';
import type { QueryState } from './query-state.js';

const FIRST_ROWS = 500;
const MORE_ROWS = 2000;
/** Maximum loaded rows: more than is readable, and what a tab can hold. */
export const MAX_ROWS = 50_000;

/** Cached queries about the same events, invalidated with the rows. */
const BESIDE = ['histogram', 'patterns', 'spotlight', 'facts'];

export interface Result {
  /** Undefined before the first result. */
  readonly answer: Answer | undefined;
  readonly source: RowSource;
  readonly running: boolean;
  /** The rows are of the previous query; the new result is pending. */
  readonly old: boolean;
  readonly error: Error | null;
  /** More rows are available. */
  readonly hasMore: boolean;
  /** The page holds its maximum of rows. */
  readonly full: boolean;
  readonly loadMore: () => void;
  readonly loadingMore: boolean;
  /** Loaded pages. */
  readonly pages: number;
  /** Runs the query again. */
  readonly again: () => void;
  readonly stop: () => void;
}

/** Number of rows, including those not loaded. */
export const totalRows = ({ answer, source, hasMore }: Result): number =>
  hasMore ? Math.max(source.rows, answer?.head.status.rowsMatched ?? 0) : source.rows;

interface NextPage {
  readonly cursor: string;
  readonly from: string;
  readonly to: string;
}

function nextPage(pages: readonly Answer[]): NextPage | undefined {
  const last = pages.at(-1)!;
  const cursor = columnOf(last, CURSOR).at(-1);
  if (typeof cursor !== 'string' || !wasLimited(last)) return undefined;
  // Later pages keep the resolved range of the first: `now` moves.
  const { start, end } = pages[0]!.table.head.range;
  return { cursor, from: start, to: end };
}

/** Rows of the query in the address, page by page. */
export function useResult({ q, from, to, asof, s }: QueryState): Result {
  const key = useMemo(() => [ROWS, q, from, to, asof], [q, from, to, asof]);
  const found = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      runQuery(
        {
          apl: q,
          from,
          to,
          ...(asof !== '' && { asOf: asof }),
          ...(pageParam === undefined ? { rows: FIRST_ROWS, keep: true } : { ...pageParam, rows: MORE_ROWS }),
        },
        'rows',
        signal,
      ),
    initialPageParam: undefined as NextPage | undefined,
    getNextPageParam: (_, pages) => nextPage(pages),
    enabled: q.trim() !== '',
    // Results are immutable: only an explicit run replaces them.
    staleTime: Infinity,
    gcTime: 10 * 60_000,
    retry: false,
    refetchOnReconnect: false,
  });
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = found;

  // The previous result stays until there is a new one.
  const before = useRef<readonly Answer[]>([]);
  if (data !== undefined) before.current = data.pages;
  const pages = q.trim() === '' ? none : before.current;
  const source = useMemo(() => {
    const unsorted = rowSource(pages);
    const field = s.replace(/^-/, '');
    return s === '' ? unsorted : rowSource(pages, orderBy(unsorted, field, s.startsWith('-')));
  }, [pages, s]);

  const [answer] = pages;
  const full = source.rows >= MAX_ROWS;
  const failedToContinue = error !== null && data !== undefined;
  const loadMore = useCallback(() => {
    // A failed page is retried on request, not by scrolling.
    if (hasNextPage && !isFetching && !full && error === null) void fetchNextPage();
  }, [hasNextPage, isFetching, full, error, fetchNextPage]);
  const again = useCallback(() => {
    if (data === undefined) void refetch();
    else if (failedToContinue) void fetchNextPage();
    else {
      void queryClient.resetQueries({ queryKey: key, exact: true });
      // Sidebar and histogram use the same point in time.
      for (const kind of BESIDE) void queryClient.invalidateQueries({ queryKey: [kind] });
    }
  }, [data, failedToContinue, fetchNextPage, key, refetch]);
  const stop = useCallback(() => void queryClient.cancelQueries({ queryKey: key }), [key]);
  const running = isFetching && !isFetchingNextPage;
  const old = data === undefined && pages.length > 0;
  const shownError = data === undefined || failedToContinue ? error : null;
  // The same object while nothing changes: typing renders the page, but not the rows.
  return useMemo(
    () => ({
      answer,
      source,
      running,
      old,
      error: shownError,
      hasMore: hasNextPage,
      full,
      loadMore,
      loadingMore: isFetchingNextPage,
      pages: pages.length,
      again,
      stop,
    }),
    [answer, source, running, old, shownError, hasNextPage, full, loadMore, isFetchingNextPage, pages, again, stop],
  );
}

const none: readonly Answer[] = [];

import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { type Answer, columnOf, wasLimited } from '../../data/answers/answers.js';
import { ROWS } from '../../data/kept-answers.js';
import { queryClient } from '../../data/query-client.js';
import { runQuery } from '../../data/run-query.js';
import { CURSOR, orderBy, type RowSource, rowSource } from '../../rows/row-source.js';
import type { QueryState } from './query-state.js';

const FIRST_ROWS = 500;
const MORE_ROWS = 2000;
/** More rows than anybody reads, and as many as a tab holds well. */
export const MOST_ROWS = 50_000;

/** Answers about the same events, which age with the rows. */
const BESIDE = ['histogram', 'patterns', 'spotlight', 'facts'];

export interface Result {
  /** Undefined until there is a first answer. */
  readonly answer: Answer | undefined;
  readonly source: RowSource;
  readonly running: boolean;
  /** The rows are of the question before: the new answer is on its way. */
  readonly old: boolean;
  readonly error: Error | null;
  /** More rows follow those that are here. */
  readonly hasMore: boolean;
  /** The most rows are here that a page holds. */
  readonly full: boolean;
  readonly loadMore: () => void;
  readonly loadingMore: boolean;
  /** How many pages of rows are here. */
  readonly pages: number;
  /** Asks again. */
  readonly again: () => void;
  readonly stop: () => void;
}

interface NextPage {
  readonly cursor: string;
  readonly from: string;
  readonly to: string;
}

function nextPage(pages: readonly Answer[]): NextPage | undefined {
  const last = pages.at(-1)!;
  const cursor = columnOf(last, CURSOR).at(-1);
  if (typeof cursor !== 'string' || !wasLimited(last)) return undefined;
  // The range stays that of the first page: `now` moves.
  const { start, end } = pages[0]!.table.head.range;
  return { cursor, from: start, to: end };
}

/** The rows of what the address asks, page by page. */
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
    // An answer is what it was: only somebody who runs the query again wants another.
    staleTime: Infinity,
    gcTime: 10 * 60_000,
    retry: false,
    refetchOnReconnect: false,
  });
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = found;

  // What was shown stays until there is something new to show.
  const before = useRef<readonly Answer[]>([]);
  if (data !== undefined) before.current = data.pages;
  const pages = q.trim() === '' ? none : before.current;
  const source = useMemo(() => {
    const unsorted = rowSource(pages);
    const field = s.replace(/^-/, '');
    return s === '' ? unsorted : rowSource(pages, orderBy(unsorted, field, s.startsWith('-')));
  }, [pages, s]);

  const full = source.rows >= MOST_ROWS;
  const failedToContinue = error !== null && data !== undefined;
  return {
    answer: pages[0],
    source,
    running: isFetching && !isFetchingNextPage,
    old: data === undefined && pages.length > 0,
    error: data === undefined || failedToContinue ? error : null,
    hasMore: hasNextPage,
    full,
    loadMore: useCallback(() => {
      // A page that failed is asked for again by a person, not by scrolling.
      if (hasNextPage && !isFetching && !full && error === null) void fetchNextPage();
    }, [hasNextPage, isFetching, full, error, fetchNextPage]),
    loadingMore: isFetchingNextPage,
    pages: pages.length,
    again: useCallback(() => {
      if (data === undefined) void refetch();
      else if (failedToContinue) void fetchNextPage();
      else {
        void queryClient.resetQueries({ queryKey: key, exact: true });
        // What stands beside the rows is of the same moment.
        for (const beside of BESIDE) void queryClient.invalidateQueries({ queryKey: [beside] });
      }
    }, [data, failedToContinue, fetchNextPage, key, refetch]),
    stop: useCallback(() => void queryClient.cancelQueries({ queryKey: key }), [key]),
  };
}

const none: readonly Answer[] = [];

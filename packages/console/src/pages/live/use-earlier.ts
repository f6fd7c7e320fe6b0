import { useQuery } from '@tanstack/react-query';
import { runQuery } from '../../data/run-query.js';
import { earlierRows } from '../../data/tail/earlier-rows.js';
import type { TailRow } from '../../data/tail/tail-messages.js';

/** Events above the line *now*: a screen full, and some to scroll. */
const EARLIER = 100;
/** All times, including those ahead of the clock. */
const ALWAYS = { from: '1970-01-01T00:00:00Z', to: '2262-01-01T00:00:00Z' };

export interface Earlier {
  /** Newest last; undefined while loading. */
  readonly rows: readonly TailRow[] | undefined;
  readonly error: Error | undefined;
}

const none: Earlier = { rows: [], error: undefined };

/**
 * The newest matching events that arrived up to the start of a tail. The tail has exactly the
 * events after that position, so none is missing or shown twice.
 * @param since start of the tail; undefined until the server reports it
 * @param isWanted false for a tail that resumes at a position of its address
 */
export function useEarlier(apl: string, since: string | undefined, isWanted: boolean): Earlier {
  const { data, error } = useQuery({
    queryKey: ['tail-earlier', apl, since],
    queryFn: async ({ signal }) =>
      earlierRows(await runQuery({ apl, ...ALWAYS, asOf: since!, rows: EARLIER }, 'rows', signal)),
    enabled: isWanted && apl !== '' && since !== undefined,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  if (!isWanted) return none;
  return error === null ? { rows: data, error: undefined } : { rows: [], error };
}

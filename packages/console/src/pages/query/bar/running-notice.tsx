import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../data/api.js';
import { shortAmount } from '../../../data/format-units.js';

/** Shorter queries show no progress. */
const LONG_MILLISECONDS = 1500;
const LOOK_AGAIN_MILLISECONDS = 1000;

/** Elapsed seconds and progress of the query. */
export function RunningNotice({ text }: { readonly text: string }) {
  const [started] = useState(() => performance.now());
  const [now, setNow] = useState(started);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  const isLong = now - started > LONG_MILLISECONDS;
  const { data } = useQuery({
    queryKey: ['progress', text, started],
    queryFn: async ({ signal }) => {
      const running = await api.call('listQueries', { signal });
      return running.findLast(({ query, rowsRead }) => query === text && rowsRead !== undefined) ?? null;
    },
    enabled: isLong,
    refetchInterval: LOOK_AGAIN_MILLISECONDS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return (
    <span aria-hidden>
      {((now - started) / 1000).toFixed(1)} s
      {data?.rowsRead !== undefined && ` · ${readText(data.rowsRead, data.rowsTotal)}`}
    </span>
  );
}

const readText = (read: number, total: number | undefined): string =>
  total === undefined
    ? `${shortAmount(read).trimEnd()} rows`
    : `${shortAmount(read).trimEnd()} of ${shortAmount(total).trimEnd()} rows`;

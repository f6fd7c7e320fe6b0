import { outline } from '@millrace/mpl/editor';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { chartPoints } from '../../data/metrics/chart-points.js';
import { runMpl } from '../../data/metrics/metrics-api.js';
import type { Range } from '../../data/time/ranges.js';

/** The result of a query; the previous one stays while the next is loading. */
export const useMplResult = (mpl: string, range: Range) =>
  useQuery({
    queryKey: ['mpl', mpl, range.from, range.to],
    queryFn: ({ signal }) =>
      runMpl(
        // A query with its own range is rejected with another one.
        { mpl, range: outline(mpl)?.hasRange === true ? undefined : range, points: chartPoints(range) },
        'rows',
        signal,
      ),
    enabled: mpl.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });

export type MplResult = ReturnType<typeof useMplResult>;

import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo } from 'react';
import type { Answer } from '../../data/results/results.js';
import type { ChartAnnotation } from '../../charts/series-option.js';
import { api } from '../../data/api.js';
import { useAllowed } from '../../data/catalog.js';
import { instantText, nowInstant } from '../../data/time/instants.js';
import { boundsOf, type Range } from '../../data/time/ranges.js';

/** Annotations of the displayed range: deployments, incidents, firing monitors. */

interface BoardMark extends ChartAnnotation {
  readonly datasets: readonly string[];
}

export const AnnotationsContext = createContext<readonly BoardMark[]>([]);

/** Annotations of the datasets of a result. */
export function useMarksOf({ head }: Answer): readonly ChartAnnotation[] {
  const marks = useContext(AnnotationsContext);
  const key = head.datasetNames.join('\n');
  return useMemo(() => {
    const names = new Set(key.split('\n'));
    return marks.filter(({ datasets }) => datasets.some((name) => names.has(name)));
  }, [marks, key]);
}

const none: readonly BoardMark[] = [];
const LOOK_MILLISECONDS = 60_000;

export function useDashboardAnnotations({ from, to }: Range, shown: boolean): readonly BoardMark[] {
  const allowed = useAllowed({ org: 'annotations', action: 'read' });
  const { data } = useQuery({
    queryKey: ['annotations', from, to],
    queryFn: ({ signal }) => {
      const bounds = boundsOf({ from, to }, nowInstant());
      const query = bounds && { start: instantText(bounds.start), end: instantText(bounds.end) };
      return api.call('listAnnotations', { ...(query && { query }), signal });
    },
    refetchInterval: LOOK_MILLISECONDS,
    enabled: shown && allowed,
  });
  return useMemo(
    () =>
      !shown || data === undefined
        ? none
        : data.map(({ datasets, type, time, endTime, title }) => ({
            datasets,
            title: title ?? type,
            from: Date.parse(time),
            ...(endTime !== undefined && { to: Date.parse(endTime) }),
            bad: type === 'alert',
          })),
    [data, shown],
  );
}

import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo } from 'react';
import type { Answer } from '../../data/answers/answers.js';
import type { ChartMark } from '../../charts/series-option.js';
import { api } from '../../data/api.js';
import { useMay } from '../../data/catalogue.js';
import { instantText, nowInstant } from '../../data/time/instants.js';
import { boundsOf, type Range } from '../../data/time/ranges.js';

/** Annotations of the range that is shown: deployments, incidents, monitors that were open. */

interface BoardMark extends ChartMark {
  readonly datasets: readonly string[];
}

export const MarksContext = createContext<readonly BoardMark[]>([]);

/** Those about the datasets of an answer. */
export function useMarksOf({ head }: Answer): readonly ChartMark[] {
  const marks = useContext(MarksContext);
  const key = head.datasetNames.join('\n');
  return useMemo(() => {
    const names = new Set(key.split('\n'));
    return marks.filter(({ datasets }) => datasets.some((name) => names.has(name)));
  }, [marks, key]);
}

const none: readonly BoardMark[] = [];
const LOOK_MILLISECONDS = 60_000;

export function useMarks({ from, to }: Range, shown: boolean): readonly BoardMark[] {
  const allowed = useMay({ org: 'annotations', action: 'read' });
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

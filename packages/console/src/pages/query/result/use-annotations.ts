import { useQuery } from '@tanstack/react-query';
import type { HistogramMark } from '../../../charts/histogram-data.js';
import { api } from '../../../data/api.js';
import { useAllowed } from '../../../data/catalog.js';
import { queryClient } from '../../../data/query-client.js';
import { instantText, parseInstant } from '../../../data/time/instants.js';
import type { Bounds } from '../../../data/time/ranges.js';

const key = ['annotations'] as const;

export const refreshAnnotations = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key });

/** Annotations of a dataset, such as deployments. */
export function useAnnotations(dataset: string | undefined, bounds: Bounds | undefined): readonly HistogramMark[] {
  const allowed = useAllowed({ org: 'annotations', action: 'read' });
  const [start, end] = bounds === undefined ? ['', ''] : [instantText(bounds.start), instantText(bounds.end)];
  const { data } = useQuery({
    queryKey: [...key, dataset, start, end],
    queryFn: async ({ signal }): Promise<readonly HistogramMark[]> => {
      const found = await api.call('listAnnotations', { query: { datasets: [dataset!], start, end }, signal });
      return found.flatMap(({ id, time, endTime, title, type, description }) => {
        const at = parseInstant(time);
        if (at === undefined) return [];
        const parts = [type, title, description].filter((each) => each !== undefined && each !== '');
        return [{ id, start: at, end: parseInstant(endTime ?? ''), title: parts.join(': ') }];
      });
    },
    enabled: dataset !== undefined && bounds !== undefined && allowed,
    staleTime: 60_000,
    retry: false,
  });
  return data ?? [];
}

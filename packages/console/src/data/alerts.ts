import type { AnswerOf } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { api } from './api.js';
import { useMay } from './catalogue.js';
import { queryClient } from './query-client.js';

/** Monitors, how they stand, and who is told: asked once for all pages. */

export type Monitor = AnswerOf<'getMonitor'>;
export type MonitorStatus = AnswerOf<'listMonitorStatus'>[number];
export type Recent = AnswerOf<'listRecentRuns'>[number];
export type Run = AnswerOf<'listMonitorRuns'>[number];
export type Notifier = AnswerOf<'getNotifier'>;

/** How often pages look again at what changes by itself. */
const LOOK_MILLISECONDS = 15_000;

export const useMonitors = () =>
  useQuery({ queryKey: ['alerts', 'monitors'], queryFn: ({ signal }) => api.call('listMonitors', { signal }) });

export function useMonitorStatus() {
  const allowed = useMay({ org: 'monitors', action: 'read' });
  return useQuery({
    queryKey: ['alerts', 'status'],
    queryFn: ({ signal }) => api.call('listMonitorStatus', { signal }),
    refetchInterval: LOOK_MILLISECONDS,
    enabled: allowed,
  });
}

export const useRecentRuns = () =>
  useQuery({
    queryKey: ['alerts', 'recent'],
    queryFn: ({ signal }) => api.call('listRecentRuns', { signal }),
    refetchInterval: LOOK_MILLISECONDS,
  });

export const useRuns = (id: string) =>
  useQuery({
    queryKey: ['alerts', 'runs', id],
    queryFn: ({ signal }) => api.call('listMonitorRuns', { params: { id }, signal }),
    refetchInterval: LOOK_MILLISECONDS,
  });

export const useServerHealth = () =>
  useQuery({
    queryKey: ['alerts', 'health'],
    queryFn: ({ signal }) => api.call('getServerHealth', { signal }),
    refetchInterval: LOOK_MILLISECONDS,
  });

export const useNotifiers = () =>
  useQuery({ queryKey: ['alerts', 'notifiers'], queryFn: ({ signal }) => api.call('listNotifiers', { signal }) });

/** After something that changed them. */
export const refreshAlerts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['alerts'] });

/** How many monitors are open, for the rail; undefined if none is. */
export function useFiringCount(): { readonly count: number; readonly says: string } | undefined {
  const count = (useMonitorStatus().data ?? []).filter(({ state }) => state === 'open' || state === 'nodata').length;
  return count === 0 ? undefined : { count, says: `${count} firing` };
}

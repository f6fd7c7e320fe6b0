import type { AnswerOf } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { api } from './api.js';
import { useAllowed } from './catalog.js';
import { queryClient } from './query-client.js';

/** Monitors, their states and notifiers, cached for all pages. */

export type Monitor = AnswerOf<'getMonitor'>;
export type MonitorStatus = AnswerOf<'listMonitorStatus'>[number];
export type Recent = AnswerOf<'listRecentRuns'>[number];
export type Run = AnswerOf<'listMonitorRuns'>[number];
export type Notifier = AnswerOf<'getNotifier'>;
export type Silence = AnswerOf<'getSilence'>;

/** Query of requests whose response has MPL apart from APL. */
export const withMpl = { include: 'mplQuery' } as const;

/** Polling interval of changing data. */
const LOOK_MILLISECONDS = 15_000;

const readMonitors = { org: 'monitors', action: 'read' } as const;
const readNotifiers = { org: 'notifiers', action: 'read' } as const;

export function useMonitors() {
  const enabled = useAllowed(readMonitors);
  return useQuery({
    queryKey: ['alerts', 'monitors'],
    queryFn: ({ signal }) => api.call('listMonitors', { query: withMpl, signal }),
    enabled,
  });
}

export function useMonitorStatus() {
  const enabled = useAllowed(readMonitors);
  return useQuery({
    queryKey: ['alerts', 'status'],
    queryFn: ({ signal }) => api.call('listMonitorStatus', { signal }),
    refetchInterval: LOOK_MILLISECONDS,
    enabled,
  });
}

export function useRecentRuns() {
  const enabled = useAllowed(readMonitors);
  return useQuery({
    queryKey: ['alerts', 'recent'],
    queryFn: ({ signal }) => api.call('listRecentRuns', { signal }),
    refetchInterval: LOOK_MILLISECONDS,
    enabled,
  });
}

export const useRuns = (id: string) =>
  useQuery({
    queryKey: ['alerts', 'runs', id],
    queryFn: ({ signal }) => api.call('listMonitorRuns', { params: { id }, signal }),
    refetchInterval: LOOK_MILLISECONDS,
  });

export function useServerHealth() {
  const enabled = useAllowed(readMonitors);
  return useQuery({
    queryKey: ['alerts', 'health'],
    queryFn: ({ signal }) => api.call('getServerHealth', { signal }),
    refetchInterval: LOOK_MILLISECONDS,
    enabled,
  });
}

export function useNotifiers() {
  const enabled = useAllowed(readNotifiers);
  return useQuery({
    queryKey: ['alerts', 'notifiers'],
    queryFn: ({ signal }) => api.call('listNotifiers', { signal }),
    enabled,
  });
}

export function useSilences() {
  const enabled = useAllowed(readMonitors);
  return useQuery({
    queryKey: ['alerts', 'silences'],
    queryFn: ({ signal }) => api.call('listSilences', { signal }),
    refetchInterval: LOOK_MILLISECONDS,
    enabled,
  });
}

/** Invalidates them after a change. */
export const refreshAlerts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['alerts'] });

/**
 * Monitor state in the console: as the API has it, `failing` for a monitor that cannot run, and
 * `pending` before the first run, which the API reports as `ok`. A monitor that fires stays firing.
 */
export type ShownState = MonitorStatus['state'] | 'failing' | 'pending';

export function shownState({
  state,
  failing,
  lastRun,
}: Pick<MonitorStatus, 'state' | 'failing' | 'lastRun'>): ShownState {
  if (failing !== undefined && (state === 'error' || state === 'ok')) return 'failing';
  return state === 'ok' && lastRun === undefined ? 'pending' : state;
}

/** Number of firing and failing monitors for the sidebar; undefined for none. */
export function useFiringCount(): { readonly count: number; readonly says: string } | undefined {
  return firingCount(useMonitorStatus().data ?? []);
}

/** Counts monitors that fire and monitors that cannot run. */
export function firingCount(
  all: readonly Pick<MonitorStatus, 'state' | 'failing' | 'lastRun'>[],
): { readonly count: number; readonly says: string } | undefined {
  const shown = all.map(shownState);
  const firing = shown.filter((state) => state === 'open' || state === 'nodata').length;
  const failing = shown.filter((state) => state === 'failing').length;
  if (firing + failing === 0) return undefined;
  const says = [...(firing > 0 ? [`${firing} firing`] : []), ...(failing > 0 ? [`${failing} failing`] : [])];
  return { count: firing + failing, says: says.join(', ') };
}

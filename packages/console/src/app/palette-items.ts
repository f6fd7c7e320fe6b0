import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMonitors } from '../data/alerts.js';
import { api } from '../data/api.js';
import { useAllowed, useAllowedSomewhere } from '../data/catalog.js';
import { useSavedQueries } from '../data/saved-queries.js';
import type { PaletteItem } from './palette-entries.js';

/** Parts of pages, found by their title. */
const parts: readonly PaletteItem[] = [
  ...['Appearance', 'Time zone', 'Sessions'].map((title) => ({
    title,
    group: 'Settings',
    to: '/settings',
    search: {},
  })),
  ...['Tokens', 'Users', 'Roles', 'Groups', 'Sessions'].map((title) => ({
    title,
    group: 'Access',
    to: `/access/${title.toLowerCase()}`,
    search: {},
  })),
  { title: 'Notifiers', group: 'Monitors', to: '/notifiers', search: {} },
].map((part) => ({ ...part, id: `part.${part.group}.${part.title}` }));

const readDashboards = { org: 'dashboards', action: 'read' } as const;

/** Queries of the history that are found. */
const MAX_RECENT = 50;

/** The latest queries, each once. */
export function useRecentQueries(): readonly PaletteItem[] {
  const enabled = useAllowedSomewhere('query', 'read');
  const { data } = useQuery({
    enabled,
    queryKey: ['history', 'recent'],
    queryFn: ({ signal }) => api.call('listHistory', { query: { limit: MAX_RECENT, kind: 'apl' }, signal }),
  });
  return useMemo(() => {
    const byText = new Map((data ?? []).toReversed().map((entry) => [String(Object(entry.query).apl ?? ''), entry]));
    byText.delete('');
    return [...byText].toReversed().map(([q]) => ({
      id: `recent.${q}`,
      title: q.replaceAll(/\s+/g, ' '),
      group: 'Recent query',
      to: '/query',
      search: { q },
    }));
  }, [data]);
}

/** Dashboards, monitors, saved queries and settings; loaded when the palette opens. */
export function usePaletteItems(): readonly PaletteItem[] {
  const enabled = useAllowed(readDashboards);
  const { data: dashboards } = useQuery({
    queryKey: ['dashboards'],
    queryFn: ({ signal }) => api.call('listDashboards', { query: { limit: 1000 }, signal }),
    enabled,
  });
  const { data: monitors } = useMonitors();
  const { data: saved } = useSavedQueries();
  return useMemo(
    () => [
      ...(dashboards ?? []).map(({ uid, dashboard }) => ({
        id: `dashboard.${uid}`,
        title: typeof dashboard['name'] === 'string' ? dashboard['name'] : uid,
        group: 'Dashboard',
        to: `/dashboards/${encodeURIComponent(uid)}`,
        search: {},
      })),
      ...(monitors ?? []).map(({ id, name }) => ({
        id: `monitor.${id}`,
        title: name,
        group: 'Monitor',
        to: `/monitors/${encodeURIComponent(id)}`,
        search: {},
      })),
      ...(saved ?? []).map(({ id, name, query, metadata }) => ({
        id: `saved.${id}`,
        title: name,
        group: 'Saved query',
        to: '/query',
        search: {
          q: String(query['apl'] ?? ''),
          from: String(query['startTime'] ?? 'now-1h'),
          to: String(query['endTime'] ?? 'now'),
          ...(metadata['view'] !== undefined && { v: metadata['view'] }),
          ...(metadata['columns'] && { c: metadata['columns'] }),
        },
      })),
      ...parts,
    ],
    [dashboards, monitors, saved],
  );
}

import type { MonitorStatus } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/api.js';
import { Chip } from '../../../widgets/chip.js';
import { DataTable } from '../../../widgets/data-table.js';
import { ErrorState, Loading } from '../../../widgets/states.js';
import { flagMember, membersOf, nameOf } from '../document.js';
import type { ElementKind, StandProps } from './element-kind.js';

interface State {
  readonly title: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
}

const shownStates: Readonly<Record<MonitorStatus['state'], State>> = {
  ok: { title: 'Quiet', tone: 'good' },
  open: { title: 'Firing', tone: 'bad' },
  nodata: { title: 'No data', tone: 'warn' },
  error: { title: 'Fails', tone: 'warn' },
  off: { title: 'Off', tone: 'plain' },
};

const REFRESHED_EACH = 60_000;

/** Monitors with their state; all of them, if the document names none. */
function MonitorList({ chart }: StandProps) {
  const [sort, setSort] = useState('name');
  const monitors = useQuery({
    queryKey: ['monitors'],
    queryFn: ({ signal }) => api.call('listMonitors', { signal }),
    refetchInterval: REFRESHED_EACH,
  });
  const status = useQuery({
    queryKey: ['monitor-status'],
    queryFn: ({ signal }) => api.call('listMonitorStatus', { signal }),
    refetchInterval: REFRESHED_EACH,
  });
  if (monitors.error !== null)
    return (
      <ErrorState title="The monitors cannot be shown" error={monitors.error} onRetry={() => void monitors.refetch()} />
    );
  if (monitors.data === undefined) return <Loading lines={3} />;
  const { selectedMonitors } = chart;
  const chosen =
    Array.isArray(selectedMonitors) && selectedMonitors.length > 0 ? new Set<unknown>(selectedMonitors) : undefined;
  const states = new Map((status.data ?? []).map((each) => [each.id, each]));
  const columns = membersOf(chart['columns']);
  const shows = (name: string): boolean => flagMember(columns, name) !== false;
  const stateOf = (id: string): State => shownStates[states.get(id)?.state ?? 'off'];
  return (
    <DataTable
      label={nameOf(chart)}
      items={monitors.data.filter(({ id }) => chosen === undefined || chosen.has(id))}
      idOf={({ id }) => id}
      sort={sort}
      onSort={setSort}
      empty="No monitor"
      columns={[
        { id: 'name', title: 'Monitor', cell: ({ name }) => name, by: ({ name }) => name, isName: true },
        ...(shows('status')
          ? [
              {
                id: 'status',
                title: 'State',
                by: ({ id }: { readonly id: string }) => stateOf(id).title,
                cell: ({ id }: { readonly id: string }) => {
                  const { title, tone } = stateOf(id);
                  return <Chip tone={tone}>{title}</Chip>;
                },
              },
            ]
          : []),
        ...(shows('type') ? [{ id: 'type', title: 'Kind', cell: ({ type }: { readonly type: string }) => type }] : []),
        ...(shows('notifiers')
          ? [
              {
                id: 'notifiers',
                title: 'Notifiers',
                align: 'end' as const,
                cell: ({ notifierIds }: { readonly notifierIds: readonly string[] }) => notifierIds.length,
              },
            ]
          : []),
      ]}
    />
  );
}

export const monitorList: ElementKind = {
  title: 'Monitors',
  size: [6, 4],
  asks: false,
  starter: {
    selectedMonitors: [],
    columns: { status: true, history: true, dataset: true, type: true, notifiers: true },
  },
  Draw: MonitorList,
};

import { useState } from 'react';
import { RunStrip } from '../../../charts/state-strip.js';
import {
  type Monitor,
  shownState,
  useMonitors,
  useMonitorStatus,
  useNotifiers,
  useRecentRuns,
} from '../../../data/alerts.js';
import { sourceIn } from '../../../data/apl-text.js';
import { type DataColumn, DataTable } from '../../../widgets/data-table.js';
import { rankOf, StateChip } from '../../../widgets/monitor-state.js';
import { WithPermission } from '../../../widgets/no-access.js';
import { ErrorState, LoadingNotice } from '../../../widgets/states.js';
import { flagMember, membersOf, shownName } from '../document/document.js';
import type { ElementKind, StaticElementProps } from './element-kind.js';

/** Runs per row. */
const RUNS = 20;

/** Monitors with their state; all, if the document names none. */
function MonitorList({ chart }: StaticElementProps) {
  const [sort, setSort] = useState('status');
  const monitors = useMonitors();
  const status = useMonitorStatus();
  const recent = useRecentRuns();
  const notifiers = useNotifiers();
  if (monitors.error !== null)
    return (
      <ErrorState title="The monitors cannot be shown" error={monitors.error} onRetry={() => void monitors.refetch()} />
    );
  if (monitors.data === undefined)
    return (
      <WithPermission need={{ org: 'monitors', action: 'read' }} subject="monitors">
        <LoadingNotice lines={3} />
      </WithPermission>
    );
  const { selectedMonitors } = chart;
  const chosen =
    Array.isArray(selectedMonitors) && selectedMonitors.length > 0 ? new Set<unknown>(selectedMonitors) : undefined;
  const states = new Map(status.data?.map((each) => [each.id, shownState(each)]));
  const runs = new Map(recent.data?.map((each) => [each.id, each.runs]));
  const names = new Map(notifiers.data?.map(({ id, name }) => [id, name]));
  const stateOf = ({ id }: Monitor) => states.get(id) ?? 'pending';
  /** Optional columns, by their name in the document. */
  const optional: readonly DataColumn<Monitor>[] = [
    {
      id: 'status',
      title: 'State',
      by: (monitor) => rankOf(stateOf(monitor)),
      cell: (monitor) => <StateChip state={stateOf(monitor)} monitor={monitor} runs={runs.get(monitor.id) ?? []} />,
    },
    {
      id: 'history',
      title: `Last ${RUNS} runs`,
      cell: ({ id }) => (
        <RunStrip
          places={RUNS}
          states={(runs.get(id) ?? [])
            .slice(0, RUNS)
            .map(({ state }) => state)
            .toReversed()}
        />
      ),
    },
    {
      id: 'dataset',
      title: 'Dataset',
      by: ({ aplQuery }) => sourceIn(aplQuery) ?? '',
      cell: ({ aplQuery }) => sourceIn(aplQuery) ?? '–',
    },
    { id: 'type', title: 'Kind', by: ({ type }) => type, cell: ({ type }) => type },
    {
      id: 'notifiers',
      title: 'Notifiers',
      cell: ({ notifierIds }) => notifierIds.map((id) => names.get(id) ?? id).join(', ') || '–',
    },
  ];
  const columns = membersOf(chart['columns']);
  return (
    <DataTable
      label={shownName(chart)}
      items={monitors.data.filter(({ id }) => chosen === undefined || chosen.has(id))}
      idOf={({ id }) => id}
      sort={sort}
      onSort={setSort}
      empty="No monitor"
      columns={[
        { id: 'name', title: 'Monitor', cell: ({ name }) => name, by: ({ name }) => name, isName: true },
        ...optional.filter(({ id }) => flagMember(columns, id) !== false),
      ]}
    />
  );
}

export const monitorList: ElementKind = {
  title: 'Monitors',
  about: 'Monitors with their state and last runs.',
  size: [6, 4],
  asks: false,
  starter: {
    selectedMonitors: [],
    columns: { status: true, history: true, dataset: true, type: true, notifiers: true },
  },
  Draw: MonitorList,
};

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { RunStrip } from '../../charts/state-strip.js';
import {
  type Monitor,
  type Recent,
  shownState,
  type ShownState,
  useMonitors,
  useMonitorStatus,
  useNotifiers,
  useRecentRuns,
} from '../../data/alerts.js';
import { muteMonitors, turnOff } from '../../data/mute.js';
import { choiceParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button } from '../../widgets/inputs/button.js';
import { DataTable } from '../../widgets/data-table.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import { MuteMenu } from '../../widgets/overlays/mute-menu.js';
import { RecordPage } from '../../widgets/record-page.js';
import { Chip } from '../../widgets/chip.js';
import { Select } from '../../widgets/inputs/select.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { sourceIn } from '../../data/apl-text.js';
import { chartRuns, conditionOf, labelLines, severityOf, severityTitles, severityTones } from './describe-monitor.js';
import styles from './monitors.module.css';
import { ServerHealth } from './server-health.js';
import { SilenceDrawer } from './silences/silence-drawer.js';
import { rankOf, SilencedChip, StateChip } from '../../widgets/monitor-state.js';
import { ValueSpark } from './value-spark.js';

const filters = {
  all: { title: 'All', has: () => true },
  firing: { title: 'Firing', has: (state) => state === 'open' || state === 'nodata' },
  failing: { title: 'Query failed', has: (state) => state === 'error' || state === 'failing' },
  ok: { title: 'OK', has: (state) => state === 'ok' },
  muted: { title: 'Muted', has: (state) => state === 'off' },
} as const satisfies Readonly<Record<string, { title: string; has: (state: ShownState) => boolean }>>;
type Filter = keyof typeof filters;
const filterNames = Object.keys(filters) as readonly Filter[];

const severityFilters = ['all', 'critical', 'error', 'warning', 'info'] as const;

const params = {
  severity: choiceParam(severityFilters, 'all'),
  label: textParam(),
  q: textParam(),
  state: choiceParam(filterNames, 'all'),
  sort: textParam('state'),
};

interface Row {
  readonly monitor: Monitor;
  readonly state: ShownState;
  readonly silencedUntil: string | undefined;
  readonly recent: Recent | undefined;
}

const update = { org: 'monitors', action: 'update' } as const;
const create = { org: 'monitors', action: 'create' } as const;
/** Runs per row. */
const RUNS = 30;

/** All monitors with their state, most urgent first. */
export function MonitorsPage() {
  const [{ q, state, severity, label, sort }, change] = useUrlState(params);
  const navigate = useNavigate();
  const monitors = useMonitors();
  const status = useMonitorStatus();
  const recent = useRecentRuns();
  const notifiers = useNotifiers().data ?? [];
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [silencing, setSilencing] = useState(false);

  const statusOf = new Map(status.data?.map((each) => [each.id, each]));
  const recentOf = new Map(recent.data?.map((each) => [each.id, each]));
  const rows: readonly Row[] = (monitors.data ?? []).map((monitor) => {
    const known = statusOf.get(monitor.id);
    return {
      monitor,
      state: known === undefined ? 'pending' : shownState(known),
      silencedUntil: known?.silencedUntil,
      recent: recentOf.get(monitor.id),
    };
  });
  const found = rows.filter(
    ({ monitor, state: stands }) =>
      filters[state].has(stands) &&
      (severity === 'all' || severityOf(monitor) === severity) &&
      (label === '' || labelLines(monitor).includes(label)) &&
      [monitor.name, monitor.aplQuery, monitor.mplQuery ?? '', ...labelLines(monitor)]
        .join(' ')
        .toLowerCase()
        .includes(q.toLowerCase()),
  );
  const known = [...new Set(rows.flatMap(({ monitor }) => labelLines(monitor)))].toSorted();
  const chosen = found.filter(({ monitor }) => selected.has(monitor.id)).map(({ monitor }) => monitor);
  const names = new Map(notifiers.map(({ id, name }) => [id, name]));
  const isLoaded = !monitors.isPending && !status.isPending;
  return (
    <RecordPage
      title="Monitors"
      noun="a monitor"
      records={{
        data: isLoaded ? rows : undefined,
        error: monitors.error ?? status.error,
        refetch: () => Promise.all([monitors.refetch(), status.refetch()]),
      }}
      isEmpty={({ length }) => length === 0}
      about="A monitor runs a query on a schedule and notifies when its condition is met. Preview past alerts before saving."
      needs={create}
      onNew={() => void navigate({ to: '/monitors/new' })}
      overlay={
        <>
          {silencing && (
            <SilenceDrawer draft={{ monitorIds: chosen.map(({ id }) => id) }} onClose={() => setSilencing(false)} />
          )}
          <ServerHealth notifierNames={names} places={RUNS} />
        </>
      }
    >
      {() => (
        <>
          <div className={styles.tools}>
            {chosen.length === 0 ? (
              <>
                <SegmentedInput
                  label="State"
                  value={state}
                  choices={filterNames.map((id) => ({
                    id,
                    title: `${filters[id].title} ${rows.filter((row) => filters[id].has(row.state)).length}`,
                  }))}
                  onChange={(next) => change({ state: next })}
                />
                <TextField
                  label="Filter"
                  bare
                  type="search"
                  placeholder="Name, dataset, query or label"
                  value={q}
                  onChange={(next) => change({ q: next })}
                  className={styles.search}
                />
                <Select
                  label="Severity"
                  bare
                  value={severity}
                  choices={severityFilters.map((id) => ({
                    id,
                    title: id === 'all' ? 'All severities' : severityTitles[id],
                  }))}
                  onChange={(next) => change({ severity: next })}
                  className={styles.filter}
                />
                {(known.length > 0 || label !== '') && (
                  <Select
                    label="Label"
                    bare
                    value={label}
                    choices={[
                      { id: '', title: 'All labels' },
                      ...[...new Set([...known, ...(label === '' ? [] : [label])])].map((id) => ({ id, title: id })),
                    ]}
                    onChange={(next) => change({ label: next })}
                    className={styles.filter}
                  />
                )}
              </>
            ) : (
              <>
                <span role="status">{chosen.length} selected</span>
                <MuteMenu
                  what={chosen.length === 1 ? chosen[0]!.name : `${chosen.length} monitors`}
                  needs={update}
                  isSilent={found.some(({ monitor, state: stands }) => selected.has(monitor.id) && stands === 'off')}
                  onUntil={(until) => muteMonitors(chosen, until).then(() => setSelected(new Set()))}
                  onOff={() => turnOff(chosen).then(() => setSelected(new Set()))}
                  onSilence={() => setSilencing(true)}
                />
                <Button kind="quiet" onPress={() => setSelected(new Set())}>
                  Clear selection
                </Button>
              </>
            )}
          </div>
          <DataTable
            label="Monitors"
            columns={columns(names)}
            items={found}
            idOf={({ monitor }) => monitor.id}
            sort={sort}
            onSort={(next) => change({ sort: next })}
            onOpen={({ monitor }) => void navigate({ to: `/monitors/${monitor.id}` as string })}
            selected={selected}
            onSelected={setSelected}
            empty={<p className={styles.nothing}>No monitors match these filters.</p>}
          />
        </>
      )}
    </RecordPage>
  );
}

const columns = (notifierNames: ReadonlyMap<string, string>) => [
  {
    id: 'state',
    title: 'State',
    by: ({ state }: Row) => rankOf(state),
    cell: ({ state, monitor, recent, silencedUntil }: Row) => (
      <span className={styles.delivery}>
        <StateChip state={state} monitor={monitor} runs={recent?.runs ?? []} />
        <SilencedChip until={silencedUntil} />
      </span>
    ),
  },
  {
    id: 'name',
    title: 'Name',
    isName: true,
    by: ({ monitor }: Row) => monitor.name,
    cell: ({ monitor }: Row) => (
      <span className={styles.name}>
        {monitor.name}
        <span className={styles.condition}>{conditionOf(monitor)}</span>
        {monitor.labels !== undefined && (
          <span className={styles.labels}>
            {labelLines(monitor).map((line) => (
              <Chip key={line}>{line}</Chip>
            ))}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'severity',
    title: 'Severity',
    aside: true,
    by: ({ monitor }: Row) => severityFilters.indexOf(severityOf(monitor)),
    cell: ({ monitor }: Row) => (
      <Chip tone={severityTones[severityOf(monitor)]}>{severityTitles[severityOf(monitor)]}</Chip>
    ),
  },
  {
    id: 'value',
    title: 'Last value',
    aside: true,
    cell: ({ monitor, recent }: Row) => (
      <ValueSpark
        runs={chartRuns(recent?.runs ?? [])}
        threshold={monitor.type === 'Threshold' ? monitor.threshold : undefined}
        interval={monitor.intervalMinutes * 60_000}
      />
    ),
  },
  {
    id: 'runs',
    title: `Last ${RUNS} runs`,
    aside: true,
    cell: ({ recent }: Row) => (
      <RunStrip states={(recent?.runs ?? []).map(({ state }) => state).toReversed()} places={RUNS} />
    ),
  },
  {
    id: 'changed',
    title: 'Changed',
    aside: true,
    by: ({ recent }: Row) => recent?.changed?.timestamp ?? '',
    cell: ({ recent }: Row) =>
      recent?.changed === undefined ? (
        <span className={styles.none}>never</span>
      ) : (
        <RelativeTime at={recent.changed.timestamp} />
      ),
  },
  {
    id: 'notifiers',
    title: 'Notifiers',
    aside: true,
    cell: ({ monitor }: Row) =>
      monitor.notifierIds.length === 0 ? (
        <span className={styles.none}>None</span>
      ) : (
        monitor.notifierIds.map((id) => notifierNames.get(id) ?? id).join(', ')
      ),
  },
  {
    id: 'dataset',
    title: 'Dataset',
    aside: true,
    by: ({ monitor }: Row) => sourceIn(monitor.aplQuery) ?? '',
    cell: ({ monitor }: Row) => sourceIn(monitor.aplQuery) ?? '–',
  },
];

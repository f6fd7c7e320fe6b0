import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { BellOff, ListTree } from 'lucide-react';
import { useState } from 'react';
import { RunChart } from '../../../charts/run-chart.js';
import { api } from '../../../data/api.js';
import { type Monitor, useNotifiers, useRuns, useSilences, withMpl } from '../../../data/alerts.js';
import { sourceIn } from '../../../data/apl-text.js';
import { useCatalog } from '../../../data/catalog.js';
import { useUserNames } from '../../../data/user-names.js';
import { usePreferences } from '../../../data/preferences.js';
import { visibleText } from '../../../data/results/visible-text.js';
import { useNow } from '../../../data/use-now.js';
import { wordsOfMinutes } from '../../../data/format-units.js';
import { askLanguage } from '../../../editor/language.js';
import { Chip } from '../../../widgets/chip.js';
import { DescriptionList } from '../../../widgets/description-list.js';
import { Button } from '../../../widgets/inputs/button.js';
import { BarSpace, Page } from '../../../widgets/page.js';
import { Day, RelativeTime } from '../../../widgets/relative-time.js';
import { ErrorState, LoadingNotice } from '../../../widgets/states.js';
import { chartRuns, conditionOf, severityOf, severityTitles, sideOf } from '../describe-monitor.js';
import styles from '../monitors.module.css';
import { silencedMonitors } from '../silences/describe-silence.js';
import { SilenceDrawer } from '../silences/silence-drawer.js';
import { rowsQuery } from './rows-query.js';
import { Timeline } from './timeline-list.js';
import { type Incident, openFor, timelineOf } from './timeline.js';

const update = { org: 'monitors', action: 'update' } as const;

/** One incident: why it opened, who was notified, and what else happened. */
export function IncidentPage() {
  const { id = '', incident: reference = '' } = useParams({ strict: false }) as {
    readonly id?: string;
    readonly incident?: string;
  };
  const monitor = useQuery({
    queryKey: ['alerts', 'monitor', id],
    queryFn: ({ signal }) => api.call('getMonitor', { params: { id }, query: withMpl, signal }),
  });
  const incident = useQuery({
    queryKey: ['alerts', 'incident', id, reference],
    queryFn: ({ signal }) => api.call('getIncident', { params: { id, incident: reference }, signal }),
    refetchInterval: (query) => (query.state.data?.closedAt === undefined ? 15_000 : false),
  });
  if (monitor.data !== undefined && incident.data !== undefined)
    return <IncidentDetails key={incident.data.id} monitor={monitor.data} incident={incident.data} />;
  const error = monitor.error ?? incident.error;
  return (
    <Page title="Incident" flow={error === null ? 'running' : 'failed'}>
      {error === null ? (
        <LoadingNotice />
      ) : (
        <ErrorState
          title="Could not load the incident"
          error={error}
          onRetry={() => void Promise.all([monitor.refetch(), incident.refetch()])}
          {...(monitor.data !== undefined && {
            actions: <Link to={`/monitors/${id}` as string}>Go to {monitor.data.name}</Link>,
          })}
        />
      )}
    </Page>
  );
}

function IncidentDetails({ monitor, incident }: { readonly monitor: Monitor; readonly incident: Incident }) {
  const navigate = useNavigate();
  const now = useNow(10_000);
  const [silencing, setSilencing] = useState(false);
  const { keys, values, openedAt, closedAt } = incident;
  const isMatch = monitor.type === 'MatchEvent';
  const isOpen = closedAt === undefined && !isMatch;
  const rows = useRowsQuery(monitor, incident);
  const pinnedQuery = (q: string) => ({
    q,
    from: incident.start,
    to: incident.end,
    ...(incident.position !== undefined && { asof: incident.position }),
  });
  return (
    <Page
      title={incident.name}
      bar={
        <>
          <Chip tone={isOpen ? 'bad' : isMatch ? 'warn' : 'good'}>
            {isOpen ? 'Open' : isMatch ? 'Matched' : 'Resolved'}
          </Chip>
          <span className={styles.hint}>
            {isMatch ? (
              <RelativeTime at={openedAt} />
            ) : (
              `for ${wordsOfMinutes(Math.round(openFor(incident, now) / 60_000))}`
            )}
          </span>
          <BarSpace />
          <Button
            needs={update}
            onPress={() => setSilencing(true)}
            hint={keys.length === 0 ? 'Silences the monitor' : 'Silences this group'}
          >
            <BellOff aria-hidden /> Silence this…
          </Button>
          <Button
            kind="primary"
            disabled={rows === undefined}
            onPress={() =>
              rows !== undefined && void navigate({ to: '/query' as string, search: pinnedQuery(rows) as never })
            }
          >
            <ListTree aria-hidden /> Show the events
          </Button>
        </>
      }
    >
      <div className={styles.columns}>
        <div className={styles.main}>
          <p className={styles.opening}>{incident.text}</p>
          {keys.length > 0 && (
            <ul className={styles.groups} aria-label="Group">
              {keys.map((key, index) => (
                <li key={key}>
                  <Chip tone={isOpen ? 'bad' : 'plain'}>
                    <span className={styles.groupName}>{visibleText(`${key}: ${String(values[index])}`)}</span>
                  </Chip>
                </li>
              ))}
            </ul>
          )}
          {incident.edited && (
            <p className={styles.warning} role="status">
              The condition of the monitor has changed since. Links use the present query.
            </p>
          )}
          <RunsAround monitor={monitor} incident={incident} />
          <h2 className={styles.heading}>Timeline</h2>
          <History monitor={monitor} incident={incident} />
        </div>
        <aside className={styles.side} aria-label="Incident">
          <DescriptionList
            facts={[
              [
                'Monitor',
                <Link key="monitor" to={`/monitors/${monitor.id}` as string}>
                  {monitor.name}
                </Link>,
              ],
              ['Opened', <Day key="opened" at={openedAt} />],
              ...(isMatch
                ? []
                : [['Resolved', closedAt === undefined ? 'not yet' : <Day key="closed" at={closedAt} />] as const]),
              ...(incident.value === undefined
                ? []
                : [
                    [
                      isMatch ? 'Events' : 'Value',
                      incident.value.toLocaleString('en', { maximumFractionDigits: 10 }),
                    ] as const,
                  ]),
              ['Condition', conditionOf(monitor)],
              ['Severity', severityTitles[severityOf(monitor)]],
              [
                'Queried range',
                <span key="range">
                  <Day at={incident.start} /> – <Day at={incident.end} />
                </span>,
              ],
              ['Run', <code key="run">{incident.checkId}</code>],
            ]}
          />
          <Link to={'/query' as string} search={pinnedQuery(monitor.aplQuery) as never}>
            Open the result of that run in Query
          </Link>
          <p className={styles.hint}>
            {incident.position === undefined
              ? 'Events that arrived later are included.'
              : 'Both links leave out events that arrived after the run.'}
          </p>
        </aside>
      </div>
      {silencing && (
        <SilenceDrawer
          draft={{
            monitorIds: [monitor.id],
            groups: keys.map((key, index) => `${key}=${String(values[index])}`).join('\n'),
          }}
          onClose={() => setSilencing(false)}
        />
      )}
    </Page>
  );
}

/** The query of the events of the run; undefined until it is parsed. */
function useRowsQuery({ aplQuery }: Monitor, { keys, values }: Incident): string | undefined {
  const dataset = sourceIn(aplQuery);
  const known = useCatalog()?.datasets.find(({ name }) => name === dataset)?.fields ?? [];
  const { data } = useQuery({
    queryKey: ['outline', aplQuery],
    queryFn: () => askLanguage('outline', aplQuery),
    staleTime: Infinity,
  });
  if (data === undefined) return undefined;
  return rowsQuery(aplQuery, data.eventsEnd, { keys, values }, new Set(known.map(({ name }) => name)));
}

/** Runs shown before the opening and after the end. */
const RUNS_AROUND = 20;

function RunsAround({ monitor, incident }: { readonly monitor: Monitor; readonly incident: Incident }) {
  const { zone } = usePreferences();
  const runs = useRuns(monitor.id);
  const interval = monitor.intervalMinutes * 60_000;
  const [from, to] = [
    Date.parse(incident.openedAt) - RUNS_AROUND * interval,
    (incident.closedAt === undefined ? Date.now() : Date.parse(incident.closedAt)) + RUNS_AROUND * interval,
  ];
  const drawn = chartRuns(runs.data ?? []).filter(({ time }) => time >= from && time <= to);
  if (runs.isPending) return <p className={styles.hint}>Loading runs</p>;
  if (drawn.length === 0) return <p className={styles.hint}>The runs of that time are no longer stored.</p>;
  return (
    <RunChart
      runs={drawn}
      label="Value of each run"
      interval={interval}
      zone={zone}
      height={140}
      threshold={
        monitor.type === 'Threshold'
          ? { value: monitor.threshold, opens: sideOf(monitor.operator ?? 'Above') }
          : undefined
      }
    />
  );
}

function History({ monitor, incident }: { readonly monitor: Monitor; readonly incident: Incident }) {
  const notifiers = useNotifiers().data ?? [];
  const nameOfUser = useUserNames();
  const silences = silencedOnes(useSilences().data ?? [], monitor, incident);
  const dataset = sourceIn(monitor.aplQuery);
  const annotations = useQuery({
    queryKey: ['annotations', dataset, incident.openedAt, incident.closedAt],
    queryFn: ({ signal }) =>
      api.call('listAnnotations', {
        query: {
          datasets: [dataset!],
          // What was deployed an hour before may be the cause.
          start: new Date(Date.parse(incident.openedAt) - 3_600_000).toISOString(),
          ...(incident.closedAt !== undefined && { end: incident.closedAt }),
        },
        signal,
      }),
    enabled: dataset !== undefined,
    retry: false,
  });
  const entries = timelineOf(incident, {
    nameOfNotifier: (id) => notifiers.find((each) => each.id === id)?.name ?? id,
    nameOfUser,
    annotations: annotations.data ?? [],
    silences,
  });
  return (
    <>
      <Timeline entries={entries} />
      {incident.deliveries.length === 0 && (
        <p className={styles.hint}>
          {monitor.notifierIds.length === 0
            ? 'No notifications: the monitor has no notifiers.'
            : 'No notifications: muted, silenced, or resolved before the first was sent.'}
        </p>
      )}
    </>
  );
}

/** Silences about the monitor that name no other group. */
const silencedOnes = (
  silences: NonNullable<ReturnType<typeof useSilences>['data']>,
  monitor: Monitor,
  { keys, values }: Incident,
) =>
  silences.filter(
    (silence) =>
      silencedMonitors(silence, [monitor]).length > 0 &&
      Object.entries(silence.groups ?? {}).every(([name, value]) => String(values[keys.indexOf(name)]) === value),
  );

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { BellOff, Pencil } from 'lucide-react';
import { useState } from 'react';
import { RunChart } from '../../charts/run-chart.js';
import { api } from '../../data/api.js';
import {
  type Monitor,
  refreshAlerts,
  shownState,
  useMonitorStatus,
  useNotifiers,
  useRuns,
  withMpl,
} from '../../data/alerts.js';
import { useCommands } from '../../data/commands.js';
import { monitorIsOff, muteMonitors, turnOff } from '../../data/mute.js';
import { usePreferences } from '../../data/preferences.js';
import { choiceParam } from '../../data/url-params.js';
import { visibleText } from '../../data/results/visible-text.js';
import { useNow } from '../../data/use-now.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button, IconButton } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import { MuteMenu } from '../../widgets/overlays/mute-menu.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';
import { Tabs } from '../../widgets/tabs.js';
import { AcknowledgeButton } from './acknowledge-button.js';
import { chartRuns, sideOf } from './describe-monitor.js';
import { MonitorConfig } from './monitor-config.js';
import styles from './monitors.module.css';
import { IncidentTable } from './incidents/incident-table.js';
import { RunsTable } from './runs-table.js';
import type { SilenceSubject } from './silences/silence-draft.js';
import { SilenceDrawer } from './silences/silence-drawer.js';
import { SilencedChip, StateChip } from '../../widgets/monitor-state.js';

const params = { tab: choiceParam(['runs', 'changes'], 'runs') };
const update = { org: 'monitors', action: 'update' } as const;

/** One monitor: history, results of its runs, and properties. */
export function MonitorPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const monitor = useQuery({
    queryKey: ['alerts', 'monitor', id],
    queryFn: ({ signal }) => api.call('getMonitor', { params: { id }, query: withMpl, signal }),
  });
  if (monitor.data !== undefined) return <MonitorDetails key={id} monitor={monitor.data} />;
  return (
    <Page title="Monitor" flow={monitor.error === null ? 'running' : 'failed'}>
      {monitor.error === null ? (
        <LoadingNotice />
      ) : (
        <ErrorState title="This monitor cannot be shown" error={monitor.error} onRetry={() => void monitor.refetch()} />
      )}
    </Page>
  );
}

function MonitorDetails({ monitor }: { readonly monitor: Monitor }) {
  const { id } = monitor;
  const navigate = useNavigate();
  const [{ tab }, change] = useUrlState(params);
  const { zone } = usePreferences();
  const now = useNow(10_000);
  const [deleting, setDeleting] = useState(false);
  const [silencing, setSilencing] = useState<SilenceSubject>();
  const runs = useRuns(id);
  const status = useMonitorStatus().data?.find((each) => each.id === id);
  // Each group has its own link.
  const ongoing = status?.openGroups.find(({ keys }) => keys.length === 0)?.incident;
  const notifiers = useNotifiers().data ?? [];
  const drawn = chartRuns(runs.data ?? []);
  const edit = (): void => void navigate({ to: `/monitors/${id}/edit` as string });
  useCommands([{ id: 'monitor.edit', title: 'Edit the monitor', group: 'Monitor', keys: ['e'], run: edit }]);
  const isMatch = monitor.type === 'MatchEvent';
  return (
    <Page
      title={monitor.name}
      bar={
        <>
          {status !== undefined && <StateChip state={shownState(status)} monitor={monitor} runs={runs.data ?? []} />}
          <SilencedChip until={status?.silencedUntil} />
          {ongoing !== undefined && <Link to={`/monitors/${id}/incidents/${ongoing}` as string}>Open incident</Link>}
          {status?.inhibited === true && <Chip>Inhibited</Chip>}
          {status?.nextRun !== undefined && (
            <span className={styles.hint}>
              {Date.parse(status.nextRun) > Date.now() ? (
                <>
                  next run <RelativeTime at={status.nextRun} />
                </>
              ) : (
                'running soon'
              )}
            </span>
          )}
          <BarSpace />
          {status !== undefined && <AcknowledgeButton status={status} />}
          {monitor.sloId === undefined ? (
            <Button kind="danger" needs={{ org: 'monitors', action: 'delete' }} onPress={() => setDeleting(true)}>
              Delete
            </Button>
          ) : (
            <Link to={'/monitors/slos' as string} search={{ id: monitor.sloId } as never}>
              Open its SLO
            </Link>
          )}
          <MuteMenu
            what={monitor.name}
            needs={update}
            isSilent={monitorIsOff(monitor)}
            onUntil={(until) => muteMonitors([monitor], until)}
            onOff={() => turnOff([monitor])}
            onSilence={() => setSilencing({ monitorIds: [id] })}
          />
          {monitor.sloId === undefined && (
            <Button kind="primary" needs={update} onPress={edit}>
              <Pencil aria-hidden /> Edit
            </Button>
          )}
        </>
      }
    >
      <div className={styles.columns}>
        <div className={styles.main}>
          {status?.error !== undefined && (
            <p className={styles.problem} role="alert">
              The last run failed: {status.error}
            </p>
          )}
          {status !== undefined && status.openGroups.some(({ keys }) => keys.length > 0) && (
            <ul className={styles.groups} aria-label="Firing groups">
              {status.openGroups.map(({ keys, values, since, incident, state, acknowledged }) => (
                <li key={JSON.stringify(values)}>
                  <Chip tone="bad">
                    <span className={styles.groupName}>
                      {incident === undefined ? (
                        groupName(keys, values)
                      ) : (
                        <Link to={`/monitors/${id}/incidents/${incident}` as string}>{groupName(keys, values)}</Link>
                      )}
                    </span>
                    {state === 'nodata' && <span>no data</span>}
                    {acknowledged !== undefined && <span>acknowledged</span>}
                    {since !== undefined && <RelativeTime at={since} />}
                    <IconButton
                      small
                      needs={update}
                      label={`Silence ${groupName(keys, values)}`}
                      onPress={() =>
                        setSilencing({
                          monitorIds: [id],
                          groups: keys.map((key, index) => `${key}=${String(values[index])}`).join('\n'),
                        })
                      }
                    >
                      <BellOff />
                    </IconButton>
                  </Chip>
                </li>
              ))}
              {status.openGroupCount > status.openGroups.length && (
                <li>and {(status.openGroupCount - status.openGroups.length).toLocaleString('en')} more</li>
              )}
            </ul>
          )}
          {runs.error !== null ? (
            <ErrorState title="Could not load runs" error={runs.error} onRetry={() => void runs.refetch()} />
          ) : drawn.length > 0 ? (
            <RunChart
              runs={drawn}
              label={isMatch ? 'Events that matched' : 'Value of each run'}
              interval={monitor.intervalMinutes * 60_000}
              end={now}
              openWord={isMatch ? 'matched' : undefined}
              zone={zone}
              threshold={
                monitor.type === 'Threshold'
                  ? { value: monitor.threshold, opens: sideOf(monitor.operator ?? 'Above') }
                  : undefined
              }
            />
          ) : (
            <p className={styles.hint}>{runs.isPending ? 'Loading runs' : 'The chart appears after the first run'}</p>
          )}
          <Tabs
            label="History"
            open={tab}
            onOpen={(next) => change({ tab: next as typeof tab })}
            tabs={[
              {
                id: 'runs',
                title: `Runs ${drawn.length}`,
                content: <RunsTable runs={runs.data ?? []} notifiers={notifiers} isMatch={isMatch} />,
              },
              { id: 'changes', title: 'Incidents', content: <IncidentTable id={id} isMatch={isMatch} /> },
            ]}
          />
        </div>
        <aside className={styles.side} aria-label="Configuration">
          <MonitorConfig monitor={monitor} notifiers={notifiers} />
        </aside>
      </div>
      {silencing !== undefined && <SilenceDrawer draft={silencing} onClose={() => setSilencing(undefined)} />}
      {deleting && (
        <Confirm
          title={`Delete ${monitor.name}?`}
          action="Delete the monitor"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.call('deleteMonitor', { params: { id } });
            await refreshAlerts();
            await navigate({ to: '/monitors' as string });
          }}
        >
          Its runs and history are deleted, and open incidents are resolved at receivers.
        </Confirm>
      )}
    </Page>
  );
}

const groupName = (keys: readonly string[], values: readonly unknown[]): string =>
  visibleText(keys.map((key, index) => `${key}: ${String(values[index])}`).join(', '));

import { useNavigate } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import { useMonitors } from '../../../data/alerts.js';
import { wordsOfMinutes } from '../../../data/format-units.js';
import { choiceParam, queryParam, textParam } from '../../../data/url-params.js';
import { useNow } from '../../../data/use-now.js';
import { useUrlState } from '../../../data/use-url-state.js';
import { AlertsNav } from '../../../widgets/alerts-nav.js';
import { Chip } from '../../../widgets/chip.js';
import { DataTable } from '../../../widgets/data-table.js';
import { SegmentedInput } from '../../../widgets/inputs/segmented-input.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { Button } from '../../../widgets/inputs/button.js';
import { BarSpace, Page } from '../../../widgets/page.js';
import { Day } from '../../../widgets/relative-time.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../../widgets/states.js';
import styles from '../monitors.module.css';
import { daysOf, levelOf } from './days.js';
import { useIncidents } from './incident-table.js';
import { StatusPageDrawer } from '../status-page/status-page-drawer.js';
import { openFor } from './timeline.js';

const params = {
  drawer: queryParam(choiceParam(['', 'status-page'], '')),
  view: choiceParam(['days', 'list'], 'days'),
  q: textParam(),
  sort: textParam('-total'),
  order: textParam('-opened'),
};
const day = 86_400_000;

/** Incidents of all monitors in the last 30 days: by monitor and day, and as a list. */
export function IncidentsPage() {
  const [{ drawer, view, q, sort, order }, change] = useUrlState(params);
  const navigate = useNavigate();
  const now = useNow(60_000);
  const { data, error, refetch } = useIncidents();
  const monitors = new Map(useMonitors().data?.map((each) => [each.id, each]));
  const isMatch = (id: string): boolean => monitors.get(id)?.type === 'MatchEvent';
  const nameOf = (id: string): string => monitors.get(id)?.name ?? id;
  const found = (data ?? []).filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
  return (
    <Page
      title="Incidents"
      flow={error !== null ? 'failed' : data === undefined ? 'running' : 'idle'}
      bar={
        <>
          <AlertsNav />
          <BarSpace />
          <Button onPress={() => change({ drawer: 'status-page' })}>
            <Globe aria-hidden /> Status page
          </Button>
        </>
      }
    >
      {error !== null ? (
        <ErrorState title="Could not load incidents" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingNotice />
      ) : data.length === 0 ? (
        <EmptyState title="No incidents in the last 30 days">
          An incident begins when a monitor or one of its groups fires and ends when it is OK again.
        </EmptyState>
      ) : (
        <>
          <div className={styles.tools}>
            <SegmentedInput
              label="View"
              value={view}
              choices={[
                { id: 'days', title: 'By monitor' },
                { id: 'list', title: `List ${found.length}` },
              ]}
              onChange={(next) => change({ view: next })}
            />
            <TextField
              label="Filter"
              bare
              type="search"
              placeholder="Monitor or group"
              value={q}
              onChange={(next) => change({ q: next })}
              className={styles.search}
            />
          </div>
          {view === 'days' ? (
            <DataTable
              label="Incidents by monitor"
              items={daysOf(found, now, isMatch)}
              idOf={({ monitorId }) => monitorId}
              sort={sort}
              onSort={(next) => change({ sort: next })}
              onOpen={({ monitorId }) =>
                void navigate({ to: `/monitors/${monitorId}` as string, search: { tab: 'changes' } as never })
              }
              empty={<p className={styles.nothing}>No incidents match the filter.</p>}
              columns={[
                {
                  id: 'name',
                  title: 'Monitor',
                  isName: true,
                  by: ({ monitorId }) => nameOf(monitorId),
                  cell: ({ monitorId, open }) => (
                    <span className={styles.name}>
                      {nameOf(monitorId)}
                      {open > 0 && <span className={styles.condition}>{open} open</span>}
                    </span>
                  ),
                },
                {
                  id: 'days',
                  title: 'Last 30 days',
                  cell: ({ days }) => <Days days={days} now={now} />,
                },
                {
                  id: 'incidents',
                  title: 'Incidents',
                  align: 'end',
                  by: ({ incidents }) => incidents,
                  cell: ({ incidents }) => incidents.toLocaleString('en'),
                },
                {
                  id: 'total',
                  title: 'Time open',
                  align: 'end',
                  aside: true,
                  by: ({ total }) => total,
                  cell: ({ total, monitorId }) =>
                    isMatch(monitorId) ? '–' : wordsOfMinutes(Math.round(total / 60_000)),
                },
              ]}
            />
          ) : (
            <DataTable
              label="Incidents"
              items={found}
              idOf={({ monitorId, id }) => `${monitorId} ${id}`}
              sort={order}
              onSort={(next) => change({ order: next })}
              onOpen={({ monitorId, id }) => void navigate({ to: `/monitors/${monitorId}/incidents/${id}` as string })}
              empty={<p className={styles.nothing}>No incidents match the filter.</p>}
              columns={[
                {
                  id: 'opened',
                  title: 'Opened',
                  by: ({ openedAt }) => openedAt,
                  cell: ({ openedAt }) => <Day at={openedAt} />,
                },
                { id: 'name', title: 'Name', isName: true, by: ({ name }) => name, cell: ({ name }) => name },
                {
                  id: 'state',
                  title: 'State',
                  by: ({ closedAt }) => (closedAt === undefined ? 0 : 1),
                  cell: ({ closedAt, monitorId }) =>
                    isMatch(monitorId) ? (
                      <Chip tone="warn">Matched</Chip>
                    ) : (
                      <Chip tone={closedAt === undefined ? 'bad' : 'good'}>
                        {closedAt === undefined ? 'Open' : 'Resolved'}
                      </Chip>
                    ),
                },
                {
                  id: 'duration',
                  title: 'Duration',
                  align: 'end',
                  aside: true,
                  by: (each) => openFor(each, now),
                  cell: (each) =>
                    isMatch(each.monitorId) ? '–' : wordsOfMinutes(Math.round(openFor(each, now) / 60_000)),
                },
              ]}
            />
          )}
        </>
      )}
      {drawer === 'status-page' && <StatusPageDrawer onClose={() => change({ drawer: '' })} />}
    </Page>
  );
}

/** A cell per day; darker for more time open. */
function Days({ days, now }: { readonly days: readonly number[]; readonly now: number }) {
  const affected = days.filter((share) => share > 0).length;
  return (
    <span className={styles.days30} role="img" aria-label={`${affected} of ${days.length} days with incidents`}>
      {days.map((share, index) => (
        <span
          key={index}
          className={styles.day}
          data-level={levelOf(share)}
          title={`${new Date(now - (days.length - index) * day).toISOString().slice(0, 10)}: ${wordsOfMinutes(Math.round(share * 1440))} open`}
        />
      ))}
    </span>
  );
}

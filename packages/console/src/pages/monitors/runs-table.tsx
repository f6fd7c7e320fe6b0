import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { numberText } from '../../charts/run-scale.js';
import { stateWords } from '../../charts/run-states.js';
import { api } from '../../data/api.js';
import type { Notifier, Run } from '../../data/alerts.js';
import { DAY, instantText, MILLISECOND, nowInstant } from '../../data/time/instants.js';
import { zonedText } from '../../data/time/zones.js';
import { usePreferences } from '../../data/preferences.js';
import { Chip } from '../../widgets/chip.js';
import { DataTable } from '../../widgets/data-table.js';
import { Hint } from '../../widgets/overlays/tooltip.js';
import { Day } from '../../widgets/relative-time.js';
import { ErrorState, Loading } from '../../widgets/states.js';
import styles from './monitors.module.css';

const tones = { ok: 'good', open: 'bad', nodata: 'warn', error: 'warn' } as const;
const deliveryTones = { delivered: 'good', waiting: 'warn', failed: 'bad' } as const;

const timeText = (time: string, zone: string): string => zonedText(BigInt(Date.parse(time)) * MILLISECOND, zone, 0);

/** Range, result and notifications of each run. */
export function RunsTable({
  runs,
  notifiers,
  isMatch,
}: {
  readonly runs: readonly Run[];
  readonly notifiers: readonly Notifier[];
  readonly isMatch: boolean;
}) {
  const { zone } = usePreferences();
  const [sort, setSort] = useState('-time');
  const nameOf = (id: string): string => notifiers.find((each) => each.id === id)?.name ?? id;
  return (
    <DataTable
      label="Runs"
      items={runs}
      idOf={({ id }) => id}
      sort={sort}
      onSort={setSort}
      empty={<p className={styles.nothing}>No runs yet.</p>}
      columns={[
        { id: 'time', title: 'Time', by: ({ time }) => time, cell: ({ time }) => timeText(time, zone) },
        {
          id: 'range',
          title: 'Range',
          cell: ({ start, end }) => `${timeText(start, zone).slice(11)} – ${timeText(end, zone).slice(11)}`,
        },
        {
          id: 'value',
          title: isMatch ? 'Matched' : 'Value',
          align: 'end',
          by: ({ value, matched }) => value ?? matched ?? -Infinity,
          cell: ({ value, matched }) => {
            const found = value ?? matched;
            return found === undefined ? '–' : numberText(found);
          },
        },
        {
          id: 'milliseconds',
          title: 'Duration',
          align: 'end',
          by: ({ milliseconds }) => milliseconds,
          cell: ({ milliseconds }) => `${milliseconds} ms`,
        },
        {
          id: 'state',
          title: 'Outcome',
          by: ({ state }) => state,
          cell: ({ state, error }) => (
            <span className={styles.delivery}>
              <Chip tone={tones[state]}>{stateWords[state]}</Chip>
              {error}
            </span>
          ),
        },
        {
          id: 'deliveries',
          title: 'Notified',
          cell: ({ deliveries }) =>
            deliveries.length === 0 ? (
              <span className={styles.none}>–</span>
            ) : (
              <span className={styles.delivery}>
                {deliveries.map(({ notifierId, action, state, tries, problem }, index) => (
                  <Hint
                    key={index}
                    text={
                      problem === undefined ? undefined : `${problem}${tries > 0 ? `, after ${tries} attempts` : ''}`
                    }
                  >
                    <Chip tone={deliveryTones[state]}>
                      {nameOf(notifierId)} {action === 'Closed' ? 'resolved' : ''} {state}
                    </Chip>
                  </Hint>
                ))}
              </span>
            ),
        },
      ]}
    />
  );
}

/** When it fired and resolved in the last 30 days. */
export function ChangesTable({ id }: { readonly id: string }) {
  const [sort, setSort] = useState('-time');
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'changes', id],
    queryFn: ({ signal }) =>
      api.call('getMonitorHistory', {
        params: { id },
        query: { startTime: instantText(nowInstant() - 30n * DAY), endTime: instantText(nowInstant()) },
        signal,
      }),
  });
  if (error !== null)
    return <ErrorState title="Its history cannot be shown" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={3} />;
  return (
    <DataTable
      label="Openings"
      items={data}
      idOf={({ checkId, name, state }) => `${checkId} ${name} ${state}`}
      sort={sort}
      onSort={setSort}
      empty={<p className={styles.nothing}>No state changes in the last 30 days</p>}
      columns={[
        {
          id: 'time',
          title: 'Time',
          by: ({ timestamp }) => timestamp,
          cell: ({ timestamp }) => <Day at={timestamp} />,
        },
        {
          id: 'state',
          title: 'Change',
          by: ({ state }) => state,
          cell: ({ state }) => (
            <Chip tone={state === 'open' ? 'bad' : 'good'}>{state === 'open' ? 'opened' : 'closed'}</Chip>
          ),
        },
        { id: 'name', title: 'Name at the time', isName: true, cell: ({ name }) => name },
      ]}
    />
  );
}

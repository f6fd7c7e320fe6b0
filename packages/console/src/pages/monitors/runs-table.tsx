import { useState } from 'react';
import { numberText } from '../../charts/run-scale.js';
import { stateWords } from '../../charts/run-states.js';
import type { Notifier, Run } from '../../data/alerts.js';
import { MILLISECOND } from '../../data/time/instants.js';
import { zonedText } from '../../data/time/zones.js';
import { usePreferences } from '../../data/preferences.js';
import { Chip } from '../../widgets/chip.js';
import { DataTable } from '../../widgets/data-table.js';
import { Hint } from '../../widgets/overlays/tooltip.js';
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
        {
          id: 'time',
          title: 'Time',
          by: ({ time }) => time,
          cell: ({ time }) => <time dateTime={time}>{timeText(time, zone)}</time>,
        },
        {
          id: 'range',
          title: 'Range',
          aside: true,
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
              <Chip tone={isMatch && state === 'open' ? 'warn' : tones[state]}>
                {isMatch && state === 'open' ? 'matched' : stateWords[state]}
              </Chip>
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

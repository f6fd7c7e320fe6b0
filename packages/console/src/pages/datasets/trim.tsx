import type { DatasetInfo } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countOf } from '../../data/format-units.js';
import { api } from '../../data/api.js';
import { datasetText } from '../../data/apl-text.js';
import { useMay } from '../../data/catalog.js';
import { readDatasets } from '../../data/dataset-info.js';
import { needText } from '../../data/permissions.js';
import { queryClient } from '../../data/query-client.js';
import { EVER } from '../../data/scalar-query.js';
import { Button } from '../../widgets/inputs/button.js';
import { cx } from '../../widgets/class-names.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { notify } from '../../widgets/overlays/toast.js';
import styles from './datasets.module.css';
import { amountText, useOlderEvents } from './older-events.js';

const DAY_MILLISECONDS = 86_400_000;
/** Maximum bars of a visible width. */
const MAX_DAYS = 400;

/** Events per day as bars; a slider selects the first day to keep. */
export function Trim({ dataset, info }: { readonly dataset: string; readonly info: DatasetInfo | undefined }) {
  const { data: counts } = useEventsByDay(dataset, info);
  const [chosen, setChosen] = useState<number>();
  const [asking, setAsking] = useState(false);
  const days = counts?.length ?? 1;
  const keep = Math.min(chosen ?? days, days);
  const older = useOlderEvents(dataset, keep);
  const isKnown = useMay(readDatasets);
  if (!isKnown) return <p className={styles.about}>{needText(readDatasets)}.</p>;
  if (info?.minTime === undefined || counts === undefined || counts.length === 0)
    return <p className={styles.about}>No events to delete.</p>;
  const top = Math.max(...counts, 1);
  return (
    <>
      <div className={styles.trim}>
        <div className={styles.days} aria-hidden>
          {counts.map((count, index) => (
            <span
              key={index}
              className={cx(index < days - keep && styles.gone)}
              style={{ height: `${Math.max(count === 0 ? 0 : 4, (count / top) * 100)}%` }}
            />
          ))}
        </div>
        <input
          type="range"
          aria-label="Days to keep"
          aria-valuetext={countOf(keep, 'day')}
          min={1}
          max={days}
          // Right is later: the slider marks the start of the retained events.
          value={days - keep + 1}
          onChange={(event) => setChosen(days + 1 - Number(event.target.value))}
          disabled={days === 1}
        />
      </div>
      <div className={styles.line}>
        <p role="status" className={styles.about}>
          {keep === 1 ? 'The last day stays.' : `The last ${countOf(keep, 'day')} stay.`}{' '}
          {older.data === undefined ? '…' : `Removed: ${amountText(older.data, info)}.`}
        </p>
        <Button
          kind="danger"
          disabled={older.data === undefined || older.data === 0}
          needs={{ dataset, can: 'trim', action: 'update' }}
          onPress={() => setAsking(true)}
        >
          Trim…
        </Button>
      </div>
      {asking && (
        <Confirm
          title={`Trim ${dataset} to ${countOf(keep, 'day')}?`}
          action="Trim"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const { numDeleted } = await api.call('trimDatasetV1', {
              params: { name: dataset },
              body: { maxDuration: `${keep}d` },
            });
            notify({ text: `${countOf(numDeleted, 'event')} removed` });
            setChosen(undefined);
            await queryClient.invalidateQueries();
          }}
        >
          <p>This deletes {amountText(older.data ?? 0, info)}. What is removed is gone.</p>
        </Confirm>
      )}
    </>
  );
}

/** Events per day up to today, oldest first. */
const useEventsByDay = (dataset: string, info: DatasetInfo | undefined) =>
  useQuery({
    queryKey: ['events-by-day', dataset, info?.minTime?.slice(0, 10)],
    enabled: info?.minTime !== undefined,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const answer = await api.call('queryAplEdge', {
        query: { format: 'tabular' },
        body: {
          apl: `${datasetText(dataset)} | summarize count() by bin(_time, 1d) | take ${MAX_DAYS * 2}`,
          startTime: EVER,
          endTime: 'now',
        },
        signal,
      });
      const [times = [], counts = []] = answer.format === 'tabular' ? (answer.tables[0]?.columns ?? []) : [];
      const today = Math.floor(Date.now() / DAY_MILLISECONDS);
      const oldest = Math.floor(Date.parse(info!.minTime!) / DAY_MILLISECONDS);
      const days = Math.max(1, Math.min(MAX_DAYS, today - oldest + 1));
      const bars = Array.from({ length: days }, () => 0);
      for (const [index, time] of times.entries()) {
        const at = days - 1 - (today - Math.floor(Date.parse(String(time)) / DAY_MILLISECONDS));
        // The first bar includes everything older.
        if (at < days) bars[Math.max(0, at)]! += Number(counts[index]);
      }
      return bars;
    },
  });

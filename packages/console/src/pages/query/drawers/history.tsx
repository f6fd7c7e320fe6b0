import type { HistoryQuery } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/api.js';
import { parseInstant } from '../../../data/time/instants.js';
import { zonedText } from '../../../data/time/zones.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../../widgets/states.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../query.module.css';
import type { SheetProps } from './query-drawers.js';

/** Request body of an entry, if valid. */
function runOf({ id, created, query }: HistoryQuery) {
  const members = Object(query) as Readonly<Record<string, unknown>>;
  const text = (name: string, otherwise: string): string => {
    const value = members[name];
    return typeof value === 'string' ? value : otherwise;
  };
  return { id, created, apl: text('apl', ''), from: text('startTime', 'now-1h'), to: text('endTime', 'now') };
}

/** Query history, latest first. */
export function History({ access, onClose }: SheetProps) {
  const [filter, setFilter] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['history'],
    queryFn: async ({ signal }) =>
      (await api.call('listHistory', { query: { limit: 200, kind: 'apl' }, signal })).map(runOf),
    staleTime: 0,
  });
  if (error !== null) return <ErrorState title="Could not load history" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice />;
  if (data.length === 0) return <EmptyState title="No queries yet" />;
  const shown = data.filter(({ apl }) => apl.toLowerCase().includes(filter.toLowerCase()));
  return (
    <>
      <TextField
        label="Find"
        bare
        type="search"
        placeholder="Find in the history"
        value={filter}
        onChange={setFilter}
        autoFocus
      />
      <ul className={styles.list}>
        {shown.map(({ id, created, apl, from, to }) => (
          <li key={id}>
            <button
              type="button"
              className={styles.entry}
              onClick={() => {
                access.ask({ q: apl, from, to, asof: '' });
                onClose();
              }}
            >
              <span className={styles.when}>
                {zonedText(parseInstant(created) ?? 0n, access.zone, 0)} · {from} – {to}
              </span>
              <code>{apl}</code>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

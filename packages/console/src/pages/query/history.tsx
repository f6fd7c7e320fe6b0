import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../data/api.js';
import { parseInstant } from '../../data/time/instants.js';
import { zonedText } from '../../data/time/zones.js';
import { EmptyState, ErrorState, Loading } from '../../widgets/states.js';
import { TextField } from '../../widgets/text-field.js';
import styles from './query.module.css';
import type { SheetProps } from './query-sheets.js';

interface Run {
  readonly id: string;
  readonly created: string;
  readonly query: { readonly apl?: string; readonly startTime?: string; readonly endTime?: string };
}

/** Every query that was run here, the latest first. */
export function History({ access, onClose }: SheetProps) {
  const [filter, setFilter] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['history'],
    queryFn: ({ signal }) => ask<readonly Run[]>('GET', '/v1/datasets/_history?limit=200&kind=apl', { signal }),
    staleTime: 0,
  });
  if (error !== null) return <ErrorState title="No history" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0) return <EmptyState title="Nothing has been run yet" />;
  const shown = data.filter(({ query }) => (query.apl ?? '').toLowerCase().includes(filter.toLowerCase()));
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
        {shown.map(({ id, created, query }) => (
          <li key={id}>
            <button
              type="button"
              className={styles.entry}
              onClick={() => {
                access.ask({
                  q: query.apl ?? '',
                  from: query.startTime ?? 'now-1h',
                  to: query.endTime ?? 'now',
                  asof: '',
                });
                onClose();
              }}
            >
              <span className={styles.when}>
                {zonedText(parseInstant(created) ?? 0n, access.zone, 0)} · {query.startTime} – {query.endTime}
              </span>
              <code>{query.apl}</code>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

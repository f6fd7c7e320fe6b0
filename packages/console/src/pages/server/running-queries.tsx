import type { RunningQuery } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { roughDuration, shortAmount } from '../../data/format-units.js';
import { queryClient } from '../../data/query-client.js';
import { useNow } from '../../data/use-now.js';
import { Button } from '../../widgets/inputs/button.js';
import { DataTable } from '../../widgets/data-table.js';
import { errorText, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { notify } from '../../widgets/overlays/toast.js';
import { useUserNames } from '../../data/user-names.js';
import styles from './server.module.css';

const EVERY_MILLISECONDS = 2000;
const runningKey = ['running'] as const;

/** Queued and running queries, which can be canceled. */
export function RunningQueries() {
  const [sort, setSort] = useState('started');
  const nameOf = useUserNames();
  const now = useNow();
  const { data, error, refetch } = useQuery({
    queryKey: runningKey,
    queryFn: ({ signal }) => api.call('listQueries', { signal }),
    staleTime: 0,
    refetchInterval: EVERY_MILLISECONDS,
  });
  if (error !== null) return <ErrorState title="Could not load queries" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice lines={2} />;
  const stop = async ({ id }: RunningQuery): Promise<void> => {
    try {
      await api.call('stopQuery', { params: { id } });
      notify({ text: 'The query is stopped' });
    } catch (failure) {
      notify({ text: errorText(failure), kind: 'problem' });
    }
    await queryClient.invalidateQueries({ queryKey: runningKey });
  };
  return (
    <DataTable
      label="Running queries"
      items={data}
      idOf={({ id }) => id}
      sort={sort}
      onSort={setSort}
      empty={<p className={styles.quiet}>No running queries</p>}
      columns={[
        {
          id: 'query',
          title: 'Query',
          isName: true,
          cell: ({ query }) => <code className={styles.query}>{query.replaceAll(/\s*\n\s*/g, ' ')}</code>,
        },
        {
          id: 'kind',
          title: 'Kind',
          by: ({ kind }) => kind,
          cell: ({ kind, state }) => (state === 'waiting' ? `${kind}, queued` : kind),
        },
        { id: 'user', title: 'Who', by: ({ userId }) => nameOf(userId), cell: ({ userId }) => nameOf(userId) },
        {
          id: 'started',
          title: 'Elapsed',
          align: 'end',
          by: ({ started }) => started,
          cell: ({ started }) => roughDuration(Math.max(0, now - Date.parse(started))),
        },
        { id: 'read', title: 'Rows read', align: 'end', cell: (query) => rowsRead(query) },
        {
          id: 'stop',
          title: 'Actions',
          unseen: true,
          align: 'end',
          cell: (query) => (
            <Button small kind="danger" label={`Stop ${query.query.slice(0, 60)}`} onPress={() => void stop(query)}>
              Stop
            </Button>
          ),
        },
      ]}
    />
  );
}

/** Progress, if the engine reports it. */
function rowsRead(query: RunningQuery): string {
  if (query.rowsRead === undefined) return '–';
  const read = shortAmount(query.rowsRead).trimEnd();
  return query.rowsTotal === undefined ? read : `${read} of ${shortAmount(query.rowsTotal).trimEnd()}`;
}

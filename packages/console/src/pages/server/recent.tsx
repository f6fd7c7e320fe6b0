import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { useUserNames } from '../../data/user-names.js';
import { DataTable } from '../../widgets/data-table.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';
import styles from './server.module.css';

const SHOWN = 20;
const EVERY_MILLISECONDS = 10_000;

/** Recent queries, with links to Query. */
export function Recent() {
  const [sort, setSort] = useState('-created');
  const nameOf = useUserNames();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['recent-queries'],
    queryFn: ({ signal }) => api.call('listHistory', { query: { limit: SHOWN, kind: 'apl' }, signal }),
    staleTime: 0,
    refetchInterval: EVERY_MILLISECONDS,
  });
  if (error !== null) return <ErrorState title="Could not load history" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice lines={3} />;
  return (
    <DataTable
      label="Recent queries"
      items={data}
      idOf={({ id }) => id}
      sort={sort}
      onSort={setSort}
      onOpen={({ query }) => {
        const { apl = '', startTime, endTime } = Object(query) as Readonly<Record<string, string | undefined>>;
        void navigate({ to: '/query', search: { q: apl, from: startTime, to: endTime } as never });
      }}
      empty={<p className={styles.quiet}>No history yet. Queries run on the Query page appear here.</p>}
      columns={[
        {
          id: 'query',
          title: 'Query',
          isName: true,
          cell: ({ query }) => (
            <code className={styles.query}>{String(Object(query).apl ?? '').replaceAll(/\s*\n\s*/g, ' ')}</code>
          ),
        },
        { id: 'who', title: 'User', by: ({ who }) => nameOf(who), cell: ({ who }) => nameOf(who) },
        {
          id: 'created',
          title: 'When',
          align: 'end',
          by: ({ created }) => created,
          cell: ({ created }) => <RelativeTime at={created} />,
        },
      ]}
    />
  );
}

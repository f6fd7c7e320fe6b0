import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/api.js';
import { useAllowed } from '../../../data/catalog.js';
import { wordsOfMinutes } from '../../../data/format-units.js';
import { DAY, instantText, nowInstant } from '../../../data/time/instants.js';
import { useNow } from '../../../data/use-now.js';
import { Chip } from '../../../widgets/chip.js';
import { DataTable } from '../../../widgets/data-table.js';
import { Day } from '../../../widgets/relative-time.js';
import { ErrorState, LoadingNotice } from '../../../widgets/states.js';
import styles from '../monitors.module.css';
import { openFor } from './timeline.js';

const read = { org: 'monitors', action: 'read' } as const;

/** Incidents that opened in the last 30 days, of one monitor or of all. */
export function useIncidents(monitorId?: string) {
  const enabled = useAllowed(read);
  return useQuery({
    queryKey: ['alerts', 'incidents', monitorId],
    queryFn: ({ signal }) =>
      api.call('listIncidents', {
        query: {
          startTime: instantText(nowInstant() - 30n * DAY),
          ...(monitorId !== undefined && { monitorId }),
        },
        signal,
      }),
    refetchInterval: 60_000,
    enabled,
  });
}

/** Incidents of a monitor in the last 30 days. */
export function IncidentTable({ id, isMatch }: { readonly id: string; readonly isMatch: boolean }) {
  const navigate = useNavigate();
  const now = useNow(10_000);
  const [sort, setSort] = useState('-opened');
  const { data, error, refetch } = useIncidents(id);
  if (error !== null)
    return <ErrorState title="Could not load incidents" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice lines={3} />;
  return (
    <DataTable
      label="Incidents"
      items={data}
      idOf={(each) => each.id}
      sort={sort}
      onSort={setSort}
      onOpen={(each) => void navigate({ to: `/monitors/${each.monitorId}/incidents/${each.id}` as string })}
      empty={<p className={styles.nothing}>No incidents in the last 30 days</p>}
      columns={[
        {
          id: 'opened',
          title: 'Opened',
          by: ({ openedAt }) => openedAt,
          cell: ({ openedAt }) => <Day at={openedAt} />,
        },
        {
          id: 'state',
          title: 'State',
          by: ({ closedAt }) => (closedAt === undefined ? 0 : 1),
          cell: ({ closedAt }) =>
            isMatch ? (
              <Chip tone="warn">Matched</Chip>
            ) : (
              <Chip tone={closedAt === undefined ? 'bad' : 'good'}>{closedAt === undefined ? 'Open' : 'Resolved'}</Chip>
            ),
        },
        {
          id: 'duration',
          title: 'Duration',
          align: 'end',
          by: (each) => openFor(each, now),
          cell: (each) => (isMatch ? '–' : wordsOfMinutes(Math.round(openFor(each, now) / 60_000))),
        },
        { id: 'name', title: 'Name', isName: true, by: ({ name }) => name, cell: ({ name }) => name },
      ]}
    />
  );
}

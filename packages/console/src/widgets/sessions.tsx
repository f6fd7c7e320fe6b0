import { useQuery } from '@tanstack/react-query';
import type { Session } from '@millrace/client';
import { useState } from 'react';
import { api } from '../data/api.js';
import { queryClient } from '../data/query-client.js';
import { Button } from './inputs/button.js';
import { Chip } from './chip.js';
import { DataTable } from './data-table.js';
import { RelativeTime } from './relative-time.js';
import { EmptyState, errorText, ErrorState, LoadingNotice } from './states.js';
import { notify } from './overlays/toast.js';

const sessionsKey = ['sessions'] as const;

/** Signed-in browsers, with sign-out. */
export function Sessions({
  of,
  nameOf,
}: {
  readonly of?: string | undefined;
  readonly nameOf?: (userId: string) => string;
}) {
  const [sort, setSort] = useState('-used');
  const { data, error, refetch } = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => api.call('listSessions', { signal }),
    staleTime: 0,
  });
  if (error !== null)
    return <ErrorState title="Could not load sessions" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice lines={3} />;
  const end = async ({ id, userAgent }: Session): Promise<void> => {
    try {
      await api.call('endSession', { params: { id } });
      notify({ text: `${browserName(userAgent)} is signed out` });
    } catch (failure) {
      notify({ text: errorText(failure), kind: 'problem' });
    }
    await queryClient.invalidateQueries({ queryKey: sessionsKey });
  };
  return (
    <DataTable
      label="Sessions"
      items={of === undefined ? data : data.filter(({ userId }) => userId === of)}
      idOf={({ id }) => id}
      sort={sort}
      onSort={setSort}
      empty={<EmptyState title="No active sessions" />}
      columns={[
        {
          id: 'browser',
          title: 'Browser',
          by: ({ userAgent }) => browserName(userAgent),
          cell: ({ userAgent, current }) => (
            <span title={userAgent}>
              {browserName(userAgent)} {current && <Chip tone="accent">current</Chip>}
            </span>
          ),
        },
        ...(nameOf === undefined
          ? []
          : [
              {
                id: 'user',
                title: 'User',
                by: ({ userId }: Session) => nameOf(userId),
                cell: ({ userId }: Session) => nameOf(userId),
              },
            ]),
        { id: 'token', title: 'Token', by: ({ tokenName }) => tokenName, cell: ({ tokenName }) => tokenName },
        {
          id: 'address',
          title: 'Address',
          by: ({ address }) => address,
          cell: ({ address }) => <code>{address}</code>,
        },
        {
          id: 'used',
          title: 'Last used',
          by: ({ lastUsed }) => lastUsed,
          cell: ({ lastUsed }) => <RelativeTime at={lastUsed} />,
        },
        {
          id: 'expires',
          title: 'Expires',
          by: ({ expires }) => expires,
          cell: ({ expires }) => <RelativeTime at={expires} />,
        },
        {
          id: 'actions',
          title: 'Actions',
          unseen: true,
          align: 'end',
          cell: (session) => (
            <Button
              small
              label={`Sign out ${browserName(session.userAgent)} at ${session.address}`}
              onPress={() => void end(session)}
            >
              Sign out
            </Button>
          ),
        },
      ]}
    />
  );
}

/** Browser name from its user agent: `Firefox on Linux`. */
function browserName(userAgent: string): string {
  const browser = [
    ['Edg/', 'Edge'],
    ['OPR/', 'Opera'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ].find(([mark]) => userAgent.includes(mark!))?.[1];
  const system = [
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Windows', 'Windows'],
    ['Mac OS X', 'macOS'],
    ['Linux', 'Linux'],
  ].find(([mark]) => userAgent.includes(mark!))?.[1];
  if (browser === undefined) return userAgent === '' ? 'Unknown' : userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { Chip } from '../../widgets/chip.js';
import { DataTable } from '../../widgets/data-table.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import { Section } from '../../widgets/section.js';

const EVERY_MILLISECONDS = 5000;

/** Nodes of the cluster; empty for a single node. */
export function Nodes() {
  const [sort, setSort] = useState('-live');
  const { data } = useQuery({
    queryKey: ['nodes'],
    queryFn: ({ signal }) => api.call('listNodes', { signal }),
    staleTime: 0,
    refetchInterval: EVERY_MILLISECONDS,
  });
  if (data === undefined || data.length < 2) return null;
  return (
    <Section title="Nodes" about="Cluster nodes seen in the last 24 hours">
      <DataTable
        label="Nodes"
        items={data}
        idOf={({ epoch }) => String(epoch)}
        sort={sort}
        onSort={setSort}
        columns={[
          { id: 'name', title: 'Machine', isName: true, by: ({ name }) => name, cell: ({ name }) => name },
          { id: 'url', title: 'Address', cell: ({ url }) => url },
          { id: 'version', title: 'Version', by: ({ version }) => version, cell: ({ version }) => version },
          {
            id: 'live',
            title: 'State',
            by: ({ live }) => Number(live),
            cell: ({ live }) => <Chip tone={live ? 'good' : 'warn'}>{live ? 'live' : 'gone'}</Chip>,
          },
          {
            id: 'epoch',
            title: 'Started',
            align: 'end',
            by: ({ epoch }) => epoch,
            cell: ({ started }) => <RelativeTime at={started} />,
          },
        ]}
      />
    </Section>
  );
}

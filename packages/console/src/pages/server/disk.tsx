import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { bytesText } from '../../data/format-units.js';
import { api } from '../../data/api.js';
import { useDatasetInfos } from '../../data/dataset-info.js';
import { Button } from '../../widgets/inputs/button.js';
import { DataTable } from '../../widgets/data-table.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';

const DAY = 86_400_000;

/** Disk usage and growth. */
export function Disk() {
  const [sort, setSort] = useState('-disk');
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['datasets'],
    queryFn: ({ signal }) => api.call('listDatasets', { signal }),
  });
  const [inView, setInView] = useState<readonly string[]>([]);
  const infos = useDatasetInfos(inView);
  if (error !== null)
    return <ErrorState title="Could not load datasets" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice lines={3} />;
  const bytesOf = (name: string): number | undefined => infos.get(name)?.compressedBytes;
  /** Size divided by the time span of its events, at least a day. */
  const growthOf = (name: string): number | undefined => {
    const { compressedBytes, minTime, maxTime } = infos.get(name) ?? {};
    if (compressedBytes === undefined || minTime === undefined || maxTime === undefined) return undefined;
    return compressedBytes / Math.max(1, (Date.parse(maxTime) - Date.parse(minTime)) / DAY);
  };
  const text = (bytes: number | undefined, unit = ''): string =>
    bytes === undefined ? '–' : `${bytesText(bytes)}${unit}`;
  return (
    <DataTable
      label="Disk by dataset"
      items={data}
      idOf={({ name }) => name}
      sort={sort}
      onSort={setSort}
      onShown={setInView}
      empty="No datasets yet"
      columns={[
        { id: 'name', title: 'Dataset', isName: true, by: ({ name }) => name, cell: ({ name }) => name },
        {
          id: 'disk',
          title: 'On disk',
          align: 'end',
          by: ({ name }) => bytesOf(name) ?? -1,
          cell: ({ name }) => text(bytesOf(name)),
        },
        {
          id: 'growth',
          title: 'Growth',
          align: 'end',
          by: ({ name }) => growthOf(name) ?? -1,
          cell: ({ name }) => text(growthOf(name), '/day'),
        },
        {
          id: 'kept',
          title: 'Retention',
          align: 'end',
          by: ({ useRetentionPeriod, retentionDays }) =>
            useRetentionPeriod ? retentionDays : Number.POSITIVE_INFINITY,
          cell: ({ useRetentionPeriod, retentionDays }) => (useRetentionPeriod ? `${retentionDays} d` : 'Forever'),
        },
        {
          id: 'retention',
          title: 'Actions',
          unseen: true,
          align: 'end',
          cell: ({ name }) => (
            <Button
              small
              needs={{ org: 'datasets', action: 'update' }}
              label={`Retention of ${name}`}
              onPress={() => void navigate({ to: `/datasets/${encodeURIComponent(name)}/settings` as string })}
            >
              Retention…
            </Button>
          ),
        },
      ]}
    />
  );
}

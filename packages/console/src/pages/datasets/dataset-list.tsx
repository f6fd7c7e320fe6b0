import type { Dataset } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { agoText, bytesText, countOf, countText, shortAmount } from '../../data/format-units.js';
import { api } from '../../data/api.js';
import { choiceParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { useNow } from '../../data/use-now.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { DataTable, MAX_ROWS } from '../../widgets/data-table.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { CreateDataset } from './create-dataset.js';
import { useAllowed } from '../../data/catalog.js';
import { readDatasets, useDatasetInfos } from '../../data/dataset-info.js';
import styles from './datasets.module.css';
import { kindTitle } from './kinds.js';

const params = { sort: textParam('name'), qs: textParam(), new: choiceParam(['', 'dataset'] as const, '') };

/** All datasets with size, latest event and share of the disk. */
export function DatasetList() {
  const [{ sort, qs, new: making }, change] = useUrlState(params);
  const navigate = useNavigate();
  const now = useNow(5000);
  const { data, error, refetch } = useQuery({
    queryKey: ['datasets'],
    queryFn: ({ signal }) => api.call('listDatasets', { signal }),
    staleTime: 0,
  });
  const [inView, setInView] = useState<readonly string[]>([]);
  const infos = useDatasetInfos(inView);
  // Statistics are loaded for visible rows only.
  const many = (data ?? []).length > MAX_ROWS;
  const disk = [...infos.values()].reduce((sum, { compressedBytes }) => sum + compressedBytes, 0);
  const shown = (data ?? []).filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(qs.toLowerCase()),
  );
  const info = (name: string) => infos.get(name);
  const unknown = useAllowed(readDatasets) ? '…' : '–';
  const byFigure = (by: (dataset: Dataset) => string | number) => (many ? {} : { by });
  return (
    <Page
      title="Datasets"
      flow={error !== null ? 'failed' : data === undefined ? 'running' : 'idle'}
      bar={
        <>
          <TextField
            label="Find a dataset"
            bare
            type="search"
            placeholder="Find"
            value={qs}
            onChange={(next) => change({ qs: next })}
            className={styles.find}
          />
          <BarSpace />
          {data !== undefined && (
            <span className={styles.note}>
              {countOf(data.length, 'dataset')}
              {!many && disk > 0 && ` · ${bytesText(disk)} on disk`}
            </span>
          )}
          <Button
            kind="primary"
            needs={{ org: 'datasets', action: 'create' }}
            onPress={() => change({ new: 'dataset' })}
          >
            <Plus aria-hidden /> New dataset
          </Button>
        </>
      }
    >
      {error !== null ? (
        <ErrorState title="Could not load datasets" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingNotice />
      ) : (
        <DataTable
          label="Datasets"
          items={shown}
          idOf={({ name }) => name}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          onShown={setInView}
          onOpen={({ name }) => void navigate({ to: `/datasets/${encodeURIComponent(name)}` as string })}
          empty={
            qs === '' ? (
              <EmptyState
                title="There is no dataset yet"
                actions={
                  <Button onPress={() => void navigate({ to: '/welcome' as string })}>Send the first event</Button>
                }
              >
                Datasets hold events. Create one per source.
              </EmptyState>
            ) : (
              <EmptyState
                title={`No datasets match ${qs}`}
                actions={<Button onPress={() => change({ qs: '' })}>Clear search</Button>}
              />
            )
          }
          columns={[
            {
              id: 'name',
              title: 'Name',
              by: ({ name }) => name,
              cell: ({ name, description }) => (
                <>
                  <strong>{name}</strong>
                  {description !== '' && <div className={styles.description}>{description}</div>}
                </>
              ),
            },
            { id: 'kind', title: 'Kind', aside: true, by: ({ kind }) => kind, cell: ({ kind }) => kindTitle(kind) },
            {
              id: 'events',
              title: 'Events',
              align: 'end',
              ...byFigure(({ name }) => info(name)?.numEvents ?? -1),
              cell: ({ name }) => {
                const events = info(name)?.numEvents;
                return events === undefined ? unknown : <span title={countText(events)}>{shortAmount(events)}</span>;
              },
            },
            {
              id: 'size',
              title: 'Raw size',
              aside: true,
              align: 'end',
              ...byFigure(({ name }) => info(name)?.inputBytes ?? -1),
              cell: ({ name }) => (info(name) === undefined ? unknown : bytesText(info(name)!.inputBytes)),
            },
            {
              id: 'disk',
              aside: true,
              title: 'On disk',
              align: 'end',
              ...byFigure(({ name }) => info(name)?.compressedBytes ?? -1),
              cell: ({ name }) => {
                const found = info(name);
                if (found === undefined) return unknown;
                return (
                  <span title={ratioText(found.inputBytes, found.compressedBytes)}>
                    {bytesText(found.compressedBytes)}
                    <span className={styles.share} aria-hidden>
                      <span style={{ width: `${disk === 0 ? 0 : (found.compressedBytes / disk) * 100}%` }} />
                    </span>
                  </span>
                );
              },
            },
            {
              id: 'newest',
              title: 'Newest event',
              align: 'end',
              ...byFigure(({ name }) => info(name)?.maxTime ?? ''),
              cell: ({ name }) => {
                const newest = info(name)?.maxTime;
                return newest === undefined ? (
                  '–'
                ) : (
                  <time dateTime={newest} title={newest}>
                    {agoText(Date.parse(newest), now)}
                  </time>
                );
              },
            },
            {
              id: 'fields',
              aside: true,
              title: 'Fields',
              align: 'end',
              ...byFigure(({ name }) => info(name)?.numFields ?? -1),
              cell: ({ name }) => info(name)?.numFields ?? unknown,
            },
            {
              id: 'retention',
              aside: true,
              title: 'Retention',
              align: 'end',
              by: ({ useRetentionPeriod, retentionDays }) =>
                useRetentionPeriod ? retentionDays : Number.POSITIVE_INFINITY,
              cell: ({ useRetentionPeriod, retentionDays }) =>
                useRetentionPeriod ? <Chip>{retentionDays} d</Chip> : 'forever',
            },
          ]}
        />
      )}
      {making === 'dataset' && <CreateDataset onClose={() => change({ new: '' })} />}
    </Page>
  );
}

const ratioText = (input: number, compressed: number): string =>
  compressed === 0 ? '' : `Compression ratio ${(input / compressed).toFixed(1)}×`;

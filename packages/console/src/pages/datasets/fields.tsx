import type { DatasetField } from '@millrace/client';
import { Lock, LockOpen } from 'lucide-react';
import { useState } from 'react';
import { countOf } from '../../data/format-units.js';
import { flagParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { DataTable } from '../../widgets/data-table.js';
import { EmptyState, errorText } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { useCoverage } from './coverage.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';
import { EditField } from './edit-field.js';
import { LockSchema } from './lock-schema.js';
import { MapFields } from './map-fields.js';

const params = { sort: textParam('name'), qs: textParam(), coverage: flagParam() };
/** Fields whose coverage is counted. */
const MAX_COUNTED = 500;

/** Fields of the events: types and coverage. */
export function Fields({ dataset }: { readonly dataset: KnownDataset }) {
  const [{ sort, qs, coverage: wanted }, change] = useUrlState(params);
  const [editing, setEditing] = useState<DatasetField>();
  const [locking, setLocking] = useState(false);
  const { fields, name, locked } = dataset;
  const coverage = useCoverage(
    name,
    fields.slice(0, MAX_COUNTED).map((field) => field.name),
    wanted,
  );
  const found = fields.filter((field) => `${field.name} ${field.description}`.toLowerCase().includes(qs.toLowerCase()));
  const shareOf = (field: string): number =>
    coverage.data === undefined || coverage.data.events === 0
      ? -1
      : (coverage.data.having.get(field) ?? 0) / coverage.data.events;
  return (
    <>
      <div className={styles.bar}>
        <TextField
          label="Find a field"
          bare
          type="search"
          placeholder={`Find in ${countOf(fields.length, 'field')}`}
          value={qs}
          onChange={(next) => change({ qs: next })}
          className={styles.find}
        />
        <span className={styles.bar}>
          {coverage.error !== null && <span className={styles.problem}>{errorText(coverage.error)}</span>}
          <Button
            pressed={wanted}
            onPress={() => change({ coverage: !wanted })}
            needs={{ dataset: name, can: 'query', action: 'read' }}
            hint="Share of events in the last 24 hours"
          >
            {coverage.isFetching ? 'Counting…' : 'Coverage'}
          </Button>
          <Button onPress={() => setLocking(true)} needs={{ org: 'datasets', action: 'update' }}>
            {locked ? <Lock aria-hidden /> : <LockOpen aria-hidden />} {locked ? 'Schema is locked' : 'Lock schema'}
          </Button>
        </span>
      </div>
      <DataTable
        label="Fields"
        items={found}
        idOf={(field) => field.name}
        sort={sort}
        onSort={(next) => change({ sort: next })}
        onOpen={setEditing}
        empty={
          qs === '' ? (
            <EmptyState title="No fields yet">Fields are created automatically from events.</EmptyState>
          ) : (
            <EmptyState
              title={`No fields match ${qs}`}
              actions={<Button onPress={() => change({ qs: '' })}>Show all</Button>}
            />
          )
        }
        columns={[
          { id: 'name', title: 'Name', by: (field) => field.name, cell: (field) => <code>{field.name}</code> },
          {
            id: 'type',
            title: 'Types',
            by: ({ type }) => type,
            cell: ({ type }) => (
              <span className={styles.types}>
                {type === ''
                  ? '–'
                  : type.split('|').map((each) => (
                      <Chip key={each} tone={type.includes('|') ? 'warn' : 'plain'}>
                        {each}
                      </Chip>
                    ))}
              </span>
            ),
          },
          ...(wanted
            ? [
                {
                  id: 'coverage',
                  title: 'Coverage',
                  align: 'end' as const,
                  by: (field: DatasetField) => shareOf(field.name),
                  cell: (field: DatasetField) => <Share share={shareOf(field.name)} />,
                },
              ]
            : []),
          { id: 'unit', title: 'Unit', by: ({ unit }) => unit, cell: ({ unit }) => unit },
          {
            id: 'description',
            title: 'Description',
            cell: ({ description, hidden }) => (
              <>
                {description} {hidden && <Chip>hidden</Chip>}
              </>
            ),
          },
        ]}
      />
      <MapFields dataset={dataset} />
      {editing !== undefined && <EditField dataset={name} field={editing} onClose={() => setEditing(undefined)} />}
      {locking && <LockSchema dataset={dataset} onClose={() => setLocking(false)} />}
    </>
  );
}

/** Coverage as a bar and a percentage. */
const Share = ({ share }: { readonly share: number }) =>
  share < 0 ? (
    <>–</>
  ) : (
    <>
      {share > 0 && share < 0.001 ? '< 0.1' : (share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)}%
      <span className={styles.share} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </>
  );

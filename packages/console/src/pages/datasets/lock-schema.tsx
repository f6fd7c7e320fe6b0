import type { DeclaredField } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { countOf } from '../../data/format-units.js';
import { refreshCatalog } from '../../data/catalog.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { LoadingNotice } from '../../widgets/states.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';

const types: readonly string[] = ['integer', 'float', 'string', 'boolean', 'datetime', 'array', 'map'];
const isDeclarable = (type: string): type is DeclaredField['types'][number] => types.includes(type);

/** Locks the schema to the existing fields, or unlocks it. */
export const LockSchema = ({ dataset, onClose }: { readonly dataset: KnownDataset; readonly onClose: () => void }) =>
  dataset.locked ? <Unlock dataset={dataset} onClose={onClose} /> : <Choose dataset={dataset} onClose={onClose} />;

function Choose({
  dataset: { name, fields },
  onClose,
}: {
  readonly dataset: KnownDataset;
  readonly onClose: () => void;
}) {
  const possible = fields.flatMap((field) => {
    const known = field.type.split('|').filter(isDeclarable);
    return field.name.startsWith('_') || known.length === 0 ? [] : [{ name: field.name, types: known }];
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(possible.map((field) => field.name)));
  const submit = async (): Promise<void> => {
    const kept = possible.filter((field) => chosen.has(field.name));
    await api.call('lockSchema', { params: { id: name }, body: { fields: kept } });
    await refreshCatalog();
    onClose();
  };
  const dropped = possible.filter((field) => !chosen.has(field.name));
  return (
    <FormDialog
      title={`Lock the schema of ${name}`}
      action="Lock schema"
      onSubmit={submit}
      onClose={onClose}
      ready={chosen.size > 0}
      wide
    >
      <p>
        New events keep only these fields and types. Other values are dropped and reported in the ingest response.
        Existing events do not change.
      </p>
      <ul className={styles.chooser} aria-label="Fields to keep">
        {possible.map((field) => (
          <li key={field.name}>
            <Checkbox
              checked={chosen.has(field.name)}
              onChange={(on) =>
                setChosen(new Set(on ? [...chosen, field.name] : [...chosen].filter((each) => each !== field.name)))
              }
            >
              <code>{field.name}</code> <span className={styles.note}>{field.types.join(', ')}</span>
            </Checkbox>
          </li>
        ))}
      </ul>
      <p role="status">
        {dropped.length === 0
          ? 'No existing field would be dropped.'
          : `${countOf(dropped.length, 'field')} would be dropped: ${dropped.map((field) => field.name).join(', ')}.`}
      </p>
    </FormDialog>
  );
}

function Unlock({ dataset: { name }, onClose }: { readonly dataset: KnownDataset; readonly onClose: () => void }) {
  const { data } = useQuery({
    queryKey: ['schema', name],
    queryFn: ({ signal }) => api.call('getSchema', { params: { id: name }, signal }),
    staleTime: 0,
  });
  return (
    <Confirm
      title={`The schema of ${name} is locked`}
      action="Unlock schema"
      onClose={onClose}
      onConfirm={async () => {
        await api.call('unlockSchema', { params: { id: name } });
        await refreshCatalog();
      }}
    >
      <p>Only these fields are stored. Unlocking lets events add fields again.</p>
      {data === undefined ? (
        <LoadingNotice lines={2} />
      ) : (
        <ul className={styles.chooser}>
          {data.fields.map((field) => (
            <li key={field.name}>
              <code>{field.name}</code> <span className={styles.note}>{field.types.join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
    </Confirm>
  );
}

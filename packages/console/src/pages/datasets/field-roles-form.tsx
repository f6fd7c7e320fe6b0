import { useState } from 'react';
import { api } from '../../data/api.js';
import { refreshCatalog } from '../../data/catalog.js';
import { Button } from '../../widgets/inputs/button.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { notify } from '../../widgets/overlays/toast.js';
import { errorText } from '../../widgets/states.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';

type Roles = Required<NonNullable<KnownDataset['fieldRoles']>>;

/** Roles in order. `unset` describes what applies without a choice. */
const roles: readonly { readonly id: keyof Roles; readonly title: string; readonly unset: string }[] = [
  { id: 'time', title: 'Event time', unset: '_time' },
  { id: 'message', title: 'Message', unset: 'Detected' },
  { id: 'level', title: 'Level', unset: 'Detected' },
  { id: 'service', title: 'Service', unset: 'Detected' },
];

/** Stores chosen fields of a dataset; an empty name removes the choice. */
export async function saveFieldRoles(dataset: string, fieldRoles: Partial<Roles>): Promise<void> {
  await api.call('updateDataset', { params: { id: dataset }, body: { fieldRoles } });
  await refreshCatalog();
}

/** Fields for the event time, the message, the level and the service. */
export function FieldRolesForm({ dataset: { name, fields, fieldRoles } }: { readonly dataset: KnownDataset }) {
  const kept: Roles = { time: '', message: '', level: '', service: '', ...fieldRoles };
  const [typed, setTyped] = useState<Partial<Roles>>({});
  const chosen = { ...kept, ...typed };
  const isChanged = roles.some(({ id }) => chosen[id].trim() !== kept[id]);
  const save = async (): Promise<void> => {
    try {
      await saveFieldRoles(
        name,
        Object.fromEntries(Object.entries(typed).map(([role, field]) => [role, field.trim()])),
      );
      setTyped({});
      notify({ text: 'The fields are saved' });
    } catch (error) {
      notify({ text: errorText(error), kind: 'problem' });
    }
  };
  const listId = `fields-of-${name}`;
  return (
    <>
      <datalist id={listId}>
        {fields.map((field) => (
          <option key={field.name} value={field.name} />
        ))}
      </datalist>
      <div className={styles.roles}>
        {roles.map(({ id, title, unset }) => (
          <TextField
            key={id}
            label={title}
            mono
            list={listId}
            placeholder={unset}
            value={chosen[id]}
            onChange={(field) => setTyped({ ...typed, [id]: field })}
            description={
              chosen[id] === '' || fields.some((field) => field.name === chosen[id].trim())
                ? undefined
                : 'No event has this field'
            }
          />
        ))}
        <Button disabled={!isChanged} needs={{ org: 'datasets', action: 'update' }} onPress={() => void save()}>
          Save fields
        </Button>
      </div>
    </>
  );
}

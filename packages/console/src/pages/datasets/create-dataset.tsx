import type { Dataset } from '@millrace/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { refreshCatalog } from '../../data/catalog.js';
import { queryClient } from '../../data/query-client.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { Select } from '../../widgets/inputs/select.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { kinds } from './kinds.js';

const NAME = /^[a-z\d]([\w.-]{0,126}[a-z\d])?$/i;

/** Form for a new dataset; opens its ingest instructions. */
export function CreateDataset({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [kind, setKind] = useState<Dataset['kind']>('axiom:events:v1');
  const navigate = useNavigate();
  const submit = async (): Promise<void> => {
    await api.call('createDataset', { body: { name, description, kind } });
    await Promise.all([refreshCatalog(), queryClient.invalidateQueries({ queryKey: ['datasets'] })]);
    await navigate({ to: `/datasets/${encodeURIComponent(name)}/ingest` as string });
  };
  const good = NAME.test(name);
  return (
    <FormDialog title="New dataset" action="Create dataset" onSubmit={submit} onClose={onClose} ready={good}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        mono
        autoFocus
        description="The name is part of the ingest URL and cannot be changed later."
        problem={
          name === '' || good ? undefined : 'Use letters, digits, - _ and .; start and end with a letter or digit'
        }
      />
      <TextField label="Description" value={description} onChange={setDescription} />
      <Select label="Kind" value={kind} onChange={setKind} choices={kinds} />
    </FormDialog>
  );
}

import type { DatasetField } from '@millrace/client';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { refreshCatalog } from '../../data/catalog.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { TextField } from '../../widgets/inputs/text-field.js';

/** Edits the metadata of a field, not its events. */
export function EditField({
  dataset,
  field,
  onClose,
}: {
  readonly dataset: string;
  readonly field: DatasetField;
  readonly onClose: () => void;
}) {
  const [unit, setUnit] = useState(field.unit);
  const [description, setDescription] = useState(field.description);
  const [hidden, setHidden] = useState(field.hidden);
  const submit = async (): Promise<void> => {
    await api.call('updateField', { params: { id: dataset, field: field.name }, body: { unit, description, hidden } });
    await refreshCatalog();
    onClose();
  };
  return (
    <FormDialog title={field.name} action="Save" onSubmit={submit} onClose={onClose}>
      <TextField label="Unit" value={unit} onChange={setUnit} placeholder="ms, bytes, %" autoFocus />
      <TextField label="Description" value={description} onChange={setDescription} lines={3} />
      <Checkbox checked={hidden} onChange={setHidden}>
        Hide from field lists
      </Checkbox>
    </FormDialog>
  );
}

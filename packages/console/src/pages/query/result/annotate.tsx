import { useState } from 'react';
import { api } from '../../../data/api.js';
import { instantText } from '../../../data/time/instants.js';
import { type Bounds, rangeOf, rangeTitle } from '../../../data/time/ranges.js';
import { FormDialog } from '../../../widgets/overlays/form-dialog.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { refreshAnnotations } from './use-annotations.js';

/** Adds an annotation to the dataset, visible to all users. */
export function Annotate({
  bounds,
  dataset,
  zone,
  onClose,
}: {
  readonly bounds: Bounds;
  readonly dataset: string;
  readonly zone: string;
  readonly onClose: () => void;
}) {
  const [title, setTitle] = useState('');
  const [type, setType] = useState('note');
  const [description, setDescription] = useState('');
  const save = async (): Promise<void> => {
    await api.call('createAnnotation', {
      body: {
        datasets: [dataset],
        type,
        title,
        time: instantText(bounds.start),
        endTime: instantText(bounds.end),
        ...(description !== '' && { description }),
      },
    });
    await refreshAnnotations();
    onClose();
  };
  return (
    <FormDialog
      title="Annotate"
      action="Save"
      ready={title.trim() !== '' && type !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      <p>
        {rangeTitle(rangeOf(bounds), zone)} in {dataset}
      </p>
      <TextField label="Title" value={title} onChange={setTitle} autoFocus required />
      <TextField label="Kind" value={type} onChange={setType} description="for example deploy, incident or note" />
      <TextField label="Description" value={description} onChange={setDescription} lines={3} />
    </FormDialog>
  );
}

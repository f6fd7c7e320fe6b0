import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/api.js';
import { refreshSavedQueries } from '../../../data/saved-queries.js';
import { Button } from '../../../widgets/inputs/button.js';
import { SegmentedInput } from '../../../widgets/inputs/segmented-input.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { notify } from '../../../widgets/overlays/toast.js';
import { errorText } from '../../../widgets/states.js';
import styles from '../query.module.css';
import type { SheetProps } from './query-drawers.js';

/** Saves the query with its range, view and columns. */
export function SaveForm({ access: { state }, text, onClose }: SheetProps) {
  const [name, setName] = useState('');
  const [who, setWho] = useState<'mine' | 'team'>('mine');
  const save = useMutation({
    mutationFn: () =>
      api.call('createStarredQuery', {
        body: {
          kind: 'apl',
          name: name.trim(),
          query: { apl: text, startTime: state.from, endTime: state.to },
          metadata: { view: state.v, columns: state.c.join(',') },
          ...(who === 'team' && { who: 'team' }),
        },
      }),
    onSuccess: async () => {
      await refreshSavedQueries();
      notify({ text: `Saved “${name.trim()}”` });
      onClose();
    },
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '' && text.trim() !== '') save.mutate();
      }}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        autoFocus
        problem={save.error === null ? undefined : errorText(save.error)}
      />
      <SegmentedInput
        label="Visibility"
        value={who}
        onChange={setWho}
        choices={[
          { id: 'mine', title: 'Only me' },
          { id: 'team', title: 'Everyone' },
        ]}
      />
      <Button type="submit" kind="primary" disabled={name.trim() === '' || text.trim() === '' || save.isPending}>
        Save
      </Button>
    </form>
  );
}

import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../data/api.js';
import { useCatalogue } from '../../../data/catalogue.js';
import { refreshSavedQueries, useSavedQueries } from '../../../data/saved-queries.js';
import { Button, IconButton } from '../../../widgets/inputs/button.js';
import { Select } from '../../../widgets/inputs/select.js';
import { EmptyState, ErrorState, errorText, Loading } from '../../../widgets/states.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { notify } from '../../../widgets/overlays/toast.js';
import styles from '../query.module.css';
import type { SheetProps } from './query-sheets.js';
import { openSaved } from './saved-view.js';

/** Saves the text with its range, view and columns. */
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
      <Select
        label="Whose it is"
        value={who}
        onChange={setWho}
        choices={[
          { id: 'mine', title: 'Mine' },
          { id: 'team', title: 'Everybody’s' },
        ]}
      />
      <Button type="submit" kind="primary" disabled={name.trim() === '' || text.trim() === '' || save.isPending}>
        Save
      </Button>
    </form>
  );
}

/** Opens a saved query with the view it was saved with. */
export function SavedList({ access, onClose }: SheetProps) {
  const { data, error, refetch } = useSavedQueries();
  const me = useCatalogue()?.principal.userId;
  const remove = useMutation({
    mutationFn: (id: string) => api.call('deleteStarredQuery', { params: { id } }),
    onSuccess: () => refreshSavedQueries(),
    onError: (problem) => notify({ text: errorText(problem), kind: 'problem' }),
  });
  if (error !== null) return <ErrorState title="No saved queries" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0)
    return <EmptyState title="Nothing is saved yet">Ctrl+S saves the query that is open.</EmptyState>;
  return (
    <ul className={styles.list}>
      {data.map((saved) => (
        <li key={saved.id} className={styles.entryLine}>
          <button
            type="button"
            className={styles.entry}
            onClick={() => {
              openSaved(access, saved);
              onClose();
            }}
          >
            <strong>{saved.name}</strong>
            <span className={styles.when}>
              {saved.who === me ? 'mine' : saved.who === 'team' ? 'everybody’s' : 'somebody’s'}
            </span>
            <code>{String(saved.query['apl'] ?? '')}</code>
          </button>
          <IconButton label={`Delete ${saved.name}`} onPress={() => remove.mutate(saved.id)}>
            <Trash2 />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { useCatalogue } from '../../data/catalogue.js';
import { queryClient } from '../../data/query-client.js';
import { Button, IconButton } from '../../widgets/button.js';
import { Select } from '../../widgets/select.js';
import { EmptyState, ErrorState, errorText, Loading } from '../../widgets/states.js';
import { TextField } from '../../widgets/text-field.js';
import { notify } from '../../widgets/toast.js';
import styles from './query.module.css';
import type { SheetProps } from './query-sheets.js';
import type { View } from './query-state.js';

const key = ['saved-queries'];

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
      await queryClient.invalidateQueries({ queryKey: key });
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
export function SavedList({ access: { ask, change }, onClose }: SheetProps) {
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.call('listStarredQueries', { signal }),
  });
  const me = useCatalogue()?.principal.userId;
  const remove = useMutation({
    mutationFn: (id: string) => api.call('deleteStarredQuery', { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key }),
    onError: (problem) => notify({ text: errorText(problem), kind: 'problem' }),
  });
  if (error !== null) return <ErrorState title="No saved queries" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0)
    return <EmptyState title="Nothing is saved yet">Ctrl+S saves the query that is open.</EmptyState>;
  return (
    <ul className={styles.list}>
      {data.map(({ id, name, query, metadata, who }) => (
        <li key={id} className={styles.entryLine}>
          <button
            type="button"
            className={styles.entry}
            onClick={() => {
              ask({
                q: String(query['apl'] ?? ''),
                from: String(query['startTime'] ?? 'now-1h'),
                to: String(query['endTime'] ?? 'now'),
                asof: '',
              });
              change({
                v: (metadata['view'] ?? 'auto') as View,
                c: metadata['columns'] ? metadata['columns'].split(',') : [],
              });
              onClose();
            }}
          >
            <strong>{name}</strong>
            <span className={styles.when}>{who === me ? 'mine' : who === 'team' ? 'everybody’s' : 'somebody’s'}</span>
            <code>{String(query['apl'] ?? '')}</code>
          </button>
          <IconButton label={`Delete ${name}`} onPress={() => remove.mutate(id)}>
            <Trash2 />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

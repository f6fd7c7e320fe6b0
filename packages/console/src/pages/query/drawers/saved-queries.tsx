import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { api } from '../../../data/api.js';
import { useAllowedSomewhere, useCatalog } from '../../../data/catalog.js';
import { refreshSavedQueries, useSavedQueries } from '../../../data/saved-queries.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { EmptyState, ErrorState, errorText, LoadingNotice } from '../../../widgets/states.js';
import { notify } from '../../../widgets/overlays/toast.js';
import styles from '../query.module.css';
import type { SheetProps } from './query-drawers.js';
import { openSaved } from './saved-view.js';

/** Opens a saved query with its saved view. */
export function SavedList({ access, onClose }: SheetProps) {
  const { data, error, refetch } = useSavedQueries();
  const catalog = useCatalog();
  const me = catalog?.principal.userId;
  const isAllowed = useAllowedSomewhere('starredQueries', 'read');
  const remove = useMutation({
    mutationFn: (id: string) => api.call('deleteStarredQuery', { params: { id } }),
    onSuccess: () => refreshSavedQueries(),
    onError: (problem) => notify({ text: errorText(problem), kind: 'problem' }),
  });
  if (catalog !== undefined && !isAllowed)
    return (
      <EmptyState title="No access to saved queries">
        Requires permission starredQueries:read on a dataset. Ask an owner to grant it.
      </EmptyState>
    );
  if (error !== null)
    return <ErrorState title="Could not load saved queries" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice />;
  if (data.length === 0)
    return <EmptyState title="No saved queries">Press Ctrl+S to save the current query.</EmptyState>;
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
              {saved.who === me ? 'mine' : saved.who === 'team' ? 'shared' : 'of another user'}
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

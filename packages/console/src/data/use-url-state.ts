import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Search } from './search-text.js';
import { changedSearch, changesQuery, type Params, readState, type StateOf } from './url-params.js';

/**
 * State of a page in the address, and a function to change it:
 *
 * const [{ q, sort }, change] = useUrlState(params);
 * change({ sort: 'name' });
 *
 * A fragment replaces the current one.
 */
export function useUrlState<P extends Params>(
  params: P,
): readonly [StateOf<P>, (change: Partial<StateOf<P>>, fragment?: string) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const state = useMemo(() => readState(params, search), [params, search]);
  const change = useCallback(
    (change: Partial<StateOf<P>>, fragment?: string) => {
      void navigate({
        to: '.',
        search: ((before: Search) => changedSearch(params, before, change)) as never,
        hash: fragment ?? true,
        replace: !changesQuery(params, change),
        resetScroll: false,
      });
    },
    [navigate, params],
  );
  return [state, change];
}

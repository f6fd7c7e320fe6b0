import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchText } from '../../workbench/use-search-text.js';
import type { QueryStateAccess } from './query-state.js';
import { useChosenDataset } from './use-chosen-dataset.js';
import type { Result } from './use-result.js';

/** Text of the editor, the search it may be, and how it runs. */
export function useQueryText({ state, ask }: QueryStateAccess, { again }: Result) {
  const [text, setText] = useState(state.q);
  // History navigation restores the query text; no other state change overwrites the editor. Text
  // typed before the newest events open stays.
  const lastQuery = useRef(state.q);
  useEffect(() => {
    const isLanding = lastQuery.current === '';
    lastQuery.current = state.q;
    setText((typed) => (isLanding && typed !== '' ? typed : state.q));
  }, [state.q]);
  const run = useCallback(
    (next: string) => {
      setText(next);
      if (next === state.q) again();
      else ask({ q: next });
    },
    [ask, again, state.q],
  );
  const { chosen: dataset, pick } = useChosenDataset(state.q);
  const search = useSearchText(text, dataset);
  const runText = useCallback(() => void search.resolve().then((apl) => apl !== undefined && run(apl)), [run, search]);
  return { text, setText, run, runText, search, dataset, pick };
}

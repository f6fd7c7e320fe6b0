import { useState } from 'react';

/**
 * Draft of a form. Its problems appear after the first attempt to save it.
 * @param problemsOf problems by field; every member of it is optional
 */
export function useDraft<D extends object, P extends object>(initial: () => D, problemsOf: (draft: D) => P) {
  const [draft, setDraft] = useState(initial);
  const [tried, setTried] = useState(false);
  const found = problemsOf(draft);
  return {
    draft,
    change: (change: Partial<D>): void => setDraft((before) => ({ ...before, ...change })),
    problems: tried ? found : ({} as P),
    /** Shows the problems. @returns whether there are none */
    check: (): boolean => {
      setTried(true);
      return Object.keys(found).length === 0;
    },
  };
}

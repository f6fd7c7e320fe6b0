import { useSyncExternalStore } from 'react';

/** The same as in the style sheets. */
const narrow = globalThis.matchMedia?.('(max-width: 720px)');

function subscribe(changed: () => void): () => void {
  narrow?.addEventListener('change', changed);
  return () => narrow?.removeEventListener('change', changed);
}

/** Whether the window is as narrow as that of a telephone. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow?.matches ?? false);

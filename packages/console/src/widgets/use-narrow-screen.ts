import { useSyncExternalStore } from 'react';

/** Hook for a media query of the style sheets. */
function createMediaHook(query: string): () => boolean {
  const media = globalThis.matchMedia?.(query);
  const subscribe = (changed: () => void): (() => void) => {
    media?.addEventListener('change', changed);
    return () => media?.removeEventListener('change', changed);
  };
  return () => useSyncExternalStore(subscribe, () => media?.matches ?? false);
}

/** Whether the window is as narrow as a phone. */
export const useNarrow = createMediaHook('(max-width: 720px)');

/** Whether the window is too narrow for a list next to the results. */
export const useOneColumn = createMediaHook('(max-width: 1100px)');

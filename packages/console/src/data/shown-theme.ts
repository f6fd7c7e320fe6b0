import { useSyncExternalStore } from 'react';
import { useTaste } from './taste.js';

const light = globalThis.matchMedia?.('(prefers-color-scheme: light)');

function subscribe(changed: () => void): () => void {
  light?.addEventListener('change', changed);
  return () => light?.removeEventListener('change', changed);
}

/**
 * The theme that is on the screen: the chosen one, or that of the system, which may change at any
 * time. What is painted has to be painted anew then.
 */
export function useShownTheme(): 'dark' | 'light' {
  const { theme } = useTaste();
  const isLight = useSyncExternalStore(subscribe, () => light?.matches ?? false);
  return theme === 'system' ? (isLight ? 'light' : 'dark') : theme;
}

import { useSyncExternalStore } from 'react';
import { usePreferences } from './preferences.js';

const light = globalThis.matchMedia?.('(prefers-color-scheme: light)');

function subscribe(changed: () => void): () => void {
  light?.addEventListener('change', changed);
  return () => light?.removeEventListener('change', changed);
}

/**
 * Theme on screen: the chosen one, or the system theme, which may change at any time. Canvases
 * repaint on a change.
 */
export function useActiveTheme(): 'dark' | 'light' {
  const { theme } = usePreferences();
  const isLight = useSyncExternalStore(subscribe, () => light?.matches ?? false);
  return theme === 'system' ? (isLight ? 'light' : 'dark') : theme;
}

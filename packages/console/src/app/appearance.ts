import { useLayoutEffect } from 'react';
import { usePreferences } from '../data/preferences.js';

/** Sets theme and density on the document for the style sheets. */
export function useAppearance(): void {
  const { theme, density } = usePreferences();
  // Before charts draw, which read their colors from here.
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === 'system') delete dataset['theme'];
    else dataset['theme'] = theme;
    dataset['density'] = density;
  }, [theme, density]);
}

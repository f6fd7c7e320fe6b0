import { useLayoutEffect } from 'react';
import { useTaste } from '../data/taste.js';

/** Puts theme and density on the document, where the style sheets look for them. */
export function useAppearance(): void {
  const { theme, density } = useTaste();
  // Before charts are drawn, which look here for their colours.
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === 'system') delete dataset['theme'];
    else dataset['theme'] = theme;
    dataset['density'] = density;
  }, [theme, density]);
}

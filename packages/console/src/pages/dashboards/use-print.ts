import { useEffect, useRef, useState } from 'react';
import { overridePreferences } from '../../data/preferences.js';
import type { DashboardQueryRunner } from './query-runner.js';

/** Time to redraw after the last query. */
const DRAWN_MILLISECONDS = 400;

/**
 * Prints, or saves a PDF: queries all elements, also those out of view, uses the light theme, and
 * restores the page afterwards.
 */
export function usePrint(runner: DashboardQueryRunner): { readonly onPaper: boolean; readonly print: () => void } {
  const [onPaper, setOnPaper] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!onPaper) return undefined;
    const end = overridePreferences({ theme: 'light' });
    const later = (): void => {
      clearTimeout(timer.current);
      if (!runner.isRunning.get())
        timer.current = setTimeout(() => {
          globalThis.print();
          setOnPaper(false);
        }, DRAWN_MILLISECONDS);
    };
    const stop = runner.isRunning.subscribe(later);
    later();
    return () => {
      clearTimeout(timer.current);
      stop();
      end();
    };
  }, [onPaper, runner]);
  return { onPaper, print: () => setOnPaper(true) };
}

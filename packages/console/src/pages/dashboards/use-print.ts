import { useEffect, useRef, useState } from 'react';
import { lendTaste } from '../../data/taste.js';
import type { BoardRunner } from './board-runner.js';

/** Time for what is drawn anew, once nothing is asked any more. */
const DRAWN_MILLISECONDS = 400;

/**
 * Printing, or a PDF: on paper everything is asked, also what was never in view, and stands in the
 * light theme. Then all is as before.
 */
export function usePrint(runner: BoardRunner): { readonly onPaper: boolean; readonly print: () => void } {
  const [onPaper, setOnPaper] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!onPaper) return undefined;
    const end = lendTaste({ theme: 'light' });
    const later = (): void => {
      clearTimeout(timer.current);
      if (!runner.running.get())
        timer.current = setTimeout(() => {
          globalThis.print();
          setOnPaper(false);
        }, DRAWN_MILLISECONDS);
    };
    const stop = runner.running.subscribe(later);
    later();
    return () => {
      clearTimeout(timer.current);
      stop();
      end();
    };
  }, [onPaper, runner]);
  return { onPaper, print: () => setOnPaper(true) };
}

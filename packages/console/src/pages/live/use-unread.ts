import { useEffect, useRef, useState } from 'react';

/**
 * Events since the tab was hidden; 0 while visible.
 * @param next number of the next event
 */
export function useUnseen(next: number): number {
  const [hiddenAt, setHiddenAt] = useState<number>();
  const latest = useRef(next);
  latest.current = next;
  useEffect(() => {
    const look = (): void => setHiddenAt((before) => (document.hidden ? (before ?? latest.current) : undefined));
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return hiddenAt === undefined ? 0 : Math.max(0, next - hiddenAt);
}

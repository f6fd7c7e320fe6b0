import { useEffect, useRef, useState } from 'react';

/**
 * How many events have come since the tab went out of sight; 0 while it is in sight.
 * @param next the number of the event that comes next
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

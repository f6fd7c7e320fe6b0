import { useEffect, useState } from 'react';

/** Current time in milliseconds since the epoch, updated regularly. */
export function useNow(everyMilliseconds = 1000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMilliseconds);
    return () => clearInterval(timer);
  }, [everyMilliseconds]);
  return now;
}

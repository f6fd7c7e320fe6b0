import { createContext, type RefObject, useContext, useEffect, useState } from 'react';

/** As far from the view as it is drawn already. */
const NEAR = '240px';

/** On paper everything is drawn, wherever it stands. */
export const DrawEverything = createContext(false);

/** Whether an element is in view or near it: what nobody sees need not hold a picture. */
export function useNear(place: RefObject<HTMLElement | null>): boolean {
  const everything = useContext(DrawEverything);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    // What scrolls within the page clips its elements before the margin of the window counts.
    const observer = new IntersectionObserver(([entry]) => setNear(entry!.isIntersecting), {
      rootMargin: NEAR,
      scrollMargin: NEAR,
    } as IntersectionObserverInit);
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return near || everything;
}

import { createContext, type RefObject, useContext, useEffect, useState } from 'react';

/** Distance from the viewport at which charts are drawn. */
const NEAR = '240px';

/** Everything is drawn for print. */
export const DrawOffscreen = createContext(false);

/** Whether an element is in or near the viewport; others release their canvas. */
export function useNear(place: RefObject<HTMLElement | null>): boolean {
  const everything = useContext(DrawOffscreen);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    // Scroll containers clip elements before the margin of the window applies.
    const observer = new IntersectionObserver(([entry]) => setNear(entry!.isIntersecting), {
      rootMargin: NEAR,
      scrollMargin: NEAR,
    } as IntersectionObserverInit);
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return near || everything;
}

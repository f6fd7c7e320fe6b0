import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useFullPage } from '../../../widgets/full-page.js';
import { type Search, writeSearch } from '../../../data/search-text.js';
import { changedSearch, flagParam, listParam, numberParam, type StateOf } from '../../../data/url-params.js';
import { useUrlState } from '../../../data/use-url-state.js';

/** TV view in the address: on, the dashboards to rotate through, and the seconds for each. */
export const tvParams = { tv: flagParam(), rotate: listParam(), every: numberParam(30) };

/** Less would leave no time for queries. */
const MIN_SECONDS = 5;

export const rotationSeconds = [10, 15, 30, 60, 300] as const;

/** Next dashboard of a rotation; undefined if there is no other. */
export function nextOf(rotate: readonly string[], uid: string): string | undefined {
  const next = rotate[(rotate.indexOf(uid) + 1) % rotate.length];
  return next === uid ? undefined : next;
}

/** Address of a TV view that begins with the first dashboard. */
export function tvLink(
  console: string,
  [first = '', ...others]: readonly string[],
  every: number,
  range: Search,
): string {
  const rotate = others.length > 0 ? [first, ...others] : [];
  const search = changedSearch(tvParams, range, { tv: true, rotate, every });
  return `${console}dashboards/${encodeURIComponent(first)}${writeSearch(search)}`;
}

/** The TV view of a page: hides the sidebar, and opens the next dashboard in time. */
export function useTv(uid: string): StateOf<typeof tvParams> {
  const [tv] = useUrlState(tvParams);
  const navigate = useNavigate();
  useFullPage(tv.tv);
  const next = tv.tv ? nextOf(tv.rotate, uid) : undefined;
  useEffect(() => {
    if (next === undefined) return undefined;
    const open = (): void =>
      void navigate({
        to: `/dashboards/${next}` as string,
        // Filters belong to one dashboard.
        search: ((before: Search) =>
          Object.fromEntries(Object.entries(before).filter(([name]) => !/^(f\..*|only)$/.test(name)))) as never,
        replace: true,
      });
    const timer = setTimeout(open, Math.max(MIN_SECONDS, tv.every) * 1000);
    return () => clearTimeout(timer);
  }, [next, tv.every, navigate]);
  return tv;
}

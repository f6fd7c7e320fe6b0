import { changedSearch } from '../../../data/url-params.js';
import { readSearch, writeSearch } from '../../../data/search-text.js';
import { queryParams, type QueryState } from '../query-state.js';
import type { Result } from '../use-result.js';

/** Link to the page; relative ranges resolve when it is opened. */
export const relativeLink = (): string => location.href;

/**
 * Pinned link: exact ends of the range, and the position of the last included event. Late events do
 * not change it.
 */
export function pinnedLink(state: QueryState, { answer }: Result): string {
  if (answer === undefined) return relativeLink();
  const { start, end } = answer.table.head.range;
  const asof = state.asof !== '' ? state.asof : (answer.settled ?? '');
  const search = changedSearch(queryParams, readSearch(location.search), { from: start, to: end, asof });
  return `${location.origin}${location.pathname}${writeSearch(search)}${location.hash}`;
}

import { createContext, useContext } from 'react';
import type { ElementQueryState } from './query-runner.js';
import type { Filter, FilterTexts } from './document/filters.js';

/** Context that a dashboard provides to elements without a query. */
export interface BoardView {
  readonly filterTexts: FilterTexts;
  readonly setFilter: (id: string, value: string) => void;
  /** Options of a filter, from its query. */
  readonly optionsOf: (filter: Filter) => ElementQueryState | undefined;
  readonly closedSections: ReadonlySet<string>;
  readonly toggleSection: (id: string) => void;
}

const nowhere: BoardView = {
  filterTexts: {},
  setFilter: () => {},
  optionsOf: () => undefined,
  closedSections: new Set(),
  toggleSection: () => {},
};

export const BoardViewContext = createContext<BoardView>(nowhere);
export const useBoardView = (): BoardView => useContext(BoardViewContext);

import { createContext, useContext } from 'react';
import type { Asked } from './board-runner.js';
import type { Filter, FilterValues } from './document/filters.js';

/** What elements without a query of their own share with the board. */
export interface BoardView {
  readonly filterValues: FilterValues;
  readonly setFilter: (id: string, value: string) => void;
  /** What is known of the options that a query gives a filter. */
  readonly optionsOf: (filter: Filter) => Asked | undefined;
  readonly closedSections: ReadonlySet<string>;
  readonly toggleSection: (id: string) => void;
}

const nowhere: BoardView = {
  filterValues: {},
  setFilter: () => {},
  optionsOf: () => undefined,
  closedSections: new Set(),
  toggleSection: () => {},
};

export const BoardViewContext = createContext<BoardView>(nowhere);
export const useBoardView = (): BoardView => useContext(BoardViewContext);

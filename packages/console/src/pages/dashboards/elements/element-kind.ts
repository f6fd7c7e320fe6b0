import type { ComponentType } from 'react';
import type { Answer } from '../../../data/answers/answers.js';
import type { Range } from '../../../data/time/ranges.js';
import type { Chart } from '../document/document.js';
import type { Hints } from '../document/starter-query.js';

/** What the console knows of a kind of element: its place in a new board, and how it is drawn. */
export type ElementKind = AskingKind | StandingKind;

interface AboutKind {
  readonly title: string;
  /** Columns and rows of a new one. */
  readonly size: readonly [number, number];
  /** Members of a new one, besides its id and type. */
  readonly starter: Readonly<Record<string, unknown>>;
  /** Without a frame and a title of its own. */
  readonly bare?: boolean;
}

/** It shows the answer to its query. */
export interface AskingKind extends AboutKind {
  readonly asks: true;
  /** Rows that it can show, if the query does not say how many. */
  readonly rows: number;
  /**
   * What is left out of an answer over time that is too much: rows, or all but the largest series.
   */
  readonly cut: 'rows' | 'series';
  /** The steps of the query of a new one, behind the dataset. */
  readonly begins: (hints: Hints) => string;
  readonly Draw: ComponentType<DrawProps>;
}

/** It has no query of its own. */
interface StandingKind extends AboutKind {
  readonly asks: false;
  readonly Draw: ComponentType<StandProps>;
}

export interface DrawProps {
  readonly chart: Chart;
  readonly answer: Answer;
  /**
   * The same question for an earlier time, if the board compares, and how much earlier in
   * milliseconds.
   */
  readonly earlier: { readonly answer: Answer; readonly by: number; readonly title: string } | undefined;
  readonly zone: string;
  readonly onRange: (range: Range) => void;
}

export interface StandProps {
  readonly chart: Chart;
}

/** What a query has to look like for a chart of it. */
export const overTime = 'It needs numbers over time: summarize count() by bin_auto(_time)';

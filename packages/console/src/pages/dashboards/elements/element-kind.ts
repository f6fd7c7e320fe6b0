import type { ComponentType } from 'react';
import type { Answer } from '../../../data/results/results.js';
import type { Range } from '../../../data/time/ranges.js';
import type { Chart } from '../document/document.js';
import type { Hints } from '../document/starter-query.js';

/** Definition of an element kind: initial size and rendering. */
export type ElementKind = QueryElementKind | StandingKind;

interface AboutKind {
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly about: string;
  /** Initial columns and rows. */
  readonly size: readonly [number, number];
  /** Initial properties, in addition to ID and type. */
  readonly starter: Readonly<Record<string, unknown>>;
  /** Without frame and title. */
  readonly bare?: boolean;
  /** New ones go to the top of the dashboard. */
  readonly isFirst?: boolean;
}

/** Shows the result of its query. */
export interface QueryElementKind extends AboutKind {
  readonly asks: true;
  /** Maximum rows if the query has no limit. */
  readonly rows: number;
  /** How to limit a time series: by rows, or to the largest series. */
  readonly cut: 'rows' | 'series';
  /** Operators of the initial query, after the dataset. */
  readonly begins: (hints: Hints) => string;
  readonly Draw: ComponentType<DrawProps>;
}

/** Without a query. */
interface StandingKind extends AboutKind {
  readonly asks: false;
  readonly Draw: ComponentType<StaticElementProps>;
}

export interface DrawProps {
  readonly chart: Chart;
  readonly answer: Answer;
  /** Result for the comparison range, and its offset in milliseconds. */
  readonly earlier: { readonly answer: Answer; readonly by: number; readonly title: string } | undefined;
  readonly zone: string;
  readonly onRange: (range: Range) => void;
}

export interface StaticElementProps {
  readonly chart: Chart;
}

/** Requirements for the query of such a chart. */
export const overTime = 'Requires a time series: summarize count() by bin_auto(_time)';

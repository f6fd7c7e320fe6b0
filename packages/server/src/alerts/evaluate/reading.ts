import type { Label } from './result-table.js';

/** What a run found, in the terms of which monitors open and close. */

/** One group as a run found it; a monitor that does not open by groups has one, without labels. */
export interface Reading {
  readonly labels: readonly Label[];
  readonly violates: boolean;
  /** The value to tell of: the latest that violates, or else the latest. */
  readonly value?: number;
  /** Of an anomaly: what would have been usual. */
  readonly usual?: { readonly low: number; readonly high: number };
}

export type Verdict =
  /** It is not known how things are. */
  | { readonly kind: 'error'; readonly problem: string }
  | {
      readonly kind: 'read';
      /** Names of the columns that the labels are from. */
      readonly keys: readonly string[];
      readonly readings: readonly Reading[];
      /** There was nothing to compare. */
      readonly noData: boolean;
      /**
       * The smallest and the largest number that was compared with a threshold: another threshold
       * can be judged by them.
       */
      readonly extremes?: { readonly least: number; readonly greatest: number };
    };

/** Identifies a group among those of its monitor. */
export const groupKey = (labels: readonly Label[]): string => (labels.length === 0 ? '' : JSON.stringify(labels));

import type { Label } from './result-table.js';

/** Result of a run, as the state transitions of monitors need it. */

/**
 * Evaluation of one group; a monitor that does not evaluate groups separately has one, without
 * labels.
 */
export interface GroupEvaluation {
  readonly labels: readonly Label[];
  readonly violates: boolean;
  /**
   * It does not violate the threshold, and has not reached the one at which an open group resolves.
   */
  readonly holds?: true;
  /**
   * The value to report: the latest violating one, otherwise the latest; without one, the
   * group has no data.
   */
  readonly value?: number;
  /** For anomalies: the expected range. */
  readonly expected?: { readonly low: number; readonly high: number };
}

export type EvaluationResult =
  /** The evaluation failed; the state of the monitor is unknown. */
  | { readonly kind: 'error'; readonly problem: string }
  | {
      readonly kind: 'read';
      /** Names of the columns that the labels are from. */
      readonly keys: readonly string[];
      readonly readings: readonly GroupEvaluation[];
      /** There is no data to compare. */
      readonly noData: boolean;
      /**
       * The smallest and the largest number that was compared with a threshold: another threshold
       * can be judged by them.
       */
      readonly extremes?: { readonly min: number; readonly max: number };
    };

/** Identifies a group within its monitor. */
export const groupKey = (labels: readonly Label[]): string => (labels.length === 0 ? '' : JSON.stringify(labels));

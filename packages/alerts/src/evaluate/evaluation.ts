import type { Label } from './result-table.js';

/** Result of a run, as the state transitions of monitors need it. */

/**
 * Evaluation of one group; a monitor that does not evaluate groups separately has one, without
 * labels.
 */
export interface GroupEvaluation {
  readonly labels: readonly Label[];
  readonly violates: boolean;
  /** The value is between threshold and recovery threshold, so an open group stays open. */
  readonly keepsOpen?: true;
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
      /** Whether there is no data to compare. */
      readonly noData: boolean;
      /**
       * The smallest and the largest number that was compared with a threshold: another threshold
       * can be judged by them.
       */
      readonly extremes?: { readonly min: number; readonly max: number };
    };

/** Identifies a group within its monitor. */
export const groupKey = (labels: readonly Label[]): string => (labels.length === 0 ? '' : JSON.stringify(labels));

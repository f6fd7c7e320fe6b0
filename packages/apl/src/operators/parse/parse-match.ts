import type { Plan } from '../../plan/nodes.js';
import type { Scalar } from '../../plan/scalar.js';

/** A pattern of `parse`, applied to the text of each row. */
export interface ParseMatch {
  /** The input rows, followed by the columns with the match. */
  readonly plan: Plan;
  readonly isMatch: Scalar;
  /** The text of each column of the pattern in order; null without a match. */
  readonly texts: readonly Scalar[];
}

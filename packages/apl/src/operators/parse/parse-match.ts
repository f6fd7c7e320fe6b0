import type { Plan } from '../../plan/nodes.js';
import type { Scalar } from '../../plan/scalar.js';

/** A pattern of `parse`, applied to the text of each row. */
export interface ParseMatch {
  /** The rows with what was found in them, in columns of its own behind the others. */
  readonly plan: Plan;
  readonly isMatch: Scalar;
  /** The text of each column of the pattern in order; null without a match. */
  readonly texts: readonly Scalar[];
}

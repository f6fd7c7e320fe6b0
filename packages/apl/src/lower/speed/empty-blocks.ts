import type { Plan } from '../../plan/nodes.js';
import { inputsOf } from '../../plan/rewrite.js';

/**
 * Whether the rows of a plan may come with blocks that have none, which joining an empty array
 * leaves behind. Of such a block, grouping by constants makes a group. Aggregating is the only step
 * that surely gives no such blocks: the engine may move a filter before the array join.
 */
export const mayHaveEmptyBlocks = (plan: Plan): boolean =>
  plan.kind === 'expand' || (plan.kind !== 'aggregate' && inputsOf(plan).some(mayHaveEmptyBlocks));

import type { Plan } from '../../plan/nodes.js';
import { inputsOf } from '../../plan/rewrite.js';

/**
 * Whether the rows of a plan may include empty blocks, which joining an empty array produces.
 * Grouping such a block by constants makes a group. Aggregating is the only step that is certain to
 * remove them: the engine may move a filter before the array join.
 */
export const mayHaveEmptyBlocks = (plan: Plan): boolean =>
  plan.kind === 'expand' || (plan.kind !== 'aggregate' && inputsOf(plan).some(mayHaveEmptyBlocks));

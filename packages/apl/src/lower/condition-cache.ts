import type { Plan } from '../plan/nodes.js';
import { innerPlansOf, inputsOf } from '../plan/rewrite.js';

/**
 * The engine remembers which granules hold no row that a condition keeps, and skips them the next time. Under a join it may remember wrongly: if one side of a
 * semi or anti join is empty, it gives up the other side, and takes what it has not read for rows that were not kept. Every later query with the same condition
 * would miss those events, as if they were gone. So queries with joins leave that cache alone.
 */
export const conditionCacheSettings = (plans: readonly Plan[]): Readonly<Record<string, number>> =>
  plans.some(joins) ? { use_query_condition_cache: 0 } : {};

const joins = (plan: Plan): boolean => plan.kind === 'join' || [...inputsOf(plan), ...innerPlansOf(plan)].some(joins);

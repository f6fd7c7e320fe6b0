import type { Plan } from '../plan/nodes.js';
import { innerPlansOf, inputsOf } from '../plan/rewrite.js';

/**
 * The engine can remember which granules hold no row that a condition keeps, and skip them the next time: a question that finds little takes milliseconds
 * when it is asked again, however much there is to search. What it remembers of a join may be wrong, and would hide events from every later query with the same
 * condition, so only queries without joins use it. All other statements do without it (`baseSettings` of the engine).
 */
export const conditionCacheSettings = (plans: readonly Plan[]): Readonly<Record<string, number>> =>
  plans.some(joins) ? {} : { use_query_condition_cache: 1 };

const joins = (plan: Plan): boolean => plan.kind === 'join' || [...inputsOf(plan), ...innerPlansOf(plan)].some(joins);

import type { Plan } from '../../plan/nodes.js';
import { innerPlansOf, inputsOf, scalarsOf } from '../../plan/rewrite.js';
import { looksAround } from '../../plan/scalar.js';

/**
 * The engine can cache which granules contain no row that satisfies a condition, and skip them the
 * next time: a selective query then takes milliseconds when it is repeated, however much data it
 * searches. The cache may be wrong, and would hide events from every later query with the same
 * condition, for joins and for a second filter after a limit: the engine attributes rows dropped by
 * the second filter to the first one. So only queries without joins whose filters directly follow a
 * table use it. All other statements disable it (`baseSettings` of the engine), as do those without
 * a condition: each setting of a statement costs time.
 */
export const conditionCacheSettings = (plans: readonly Plan[]): Readonly<Record<string, number>> =>
  plans.some(filters) && plans.every(isRemembered) ? { use_query_condition_cache: 1 } : {};

const filters = (plan: Plan): boolean =>
  plan.kind === 'filter' || [...inputsOf(plan), ...innerPlansOf(plan)].some(filters);

const isRemembered = (plan: Plan): boolean =>
  plan.kind !== 'join' &&
  ((plan.kind !== 'filter' && plan.kind !== 'sample') || isOfTable(plan.input)) &&
  [...inputsOf(plan), ...innerPlansOf(plan)].every(isRemembered);

/** Whether rows come from a table, at most filtered and computed row by row. */
const isOfTable = (plan: Plan): boolean =>
  plan.kind === 'scan' ||
  ((plan.kind === 'filter' || plan.kind === 'project') && !scalarsOf(plan).some(looksAround) && isOfTable(plan.input));

import type { Plan } from '../../plan/nodes.js';
import { innerPlansOf, inputsOf, scalarsOf } from '../../plan/rewrite.js';
import { looksAround } from '../../plan/scalar.js';

/**
 * The engine can remember which granules hold no row that a condition keeps, and skip them the next
 * time: a question that finds little takes milliseconds when it is asked again, however much there
 * is to search. What it remembers may be wrong, and would hide events from every later query with
 * the same condition: of a join, and where rows are filtered again behind a limit, as it takes the
 * rows that the second filter drops for rows that the first one dropped. So only queries use it
 * that join nothing and filter only what comes straight from a table. All other statements do
 * without it (`baseSettings` of the engine), also those without a condition: each setting of a
 * statement takes its time.
 */
export const conditionCacheSettings = (plans: readonly Plan[]): Readonly<Record<string, number>> =>
  plans.some(filters) && plans.every(isRemembered) ? { use_query_condition_cache: 1 } : {};

const filters = (plan: Plan): boolean =>
  plan.kind === 'filter' || [...inputsOf(plan), ...innerPlansOf(plan)].some(filters);

const isRemembered = (plan: Plan): boolean =>
  plan.kind !== 'join' &&
  ((plan.kind !== 'filter' && plan.kind !== 'sample') || isOfTable(plan.input)) &&
  [...inputsOf(plan), ...innerPlansOf(plan)].every(isRemembered);

/** Whether rows are those of a table, at most filtered and computed one by one. */
const isOfTable = (plan: Plan): boolean =>
  plan.kind === 'scan' ||
  ((plan.kind === 'filter' || plan.kind === 'project') && !scalarsOf(plan).some(looksAround) && isOfTable(plan.input));

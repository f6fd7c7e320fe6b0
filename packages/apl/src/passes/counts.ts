import { inputsOf } from '../plan/nodes.js';
import type { Plan, ScanPlan } from '../plan/nodes.js';
import type { ColumnId } from '../plan/scalar.js';

/** For each dataset read: the plan of all its rows in the time range, and of those that the first filters keep; the same without filters. */
export interface Counted {
  readonly examined: ScanPlan;
  readonly matched: Plan;
}

/** What has to be counted to say how many rows a query looked at and how many matched. */
export function countedPlans(plan: Plan): readonly Counted[] {
  const scan = scanBelow(plan);
  if (scan !== undefined) return [{ examined: scan, matched: isFiltered(plan) ? plan : scan }];
  return inputsOf(plan).flatMap(countedPlans);
}

const isFiltered = (plan: Plan): boolean =>
  plan.kind === 'filter' || (plan.kind === 'project' && isFiltered(plan.input));

/** The scan under a plan that only filters and computes. */
function scanBelow(plan: Plan): ScanPlan | undefined {
  if (plan.kind === 'scan') return plan;
  return plan.kind === 'filter' || plan.kind === 'project' ? scanBelow(plan.input) : undefined;
}

/**
 * The plan with a column that tells in every row how many rows matched, where all that match are aggregated and at least one
 * row is left if there are any; undefined for other plans.
 */
export function countingMatched(plan: Plan, id: ColumnId): Plan | undefined {
  switch (plan.kind) {
    case 'aggregate':
      return scanBelow(plan.input) === undefined ? undefined : { ...plan, counted: id };
    case 'limit':
      if (plan.count === 0) return undefined;
      break;
    case 'sort':
    case 'project':
      break;
    default:
      return undefined;
  }
  const input = countingMatched(plan.input, id);
  return input === undefined ? undefined : { ...plan, input };
}

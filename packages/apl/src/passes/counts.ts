import { inputsOf } from '../plan/nodes.js';
import type { Plan, ScanPlan } from '../plan/nodes.js';

/** For each dataset read: the plan of all its rows in the time range, and of those that the first filters keep. */
export interface Counted {
  readonly examined: ScanPlan;
  readonly matched: Plan;
}

/** What has to be counted to say how many rows a query looked at and how many matched. */
export function countedPlans(plan: Plan): readonly Counted[] {
  const scan = scanBelow(plan);
  if (scan !== undefined) return [{ examined: scan, matched: plan }];
  return inputsOf(plan).flatMap(countedPlans);
}

/** The scan under a plan that only filters and computes. */
function scanBelow(plan: Plan): ScanPlan | undefined {
  if (plan.kind === 'scan') return plan;
  return plan.kind === 'filter' || plan.kind === 'project' ? scanBelow(plan.input) : undefined;
}

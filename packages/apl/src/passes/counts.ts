import type { Plan, ScanPlan } from '../plan/nodes.js';
import { innerPlansOf, inputsOf } from '../plan/rewrite.js';

/**
 * One read of a dataset: the plan of all its rows in the time range, and of the rows that pass the
 * first filters (the same plan if there are none). Or a part of a union that reads no dataset, such
 * as `print`, whose rows all match.
 */
export interface CountPlans {
  readonly examined?: ScanPlan;
  readonly matched: Plan;
}

/**
 * Counts needed to report how many rows a query read and how many matched; empty if it reads no
 * dataset.
 */
export function countedPlans(plan: Plan): readonly CountPlans[] {
  const scan = scanBelow(plan);
  if (scan !== undefined) return [{ examined: scan, matched: isFiltered(plan) ? plan : scan }];
  const below = inputsOf(plan).map(countedPlans);
  if (plan.kind !== 'union' || below.every((counted) => counted.length === 0)) return below.flat();
  return below.flatMap((counted, i) => (counted.length === 0 ? [{ matched: plan.inputs[i]! }] : counted));
}

/** Whether a plan that only filters and computes leaves rows out. */
export const isFiltered = (plan: Plan): boolean =>
  plan.kind === 'filter' || (plan.kind === 'project' && isFiltered(plan.input));

/** The scan under a plan that only filters and computes. */
export function scanBelow(plan: Plan): ScanPlan | undefined {
  if (plan.kind === 'scan') return plan;
  return plan.kind === 'filter' || plan.kind === 'project' ? scanBelow(plan.input) : undefined;
}

/**
 * Whether a statement aggregates exactly the rows that match, each once. It does not if there is no
 * aggregation left, or if a pipeline inside an expression aggregates too.
 */
export const aggregatesWhatMatches = (plan: Plan): boolean => aggregatesScan(plan) && !aggregatesInside(plan);

function aggregatesScan(plan: Plan): boolean {
  switch (plan.kind) {
    case 'aggregate':
      return plan.groups.length + plan.aggregates.length > 0 && scanBelow(plan.input) !== undefined;
    case 'limit':
      // For a limit of no rows the engine reads none.
      return plan.count > 0 && aggregatesScan(plan.input);
    case 'sort':
    case 'project':
      return aggregatesScan(plan.input);
    default:
      return false;
  }
}

const aggregatesInside = (plan: Plan): boolean =>
  innerPlansOf(plan).some(aggregates) || inputsOf(plan).some(aggregatesInside);

const aggregates = (plan: Plan): boolean =>
  plan.kind === 'aggregate' || [...inputsOf(plan), ...innerPlansOf(plan)].some(aggregates);

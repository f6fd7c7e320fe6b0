import type { CompileOptions, LimitApplied } from '../compiled-query.js';
import type { Plan } from '../plan/nodes.js';
import { scanBelow } from './counts.js';
import { lastAggregate } from './presentation.js';

/** Caps the rows of a result: events without a limit at the default, anything at the maximum. */
export function capRows(
  plan: Plan,
  { defaultLimit, maxLimit }: Pick<CompileOptions, 'defaultLimit' | 'maxLimit'>,
): { readonly plan: Plan; readonly applied?: LimitApplied } {
  const max = maxRows(plan);
  const limited = max !== undefined;
  const usesDefault = !limited && lastAggregate(plan) === undefined;
  const limit = usesDefault ? Math.min(defaultLimit, maxLimit) : maxLimit;
  if (max !== undefined && max <= limit) return { plan };
  return {
    plan: { kind: 'limit', schema: plan.schema, input: plan, count: limit },
    applied: { limit, reason: usesDefault ? 'default' : 'maximum', rowPerMatch: isRowPerMatch(plan) },
  };
}

/** How many rows there can be, if the query itself says so. */
export function maxRows(plan: Plan): number | undefined {
  switch (plan.kind) {
    case 'limit': {
      const input = maxRows(plan.input);
      if (plan.by !== undefined) return input;
      return input === undefined ? plan.count : Math.min(plan.count, input);
    }
    case 'rows':
      return plan.rows.length;
    case 'aggregate':
      return plan.groups.length === 0 ? 1 : maxRows(plan.input);
    case 'filter':
    case 'project':
    case 'sort':
    case 'sample':
    case 'topSeries':
      return maxRows(plan.input);
    case 'scan':
    case 'external':
    case 'union':
    case 'join':
    case 'expand':
      return undefined;
  }
}

/** Whether the rows are exactly the rows that `countedPlans` counts, each once. */
function isRowPerMatch(plan: Plan): boolean {
  switch (plan.kind) {
    case 'scan':
      return true;
    case 'filter':
      return scanBelow(plan) !== undefined;
    case 'project':
    case 'sort':
    case 'limit':
      return isRowPerMatch(plan.input);
    case 'union':
      // An input with its own limit may match more rows than it returns.
      return plan.inputs.every((input) => maxRows(input) === undefined && isRowPerMatch(input));
    case 'rows':
    case 'external':
    case 'join':
    case 'expand':
    case 'aggregate':
    case 'sample':
    case 'topSeries':
      return false;
  }
}

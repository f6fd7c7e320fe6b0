import { inputsOf, mapInputs } from '../plan/rewrite.js';
import type { Plan, Position, SortKey } from '../plan/nodes.js';

/**
 * Whether older events follow the last row (the newest come first) or newer ones. Undefined unless rows are events in the order of their stored time,
 * even if the query has changed `_time`: a cursor can continue only those.
 */
export function continuationOf(plan: Plan): 'older' | 'newer' | undefined {
  const descending = plan.schema.rowId === undefined ? undefined : readsBackwards(plan);
  return descending === undefined ? undefined : descending ? 'older' : 'newer';
}

/** The plan that starts reading beyond an event; undefined if the rows of the plan cannot be continued. */
export function continueAfter(plan: Plan, after: Position, inclusive: boolean): Plan | undefined {
  const following = continuationOf(plan);
  return following === undefined ? undefined : beyond(plan, { ...after, older: following === 'older', inclusive });
}

/** Whether rows come newest first; undefined if they are not in the order of time. */
function readsBackwards(plan: Plan): boolean | undefined {
  if (plan.kind === 'sort') {
    // The keys must be the time and then the arrival. A key between them would order events of the same time, and a cursor does not hold its value.
    const { rowId } = plan.schema;
    const [first, second] = plan.keys;
    const isColumn = (key: SortKey | undefined, id: string | undefined): boolean =>
      key?.expr.kind === 'column' && key.expr.id === id;
    return isColumn(first, rowId?.time) && isColumn(second, rowId?.seq) ? first?.descending : undefined;
  }
  const [input] = inputsOf(plan);
  if (plan.kind === 'scan' || plan.kind === 'union') return true;
  return input === undefined || input.schema.rowId === undefined ? undefined : readsBackwards(input);
}

function beyond(plan: Plan, position: Position & { readonly older: boolean; readonly inclusive: boolean }): Plan {
  return plan.kind === 'scan' ? { ...plan, beyond: position } : mapInputs(plan, (input) => beyond(input, position));
}

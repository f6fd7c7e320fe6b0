import { inputsOf, withInputs } from '../plan/nodes.js';
import type { Plan, Position } from '../plan/nodes.js';

/** Starts reading beyond an event, where rows are events in the order of time; undefined if they are not. */
export function continueAfter(plan: Plan, after: Position, inclusive: boolean): Plan | undefined {
  if (plan.schema.rowId === undefined) return undefined;
  const descending = readsBackwards(plan);
  return descending === undefined ? undefined : beyond(plan, { ...after, older: descending, inclusive });
}

/** Whether rows come newest first; undefined if they come in another order than that of time. */
function readsBackwards(plan: Plan): boolean | undefined {
  if (plan.kind === 'sort') {
    const [key] = plan.keys;
    return key?.expr.kind === 'column' && key.expr.id === plan.schema.rowId?.time ? key.descending : undefined;
  }
  const [input] = inputsOf(plan);
  if (plan.kind === 'scan' || plan.kind === 'union') return true;
  return input === undefined || input.schema.rowId === undefined ? undefined : readsBackwards(input);
}

function beyond(plan: Plan, position: Position & { readonly older: boolean; readonly inclusive: boolean }): Plan {
  if (plan.kind === 'scan') return { ...plan, beyond: position };
  return withInputs(
    plan,
    inputsOf(plan).map((input) => beyond(input, position)),
  );
}

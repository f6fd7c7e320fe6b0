import { param } from '../functions/define.js';
import type { Overload } from '../functions/define.js';
import { isBeyond } from '../lower/relations/scan.js';
import { inputsOf, mapInputs, scalarsOf } from '../plan/rewrite.js';
import type { Plan, Position, ScanPlan, SortKey } from '../plan/nodes.js';
import { callOf, columnOf, looksAround } from '../plan/scalar.js';

/**
 * Whether older events follow the last row (the newest come first) or newer ones. Undefined unless
 * rows are events in the order of their stored time, even if the query has changed `_time`: a
 * cursor can continue only those.
 */
export function continuationOf(plan: Plan): 'older' | 'newer' | undefined {
  const descending = plan.schema.rowId === undefined ? undefined : readsBackwards(plan);
  return descending === undefined ? undefined : descending ? 'older' : 'newer';
}

/**
 * The plan that starts reading beyond an event; undefined if the rows of the plan cannot be
 * continued.
 */
export function continueAfter(plan: Plan, after: Position, inclusive: boolean): Plan | undefined {
  const following = continuationOf(plan);
  return following === undefined ? undefined : beyond(plan, { ...after, older: following === 'older', inclusive });
}

/** Whether a query names the order of its rows, or computes values from rows around each. */
export const dependsOnOrder = (plan: Plan): boolean =>
  plan.kind === 'sort' || scalarsOf(plan).some(looksAround) || inputsOf(plan).some(dependsOnOrder);

/** Whether rows come newest first; undefined if they are not in the order of time. */
function readsBackwards(plan: Plan): boolean | undefined {
  if (plan.kind === 'sort') {
    // The keys must be the time and then the arrival. A key between them would order events of the
    // same time, and a cursor does not hold its value.
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

type Beyond = NonNullable<ScanPlan['beyond']>;

/**
 * Drops the rows up to a position during the read, if no other rows depend on them; otherwise after
 * the step that depends on them.
 * @param isPage whether a limit is the size of a page; a limit in a part of a union is not
 */
function beyond(plan: Plan, position: Beyond, isPage = true): Plan {
  if (plan.kind === 'scan') return { ...plan, beyond: position };
  if (!canBeCut(plan, position, isPage)) return cut(plan, position);
  return mapInputs(plan, (input) => beyond(input, position, isPage && plan.kind !== 'union'));
}

/**
 * Whether rows left out of the input of a node change none of the other rows. The first rows in
 * another order, or the number of each row, would change.
 */
const canBeCut = (plan: Plan, { older }: Beyond, isPage: boolean): boolean =>
  plan.kind === 'limit'
    ? isPage && plan.by === undefined && readsBackwards(plan.input) === older
    : !scalarsOf(plan).some(looksAround);

function cut(plan: Plan, position: Beyond): Plan {
  const { rowId } = plan.schema;
  if (rowId === undefined) throw new RangeError('rows that are no events have no position');
  const place = [
    columnOf({ type: 'datetime', id: rowId.time }),
    columnOf({ type: 'long', id: rowId.seq }),
    columnOf({ type: 'long', id: rowId.row }),
  ];
  return {
    kind: 'filter',
    schema: plan.schema,
    input: plan,
    predicate: callOf('beyond', placedBeyond(position), place),
  };
}

const placedBeyond = (position: Beyond): Overload => ({
  params: [param('time', 'datetime'), param('seq', 'long'), param('row', 'long')],
  returns: 'bool',
  lower: (place) =>
    isBeyond(
      position,
      place.map(({ sql }) => sql),
    ),
});

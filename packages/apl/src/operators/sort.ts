import { convertTo, single } from '../bind/values/coerce.js';
import type { Scope } from '../bind/context.js';
import { bindScalar } from '../bind/context.js';
import type { Plan, SortKey } from '../plan/nodes.js';
import { columnOf } from '../plan/scalar.js';
import type { SortKey as SortKeyNode } from '../syntax/ast.js';
import { isDynamic } from '../model/types.js';
import type { BindOperator } from './define.js';

/**
 * `sort by k [asc|desc] [nulls first|last]`: greatest first by default; nulls last by default in
 * both directions. If the time of events is a key, events equal in all keys come in order of
 * arrival, ascending or descending like the times.
 */
export const bindSort: BindOperator<'sort'> = ({ keys }, input, context) =>
  sortPlan(input, keys, context.scalarScope(input.schema));

export function sortPlan(input: Plan, keys: readonly SortKeyNode[], scope: Scope): Plan {
  const bound = keys.flatMap((key) => bindKey(key, scope));
  const { rowId } = input.schema;
  const time = bound.find(({ expr }) => expr.kind === 'column' && expr.id === rowId?.time);
  const arrival = rowId === undefined || time === undefined ? [] : [rowId.seq, rowId.row];
  const ties = arrival.map((id): SortKey => ({ ...time!, expr: columnOf({ type: 'long', id }) }));
  return { kind: 'sort', schema: input.schema, input, keys: [...bound, ...ties] };
}

function bindKey({ value, direction, nulls }: SortKeyNode, scope: Scope): readonly SortKey[] {
  const expr = single(bindScalar(value, scope));
  const how = { descending: direction !== 'asc', nullsFirst: nulls === 'first' };
  // As text, 10 would come before 9.
  return isDynamic(expr.type) && expr.kind !== 'constant'
    ? [
        { expr: convertTo(expr, 'real'), ...how },
        { expr, ...how },
      ]
    : [{ expr, ...how }];
}

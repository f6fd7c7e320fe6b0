import { converted, single } from '../bind/coerce.js';
import type { Scope } from '../bind/context.js';
import { bindScalar } from '../bind/context.js';
import type { Plan, SortKey } from '../plan/nodes.js';
import type { SortKey as SortKeyNode } from '../syntax/ast.js';
import { isDynamic } from '../types.js';
import type { BindOperator } from './define.js';

/** `sort by k [asc|desc]`: greatest first unless told; nulls last either way unless told. Ties keep the order they had. */
export const bindSort: BindOperator<'sort'> = ({ keys }, input, context) =>
  sorted(input, keys, context.scalarScope(input.schema));

export function sorted(input: Plan, keys: readonly SortKeyNode[], scope: Scope): Plan {
  return { kind: 'sort', schema: input.schema, input, keys: keys.flatMap((key) => bindKey(key, scope)) };
}

function bindKey({ value, direction, nulls }: SortKeyNode, scope: Scope): readonly SortKey[] {
  const expr = single(bindScalar(value, scope));
  const how = { descending: direction !== 'asc', nullsFirst: nulls === 'first' };
  const { rowId } = scope.schema;
  // Events of one moment come in the order they arrived in.
  if (rowId !== undefined && expr.kind === 'column' && expr.id === rowId.time)
    return [
      { expr, ...how },
      { expr: { kind: 'column', type: 'long', id: rowId.seq }, ...how },
      { expr: { kind: 'column', type: 'long', id: rowId.row }, ...how },
    ];
  // As text, 10 would come before 9.
  return isDynamic(expr.type) && expr.kind !== 'constant'
    ? [
        { expr: converted(expr, 'real'), ...how },
        { expr, ...how },
      ]
    : [{ expr, ...how }];
}

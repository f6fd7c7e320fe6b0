import type { CompileOptions } from './compiled-query.js';
import { settlesOrder } from './operators/index.js';
import type { Program, SortKey } from './syntax/ast.js';

/**
 * The query followed by a sort in the default order of its request, unless one of its operators
 * settles the order.
 */
export function inDefaultOrder(program: Program, order: CompileOptions['defaultOrder'] = []): Program {
  const { query } = program;
  if (order.length === 0 || query === undefined) return program;
  if (query.operators.some(({ kind }) => settlesOrder(kind))) return program;
  const { span } = query;
  const keys = order.map(({ field, desc = false }): SortKey => ({
    value: { kind: 'name', name: { text: field, quoted: true, span }, span },
    direction: desc ? 'desc' : 'asc',
  }));
  return { ...program, query: { ...query, operators: [...query.operators, { kind: 'sort', keys, span }] } };
}

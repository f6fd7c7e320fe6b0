import type { Lets } from '../../bind/context.js';
import type { Plan } from '../../plan/nodes.js';
import type { Operator, Span } from '../../syntax/ast.js';
import type { OperatorContext } from '../define.js';

/** The name of the table that operators inside an operator read; no query can write it. */
const ROWS = '\0rows';

/** Binds the operators that are written inside another one, over the rows that it gives them. */
export function overRows(
  operators: readonly Operator[],
  rows: (span: Span) => Plan,
  span: Span,
  context: OperatorContext,
): Plan {
  const lets: Lets = new Map([...context.lets, [ROWS, { kind: 'table', bind: rows }]]);
  const source = { kind: 'table', pattern: { text: ROWS, wildcard: false, span }, quoted: true, span } as const;
  return context.bindPipeline({ kind: 'pipeline', source, operators, span }, lets);
}

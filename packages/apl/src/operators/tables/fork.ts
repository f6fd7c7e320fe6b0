import type { Plan } from '../../plan/nodes.js';
import type { NamedExpr, Operator, Span } from '../../syntax/ast.js';
import { impliedName } from '../columns.js';
import type { BindOperator, OperatorContext } from '../define.js';
import { overRows } from './over-rows.js';
import { unionOf } from './union-of.js';

/**
 * `fork (…) (…)`: Kusto returns a table for each branch. Here they are one table with a column for
 * the branch, so that it can be processed and exported like any other.
 */
export const bindFork: BindOperator<'fork'> = ({ branches, span }, input, context) =>
  unionOf(
    branches.map(({ name, body }, i) => ({
      name: name?.text ?? `GenericResult${i + 1}`,
      plan: branchOf(body, input, span, context),
    })),
    context,
    'fork',
  );

/**
 * `facet by a, b`: the counts of each column's values, one column after the other, and the result
 * of `with (…)` over the rows.
 */
export const bindFacet: BindOperator<'facet'> = ({ columns, body, span }, input, context) => {
  const counts = columns.map((column) => countsOf(column, span));
  const named = [...counts, ...(body === undefined ? [] : [body])].map((operators, i) => ({
    name:
      columns[i] === undefined ? 'with' : (impliedName(columns[i].value) ?? columns[i].name?.text ?? `Column${i + 1}`),
    plan: branchOf(operators, input, span, context),
  }));
  return unionOf(named, context, 'facet');
};

const countsOf = (column: NamedExpr, span: Span): readonly Operator[] => [
  {
    kind: 'summarize',
    aggregates: [{ value: { kind: 'call', callee: { text: 'count', quoted: false, span }, args: [], span }, span }],
    by: [column],
    span,
  },
];

const branchOf = (operators: readonly Operator[], input: Plan, span: Span, context: OperatorContext): Plan =>
  overRows(operators, (at) => context.query.copyOf(input, at), span, context);

import type { NamedExpr } from '../../syntax/ast.js';
import type { Plan } from '../../plan/nodes.js';
import type { BindOperator, OperatorContext } from '../define.js';
import { eachValue } from './multiple-values.js';
import { aggregatePlan } from './summarize.js';

/** `distinct a, b`: each combination of values once; `*` means all columns. */
export const bindDistinct: BindOperator<'distinct'> = ({ columns }, input, context) =>
  distinctOf(columns, input, context);

/** Each combination of values of these columns once. */
export function distinctOf(columns: readonly NamedExpr[], input: Plan, context: OperatorContext): Plan {
  const by = eachValue(columns, context.query, input.schema).flatMap((column): readonly NamedExpr[] => {
    const { value, span } = column;
    if (value.kind !== 'star') return [column];
    return input.schema.fields.map((field) => {
      const name = { text: field.name, quoted: true, isColumn: true, span } as const;
      return { name, value: { kind: 'name', name, span }, span };
    });
  });
  const all = columns.some(({ value }) => value.kind === 'star');
  return aggregatePlan(input, by, [], context.scalarScope(input.schema), all ? input.schema.rest : undefined);
}

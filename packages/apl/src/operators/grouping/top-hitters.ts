import type { CallExpr, Expr, Name } from '../../syntax/ast.js';
import { impliedName } from '../columns.js';
import type { BindOperator } from '../define.js';
import { overRows } from '../tables/over-rows.js';

/**
 * `top-hitters 5 of a [by b]`: the values that occur most often, or those with the greatest sum of
 * another expression, and that number.
 */
export const bindTopHitters: BindOperator<'top-hitters'> = ({ count, of, by, span }, input, context) => {
  const measure = by === undefined ? 'count' : 'sum';
  const name: Name = {
    text: `approximate_${measure}_${of.name?.text ?? impliedName(of.value) ?? ''}`,
    quoted: true,
    span,
  };
  const callee: Name = { text: measure, quoted: false, span };
  const value: CallExpr = { kind: 'call', callee, args: by === undefined ? [] : [{ value: by }], span };
  const column: Expr = { kind: 'name', name, span };
  return overRows(
    [
      { kind: 'summarize', aggregates: [{ name, value, span }], by: [of], span },
      { kind: 'top', count, key: { value: column, direction: 'desc' }, span },
    ],
    () => input,
    span,
    context,
  );
};

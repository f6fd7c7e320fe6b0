import { call, integer, literal, not } from '@millrace/sql';
import { aggregateNamed } from '../../aggregates/index.js';
import { bindAggregate } from '../../bind/calls/aggregates.js';
import { fit } from '../../bind/values/coerce.js';
import { bindScalar, bindSingle } from '../../bind/context.js';
import type { Scope } from '../../bind/context.js';
import { defineOverload, param } from '../../functions/define.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import type { Plan } from '../../plan/nodes.js';
import { callOf } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import type { CallExpr } from '../../syntax/ast.js';

/**
 * `by histogram(x, n)`: the lower bound of the bin that the value falls into, with `n` equal bins
 * between the smallest and the greatest finite value; null for infinities, which the aggregation
 * leaves out as well. Undefined if the arguments do not fit.
 */
export function histogramBin(expr: CallExpr, input: Plan, scope: Scope): Scalar | undefined {
  const [value, bins] = expr.args;
  if (value === undefined || bins === undefined || expr.args.length !== 2) return undefined;
  const number = fit(bindScalar(value.value, scope), 'real')?.scalar;
  const count = bindSingle(bins.value, scope);
  if (number === undefined || count.kind !== 'constant' || typeof count.value !== 'bigint' || count.value < 1n)
    return undefined;
  const ends = (['min', 'max'] as const).map((name): Scalar | undefined => {
    const named = aggregateNamed(name);
    const callee = { ...expr.callee, text: name };
    const found = named && bindAggregate(named, { ...expr, callee, args: [value] }, scope);
    if (found === undefined) return undefined;
    const { id } = found;
    const aggregate = { ...found.call, condition: callOf('histogram', isFinite, [number]) };
    const schema = { fields: [{ name, readings: [{ type: aggregate.type, id }] }] };
    const plan: Plan = { kind: 'aggregate', schema, input, groups: [], aggregates: [{ id, call: aggregate }] };
    // The rows are read a second time, so their columns need other ids.
    return { kind: 'scalarPlan', type: aggregate.type, plan: scope.query.copyOf(plan, expr.span) };
  });
  const [low, high] = ends;
  if (low === undefined || high === undefined) return undefined;
  return callOf('histogram', lowerBound, [number, low, high, count]);
}

const isFinite = defineOverload({
  params: [param('value', 'real')],
  returns: 'bool',
  lower: ([value]) => call('isFinite', value.sql),
});

const lowerBound = defineOverload({
  params: [
    param('value', 'real'),
    param('low', 'real'),
    param('high', 'real'),
    param('bins', 'long', { constant: true }),
  ],
  returns: 'real',
  lower: ([value, low, high, bins]) =>
    shareSubexpression(low.sql, (from) =>
      shareSubexpression(call('divide', call('minus', high.sql, from), call('toFloat64', bins.sql)), (width) => {
        const position = call('floor', call('divide', call('minus', value.sql, from), width));
        // The greatest value belongs to the last bin.
        const last = call('toFloat64', call('minus', bins.sql, integer(1)));
        const bin = call('if', call('greater', position, last), last, position);
        return call(
          'multiIf',
          not(call('isFinite', value.sql)),
          nullOf('real'),
          call('greater', width, literal(0)),
          call('plus', from, call('multiply', bin, width)),
          call('toFloat64', from),
        );
      }),
    ),
});

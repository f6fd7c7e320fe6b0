import { bindSingle } from '../bind/context.js';
import type { Plan } from '../plan/nodes.js';
import type { BindOperator } from './define.js';
import { sortPlan } from './sort.js';

/** `sample 0.1`: about this fraction of the rows, at random. `sample 10`: this many rows. */
export const bindSample: BindOperator<'sample'> = ({ fraction }, input, context) => {
  const scalar = bindSingle(fraction, context.constantScope);
  const value = scalar.kind === 'constant' ? scalar.value : null;
  if (typeof value === 'number' && value > 0 && value < 1)
    return { kind: 'sample', schema: input.schema, input, fraction: value };
  if (typeof value === 'bigint' && value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)) {
    const { span } = fraction;
    const drawn = { kind: 'call', callee: { text: 'rand', quoted: false, span }, args: [], span } as const;
    const shuffled: Plan = sortPlan(input, [{ value: drawn }], context.scalarScope(input.schema));
    return { kind: 'limit', schema: shuffled.schema, input: shuffled, count: Number(value) };
  }
  const message = 'sample takes a fraction of the rows between 0 and 1, such as 0.1, or a number of rows, such as 10';
  context.query.report.error('argument_type', fraction.span, message);
  return input;
};

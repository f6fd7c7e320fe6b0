import { aggregateNamed } from '../../aggregates/index.js';
import { bindAggregate } from '../../bind/calls/aggregates.js';
import type { BindOperator } from '../define.js';

/** `count [as name]`: one row, the number of rows in a column, by default `count`. */
export const bindCount: BindOperator<'count'> = ({ name, span }, input, context) => {
  const named = aggregateNamed('count');
  const callee = { text: 'count', quoted: false, span };
  const scope = context.scalarScope(input.schema);
  const counted = named && bindAggregate(named, { kind: 'call', callee, args: [], span }, scope);
  if (counted === undefined) return input;
  const { id, call, info } = counted;
  const field = {
    name: name?.text ?? 'count',
    readings: [{ type: call.type, id }],
    role: { kind: 'aggregate', api: info } as const,
  };
  return { kind: 'aggregate', schema: { fields: [field] }, input, groups: [], aggregates: [{ id, call }] };
};

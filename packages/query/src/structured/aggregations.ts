import type { Ast } from '@millrace/apl';
import { memberError } from '../compile/query-error.js';
import type { StructuredBody } from './body.js';
import { callExpr, fieldExpr, literal, nameOf } from './expressions.js';
import type { BodyOrigins } from '../compile/body-origins.js';

/** The aggregations of a structured query. */

type Aggregation = NonNullable<StructuredBody['aggregations']>[number];

export interface Aggregate {
  /** Name of its column in the compiled query; unique, never shown. */
  readonly column: string;
  /** The name in the response: the alias, or else the operation in upper case. */
  readonly label: string;
  readonly expr: Ast.NamedExpr;
}

interface AggregationInput {
  readonly field: Ast.Expr;
  readonly all: boolean;
  readonly argument: unknown;
  readonly member: string;
  readonly span: Ast.Span;
  /** Place of the argument. */
  readonly at: Ast.Span;
}

/** @throws HttpError `invalid-request` naming the member */
export function aggregateOf(aggregation: Aggregation, index: number, origins: BodyOrigins): Aggregate {
  const member = `aggregations[${index}]`;
  const op = aggregation.op.toLowerCase();
  const make = Object.hasOwn(operations, op) ? operations[op] : undefined;
  if (make === undefined)
    throw memberError(`${member}.op`, `'${aggregation.op}' is unknown; one of ${Object.keys(operations).join(', ')}`);
  const name = aggregation.field ?? '*';
  const all = name === '*' || name === '';
  if (all && op !== 'count') throw memberError(`${member}.field`, `must name a field for ${op}`);
  const span = origins.of(member);
  const field = fieldExpr(name, origins.of(`${member}.field`));
  const column = `aggregation ${index}`;
  const argument = aggregation.argument ?? undefined;
  const { call, output = column } = make(
    { field, all, argument, member, span, at: origins.of(`${member}.argument`) },
    column,
  );
  const label = aggregation.alias ?? '';
  return {
    column: output,
    label: label === '' ? aggregation.op.toUpperCase() : label,
    expr: { name: nameOf(column, span), value: call, span },
  };
}

interface AggregationCall {
  readonly call: Ast.CallExpr;
  /** The column that holds the value, if it is not the one named after the aggregation. */
  readonly output?: string;
}

const plain =
  (callee: string) =>
  ({ field, span }: AggregationInput): AggregationCall => ({ call: callExpr(callee, [field], span) });

/** A whole number as the second argument; `otherwise` if none is given. */
const countArgument =
  (callee: string, otherwise?: number) =>
  ({ field, argument, member, span, at }: AggregationInput): AggregationCall => {
    const count = argument ?? otherwise;
    if (count === undefined) return { call: callExpr(callee, [field], span) };
    const whole = typeof count === 'number' || typeof count === 'string' ? Number(count) : Number.NaN;
    if (!Number.isSafeInteger(whole) || whole < 1)
      throw memberError(`${member}.argument`, 'must be a whole number from 1 on');
    return { call: callExpr(callee, [field, literal(BigInt(whole), at)], span) };
  };

/**
 * The value of another field where this one is extreme, or the extreme itself if no other field is
 * named.
 */
const extreme =
  (callee: string) =>
  ({ field, argument, member, span }: AggregationInput, column: string): AggregationCall => {
    if (argument === undefined) return { call: callExpr(callee === 'arg_max' ? 'max' : 'min', [field], span) };
    if (typeof argument !== 'string') throw memberError(`${member}.argument`, 'must be the name of a field');
    const output = `${column} value`;
    const value = { name: nameOf(output, span), value: fieldExpr(argument, span) };
    return { call: { ...callExpr(callee, [field], span), args: [{ value: field }, value] }, output };
  };

const operations: Readonly<Record<string, (given: AggregationInput, column: string) => AggregationCall>> = {
  count: ({ field, all, span }) => ({
    call: all ? callExpr('count', [], span) : callExpr('countif', [callExpr('isnotnull', [field], span)], span),
  }),
  distinct: plain('dcount'),
  sum: plain('sum'),
  avg: plain('avg'),
  min: plain('min'),
  max: plain('max'),
  topk: countArgument('topk', 10),
  percentiles: ({ field, argument, member, span, at }) => {
    const levels = (Array.isArray(argument) ? argument : [argument]) as readonly unknown[];
    if (levels.length === 0 || !levels.every((level) => typeof level === 'number'))
      throw memberError(`${member}.argument`, 'must be a list of percentages, as in [50, 95, 99]');
    return { call: callExpr('percentiles_array', [field, ...levels.map((level) => literal(level, at))], span) };
  },
  histogram: countArgument('histogram', 10),
  stdev: plain('stdev'),
  variance: plain('variance'),
  argmin: extreme('arg_min'),
  argmax: extreme('arg_max'),
  makeset: countArgument('make_set'),
  makelist: countArgument('make_list'),
  rate: plain('rate'),
};

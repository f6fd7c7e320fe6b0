import type { Ast } from '@millrace/apl';
import type { Grid } from '@millrace/promql';
import { logqlBounds } from '../model/bounds.js';
import type { RangeAggregation, RangeOperation } from '../syntax/ast.js';
import { binary, call, column, literal, namedExpr, timespan } from './build.js';
import { conditionExpr, numberOf } from './conditions.js';
import { programOf } from './log-program.js';
import { Pipeline } from './pipeline.js';
import type { Schema } from './schema.js';

/**
 * Range aggregations: the engine counts lines in buckets, from which the ranges are put together.
 */

/** How values of buckets become the value of a range. */
export type Combination = 'sum' | 'min' | 'max' | 'mean' | 'first' | 'last' | 'only';

interface Operation {
  readonly combine: Combination;
  /** Whether the value is divided by the seconds of the range. */
  readonly perSecond?: true;
  aggregates(given: { readonly line: Ast.Expr; readonly value: Ast.Expr; readonly share: number }): readonly Ast.Expr[];
}

const countArguments: Operation['aggregates'] = ({ line }) => [call(line.span, 'count')];
const byteArguments: Operation['aggregates'] = ({ line }) => [
  call(line.span, 'sum', call(line.span, 'string_size', call(line.span, 'coalesce', line, literal('', line.span)))),
];
const ofValue =
  (fn: string): Operation['aggregates'] =>
  ({ value }) => [call(value.span, fn, value)];
/** The value at the first or last time. */
const atTime =
  (fn: 'arg_min' | 'arg_max'): Operation['aggregates'] =>
  ({ value }) => [call(value.span, fn, column('_time', value.span), value)];

const operations: Readonly<Record<RangeOperation, Operation>> = {
  count_over_time: { combine: 'sum', aggregates: countArguments },
  absent_over_time: { combine: 'sum', aggregates: countArguments },
  rate: { combine: 'sum', perSecond: true, aggregates: countArguments },
  bytes_over_time: { combine: 'sum', aggregates: byteArguments },
  bytes_rate: { combine: 'sum', perSecond: true, aggregates: byteArguments },
  sum_over_time: { combine: 'sum', aggregates: ofValue('sum') },
  min_over_time: { combine: 'min', aggregates: ofValue('min') },
  max_over_time: { combine: 'max', aggregates: ofValue('max') },
  avg_over_time: {
    combine: 'mean',
    aggregates: ({ value }) => [call(value.span, 'sum', value), call(value.span, 'count')],
  },
  first_over_time: { combine: 'first', aggregates: atTime('arg_min') },
  last_over_time: { combine: 'last', aggregates: atTime('arg_max') },
  stddev_over_time: { combine: 'only', aggregates: ofValue('stdevp') },
  stdvar_over_time: { combine: 'only', aggregates: ofValue('variancep') },
  quantile_over_time: {
    combine: 'only',
    aggregates: ({ value, share }) => [call(value.span, 'percentile', value, literal(share * 100, value.span))],
  },
};

/** How a range aggregation is read, and put together. */
export interface RangePlan {
  readonly program: Ast.Program;
  /** Milliseconds, exclusive start and inclusive end. */
  readonly reads: { readonly start: number; readonly end: number };
  readonly labels: readonly string[];
  /** Width of the buckets, milliseconds; a bucket has the time of its end. */
  readonly width: number;
  /** Buckets in a range. */
  readonly inRange: number;
  readonly combine: Combination;
  /** What the combined values are divided by. */
  readonly divisor: number;
}

interface RangeContext {
  readonly schema: Schema;
  readonly grid: Grid;
  /** Fields that are labels of ungrouped series. */
  readonly fields: readonly string[];
  /** Labels that the series need, if the expression around decides. */
  readonly wanted: readonly string[] | undefined;
  readonly fail: (span: Ast.Span, message: string) => never;
}

export const timeColumn = 'logql time';
export const valueColumn = (i: number): string => `logql value ${i}`;

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** Buckets of a series; shorter ones would be more than a series has points. */
const mostBuckets = 100_000;

export function rangePlan(range: RangeAggregation, context: RangeContext): RangePlan {
  const { schema, grid, fail } = context;
  const { op, log, unwrap, span } = range;
  const { combine, perSecond, aggregates } = operations[op];
  const pipeline = new Pipeline(log, schema, fail);
  let value: Ast.Expr = literal(0, span);
  if (unwrap !== undefined) {
    const text = pipeline.text(unwrap.label, unwrap.span);
    value =
      text === undefined
        ? { kind: 'literal', type: 'real', value: null, span }
        : pipeline.column(numberOf(text, unwrap.unit));
    for (const condition of unwrap.conditions) pipeline.filter(conditionExpr(condition, pipeline.text, fail));
    pipeline.filter(call(span, 'isnotnull', value));
  }
  const labels = labelsFor(range, pipeline, context);
  const isRange = unwrap !== undefined && op === 'rate';
  const one = grid.length === 1;
  const step = one ? range.range : grid.step;
  const step0 = grid.start - range.offset;
  const overlaps = Math.ceil(range.range / step);
  const shared = combine === 'only' ? step : greatestDivisor(Math.round(step), Math.round(range.range));
  const reads = { start: step0 - range.range, end: step0 + (grid.length - 1) * grid.step };
  if ((reads.end - reads.start) / shared > mostBuckets)
    fail(
      span,
      'the range and the step have no common part that is long enough; use a range that is a multiple of the step',
    );
  if (combine === 'only' && overlaps > logqlBounds.logqlOverlap.max)
    fail(
      span,
      `more than ${logqlBounds.logqlOverlap.max} ${logqlBounds.logqlOverlap.what}; use a longer step or a shorter range`,
    );
  const bucket = pipeline.column(bucketEnd(step0, shared, span));
  const time = combine === 'only' && overlaps > 1 ? repeatBuckets(pipeline, bucket, overlaps, shared) : bucket;
  // Of a bucket that is longer than the range, only the end is in it; repeats may be too early.
  if (combine === 'only' && (range.range < shared || overlaps > 1)) pipeline.filter(within(time, range.range, span));
  const made = (isRange ? ofValue('sum') : aggregates)({ line: pipeline.line, value, share: range.parameter ?? 0 });
  pipeline.operators.push({
    kind: 'summarize',
    aggregates: made.map((each, i) => aggregateOf(each, i)),
    by: [
      namedExpr(timeColumn, time),
      ...labels.map((label) => {
        const text = pipeline.text(label, span);
        return namedExpr(`label ${label}`, call(span, 'coalesce', text ?? literal('', span), literal('', span)));
      }),
    ],
    span,
  });
  return {
    program: programOf(schema.dataset, pipeline.operators, span),
    reads,
    labels,
    width: shared,
    inRange: combine === 'only' ? 1 : Math.round(range.range / shared),
    combine,
    divisor: perSecond === true ? range.range / 1000 : 1,
  };
}

/** `arg_max` names its columns itself. */
const aggregateOf = (value: Ast.Expr, i: number): Ast.NamedExpr => {
  const name = valueColumn(i);
  if (value.kind !== 'call' || !value.callee.text.startsWith('arg_')) return namedExpr(name, value);
  const [time, of] = value.args;
  return {
    value: { ...value, args: [time!, { name: { text: name, quoted: true, span: value.span }, value: of!.value }] },
    name: { text: 'logql at', quoted: true, span: value.span },
    span: value.span,
  };
};

/** The end of an event's bucket: buckets end at `origin` and at multiples of `width` from it. */
function bucketEnd(origin: number, width: number, span: Ast.Span): Ast.Expr {
  const size = BigInt(Math.round(width * 1e6));
  const past = ((BigInt(Math.round(origin * 1e3)) * 1000n) % size) + 1n;
  const begin = call(span, 'bin', binary('-', column('_time', span), timespan(past, span)), timespan(size, span));
  return binary('+', begin, timespan(size + past - 1n, span));
}

/** The ends of all ranges that an event may be in. */
function repeatBuckets(pipeline: Pipeline, bucket: Ast.Expr, times: number, width: number): Ast.Expr {
  const { span } = bucket;
  const name = 'logql range';
  const list: Ast.Expr = {
    kind: 'dynamic',
    value: {
      kind: 'array',
      items: Array.from({ length: times }, (_, i) => literal(BigInt(i) * BigInt(Math.round(width * 1e6)), span)),
      span,
    },
    span,
  };
  pipeline.operators.push({
    kind: 'mv-expand',
    bag: false,
    columns: [{ ...namedExpr(name, list), to: 'long' }],
    span,
  });
  return pipeline.column(binary('+', bucket, call(span, 'totimespan', column(name, span))));
}

const within = (time: Ast.Expr, range: number, span: Ast.Span): Ast.Expr =>
  binary('<', binary('-', time, column('_time', span)), timespan(BigInt(Math.round(range * 1e6)), span));

function labelsFor(
  { grouping, unwrap, span, op }: RangeAggregation,
  pipeline: Pipeline,
  { fields, wanted, fail }: RangeContext,
): readonly string[] {
  if (op === 'absent_over_time') return [];
  if (grouping?.kind === 'by') return grouping.labels;
  if (wanted !== undefined) return wanted;
  const all = pipeline.labels(fields);
  if (all === undefined)
    return fail(
      span,
      'each line may have other labels after this parser; say which with sum by (…) around, or with | keep',
    );
  const left = new Set([...(grouping?.labels ?? []), ...(unwrap === undefined ? [] : [unwrap.label])]);
  return all.filter((label) => !left.has(label));
}

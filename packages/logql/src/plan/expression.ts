import { type Expr, isAggregation, isOperator, type Selector } from '@millrace/promql';
import type { Metric, RangeAggregation } from '../syntax/ast.js';

/**
 * Metric queries as expressions of PromQL, whose functions, aggregations and matching are the same:
 * each range aggregation is a selector, with the points that the engine counted.
 */

/** A range aggregation, and its place in the expression. */
export interface RangeRead {
  readonly selector: Selector;
  readonly range: RangeAggregation;
  /** Labels that the expression around needs; undefined if it needs all. */
  readonly wanted: readonly string[] | undefined;
}

interface Translation {
  readonly expr: Expr;
  readonly reads: readonly RangeRead[];
}

/** Aggregations over series that give the same over lines. */
const pushedDown: Readonly<Record<string, readonly string[]>> = {
  sum: ['count_over_time', 'rate', 'bytes_over_time', 'bytes_rate', 'sum_over_time'],
  min: ['min_over_time'],
  max: ['max_over_time'],
};

/** @param fail throws an error about a part that is not supported */
export function expressionOf(metric: Metric, fail: (metric: Metric, message: string) => never): Translation {
  const reads: RangeRead[] = [];

  const read = (range: RangeAggregation, wanted?: readonly string[]): Expr => {
    const { span, log } = range;
    const matchers = log.selector.map(({ label, op, value }) => ({ label, op, value }));
    const selector: Selector = { kind: 'selector', matchers, offset: 0, span };
    reads.push({ selector, range, wanted });
    return range.op === 'absent_over_time' ? { kind: 'call', fn: 'absent', args: [selector], span } : selector;
  };

  const of = (part: Metric): Expr => {
    const { span } = part;
    switch (part.kind) {
      case 'number':
        return { kind: 'number', value: part.value, span };
      case 'vector':
        return { kind: 'call', fn: 'vector', args: [{ kind: 'number', value: part.value, span }], span };
      case 'range':
        return read(part);
      case 'aggregation': {
        const { op, grouping = { kind: 'by', labels: [] } } = part;
        if (op === 'sort' || op === 'sort_desc') return { kind: 'call', fn: op, args: [of(part.of)], span };
        if (!isAggregation(op)) return fail(part, `the aggregation ${op} is not supported`);
        const inner = part.of;
        const isPushed =
          inner.kind === 'range' &&
          inner.grouping === undefined &&
          grouping.kind === 'by' &&
          pushedDown[op]?.includes(inner.op) === true;
        return {
          kind: 'aggregation',
          op,
          ...(part.parameter !== undefined && { parameter: { kind: 'number', value: part.parameter, span } }),
          of: isPushed ? read(inner, grouping.labels) : of(inner),
          grouping,
          span,
        };
      }
      case 'label_replace': {
        const texts = part.texts.map((value): Expr => ({ kind: 'string', value, span }));
        return { kind: 'call', fn: 'label_replace', args: [of(part.of), ...texts], span };
      }
      case 'binary': {
        const { op, bool, matching } = part;
        if (!isOperator(op)) return fail(part, `the operator ${op} is not supported`);
        return { kind: 'binary', op, bool, matching, left: of(part.left), right: of(part.right), span };
      }
    }
  };

  return { expr: of(metric), reads };
}

/** Whether the labels of a read depend on how many values fields have. */
export const needsFields = ({ range, wanted }: RangeRead): boolean =>
  wanted === undefined && range.grouping?.kind !== 'by' && range.op !== 'absent_over_time';

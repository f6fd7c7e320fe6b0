import type { SyntaxNode } from '@lezer/common';
import { durationOf } from '../model/units.js';
import {
  type Grouping,
  type VectorMatching,
  type Metric,
  type RangeAggregation,
  type RangeOperation,
  rangeOperations,
  type VectorAggregation,
} from './ast.js';
import { LogReader } from './read-log.js';
import type { Source } from './source.js';

/** Deeper expressions would overflow the stack. */
const deepest = 200;

/** From the loosest to the tightest; `^` is right-associative. */
const precedence: readonly (readonly string[])[] = [
  ['or'],
  ['and', 'unless'],
  ['==', '!=', '>', '>=', '<', '<='],
  ['+', '-'],
  ['*', '/', '%'],
  ['^'],
];

interface Operation {
  readonly op: string;
  readonly bool: boolean;
  readonly matching: VectorMatching;
}

/** Turns the nodes of metric queries into expressions. */
export class MetricReader {
  readonly #source: Source;
  readonly #logs: LogReader;
  #depth = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#logs = new LogReader(source);
  }

  /** @throws LogqlProblem */
  read(node: SyntaxNode): Metric {
    if (++this.#depth > deepest) throw this.#source.problem(node, `expressions nest deeper than ${deepest} levels`);
    const metric = this.#metric(node);
    this.#depth--;
    return metric;
  }

  #metric(node: SyntaxNode): Metric {
    const source = this.#source;
    const span = source.span(node);
    const [first, second] = source.children(node);
    switch (node.name) {
      case 'Expr':
      case 'MetricExpr':
        return this.read(first!);
      case 'LiteralExpr':
        return { kind: 'number', value: this.#number(node), span };
      case 'VectorExpr':
        return { kind: 'vector', value: this.#number(second!), span };
      case 'RangeAggregationExpr':
        return this.#range(node);
      case 'VectorAggregationExpr':
        return this.#aggregation(node);
      case 'BinOpExpr':
        return this.#binary(node);
      case 'LabelReplaceExpr':
        return {
          kind: 'label_replace',
          of: this.read(source.child(node, 'MetricExpr')!),
          texts: node.getChildren('String').map((each) => source.string(each)),
          span,
        };
      default:
        throw source.problem(node, `'${source.text(node).slice(0, 60)}' is not supported`);
    }
  }

  #number(node: SyntaxNode): number {
    const value = Number(this.#source.text(node).replaceAll(/\s/g, ''));
    if (Number.isNaN(value)) throw this.#source.problem(node, `bad number ${JSON.stringify(this.#source.text(node))}`);
    return value;
  }

  /** Milliseconds. */
  #duration(node: SyntaxNode): number {
    const nanoseconds = durationOf(this.#source.text(node));
    if (nanoseconds === undefined)
      throw this.#source.problem(node, `bad duration ${JSON.stringify(this.#source.text(node))}`);
    return nanoseconds / 1e6;
  }

  #range(node: SyntaxNode): RangeAggregation {
    const source = this.#source;
    const name = source.text(source.child(node, 'RangeOp')!);
    const op = rangeOperations.find((each) => each === name);
    if (op === undefined)
      throw source.problem(node, `${name} is not supported; supported are ${rangeOperations.join(', ')}`);
    const body = source.child(node, 'LogRangeExpr')!;
    const written = source.child(body, 'Range');
    const length = written === undefined ? undefined : source.child(written, 'Duration');
    if (length === undefined) throw source.problem(body, 'a range is expected, as in [5m]');
    const range = this.#duration(length);
    if (range < 1) throw source.problem(length, 'the range must be at least 1ms');
    const parameter = source.child(node, 'Number');
    if ((op === 'quantile_over_time') !== (parameter !== undefined))
      throw source.problem(
        node,
        `${op} takes ${parameter === undefined ? 'a share, as in 0.95, and' : 'only'} a range`,
      );
    const unwrapped = source.child(body, 'UnwrapExpr');
    const unwrap = unwrapped === undefined ? undefined : this.#logs.unwrap(unwrapped);
    this.#checkUnwrap(node, op, unwrap !== undefined);
    const grouping = source.child(node, 'Grouping');
    const offset = source.child(body, 'OffsetExpr');
    return {
      kind: 'range',
      op,
      ...(parameter !== undefined && { parameter: this.#number(parameter) }),
      log: this.#logs.log(body),
      ...(unwrap !== undefined && { unwrap }),
      range,
      offset: offset === undefined ? 0 : this.#duration(source.child(offset, 'Duration')!),
      ...(grouping !== undefined && { grouping: this.#grouping(grouping) }),
      span: source.span(node),
    };
  }

  #checkUnwrap(node: SyntaxNode, op: RangeOperation, isUnwrapped: boolean): void {
    if (isUnwrapped && ['count_over_time', 'bytes_over_time', 'bytes_rate', 'absent_over_time'].includes(op))
      throw this.#source.problem(node, `invalid aggregation ${op} with unwrap`);
    if (!isUnwrapped && !['count_over_time', 'rate', 'bytes_over_time', 'bytes_rate', 'absent_over_time'].includes(op))
      throw this.#source.problem(node, `invalid aggregation ${op} without unwrap`);
  }

  #grouping(node: SyntaxNode): Grouping {
    const source = this.#source;
    const labels = source.child(node, 'Labels');
    return {
      kind: source.child(node, 'Without') === undefined ? 'by' : 'without',
      labels: labels === undefined ? [] : source.items(labels).map((each) => source.text(each)),
    };
  }

  #aggregation(node: SyntaxNode): VectorAggregation {
    const source = this.#source;
    const op = source.text(source.child(node, 'VectorOp')!).toLowerCase();
    const parameter = source.child(node, 'Number');
    const takesOne = op === 'topk' || op === 'bottomk';
    if (takesOne !== (parameter !== undefined))
      throw source.problem(node, `${op} takes ${takesOne ? 'a number and an expression' : 'one expression'}`);
    const grouping = source.child(node, 'Grouping');
    return {
      kind: 'aggregation',
      op,
      ...(parameter !== undefined && { parameter: this.#number(parameter) }),
      of: this.read(source.child(node, 'MetricExpr')!),
      ...(grouping !== undefined && { grouping: this.#grouping(grouping) }),
      span: source.span(node),
    };
  }

  /** The grammar has no precedence, so a chain of operators is read again. */
  #binary(node: SyntaxNode): Metric {
    const operands: Metric[] = [];
    const operations: Operation[] = [];
    this.#flatten(node, operands, operations);
    return this.#climb(operands, operations, 0);
  }

  #flatten(node: SyntaxNode, operands: Metric[], operations: Operation[]): void {
    const source = this.#source;
    const [left, op, ...rest] = source.children(node);
    const right = rest.at(-1)!;
    const add = (operand: SyntaxNode): void => {
      const chain = chainOf(operand);
      if (chain === undefined) operands.push(this.read(operand));
      else this.#flatten(chain, operands, operations);
    };
    add(left!);
    if (operations.length >= deepest) throw source.problem(node, `more than ${deepest} operators`);
    const modifier = source.child(node, 'BinOpModifier');
    operations.push({
      op: source.text(op!).toLowerCase(),
      bool: modifier !== undefined && source.child(modifier, 'Bool') !== undefined,
      matching: this.#readMatching(modifier),
    });
    add(right);
  }

  #climb(operands: Metric[], operations: Operation[], level: number): Metric {
    if (level === precedence.length) return operands.shift()!;
    let left = this.#climb(operands, operations, level + 1);
    while (operations.length > 0 && precedence[level]!.includes(operations[0]!.op)) {
      const { op, ...how } = operations.shift()!;
      const right = this.#climb(operands, operations, op === '^' ? level : level + 1);
      left = { kind: 'binary', op, ...how, left, right, span: { start: left.span.start, end: right.span.end } };
    }
    return left;
  }

  #readMatching(modifier: SyntaxNode | undefined): VectorMatching {
    const source = this.#source;
    const clause = modifier && source.child(modifier, 'OnOrIgnoringModifier');
    if (modifier === undefined || clause === undefined) return { kind: 'ignoring', labels: [], include: [] };
    const labels = (node: SyntaxNode): readonly string[] => {
      const groups = source.child(node, 'GroupingLabels');
      const list = groups && source.child(groups, 'GroupingLabelList');
      return list === undefined ? [] : source.items(list).map((each) => source.text(each));
    };
    const many = source.child(modifier, 'GroupLeft')
      ? 'left'
      : source.child(modifier, 'GroupRight')
        ? 'right'
        : undefined;
    return {
      kind: source.child(clause, 'On') === undefined ? 'ignoring' : 'on',
      labels: labels(clause),
      ...(many !== undefined && { many }),
      include: labels(modifier),
    };
  }
}

/** The binary expression that an operand is, unless it is in parentheses. */
function chainOf(operand: SyntaxNode): SyntaxNode | undefined {
  const metric = operand.name === 'Expr' ? operand.firstChild : operand;
  const inner = metric?.name === 'MetricExpr' ? metric.firstChild : null;
  return inner?.name === 'BinOpExpr' ? inner : undefined;
}

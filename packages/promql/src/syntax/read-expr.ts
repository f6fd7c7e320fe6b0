import type { SyntaxNode } from '@lezer/common';
import { isAggregation } from '../model/aggregations.js';
import { parseDuration, parseNumber } from '../model/durations.js';
import { isFunction } from '../model/functions.js';
import { isOperator } from '../model/operators.js';
import type { Aggregation, At, Binary, Expr, VectorMatching, Selector, Subquery } from './ast.js';
import { readSelector } from './read-selector.js';
import type { Source } from './source.js';
import type { FoundModifiers } from './time-modifiers.js';

/** Deeper expressions would overflow the stack. */
const deepest = 400;

/** Turns the nodes of the grammar into expressions. */
export class ExprReader {
  readonly #source: Source;
  readonly #modifiers: FoundModifiers;
  #depth = 0;

  constructor(source: Source, modifiers: FoundModifiers) {
    this.#source = source;
    this.#modifiers = modifiers;
  }

  /** @throws ParseProblem */
  read(node: SyntaxNode): Expr {
    if (++this.#depth > deepest) throw this.#source.problem(node, `expressions nest deeper than ${deepest} levels`);
    const expr = this.#expr(node);
    this.#depth--;
    return expr;
  }

  #expr(node: SyntaxNode): Expr {
    const source = this.#source;
    const [first, second] = source.children(node);
    const span = source.span(node);
    switch (node.name) {
      case 'NumberDurationLiteral':
        return { kind: 'number', value: this.#number(node), span };
      case 'StringLiteral':
        return { kind: 'string', value: source.string(node), span };
      case 'ParenExpr':
        return this.read(first!);
      case 'UnaryExpr': {
        const of = this.read(second!);
        return source.text(first!) === '-' ? { kind: 'negation', of, span } : of;
      }
      case 'VectorSelector':
        return this.#addModifiers(readSelector(node, source));
      case 'MatrixSelector':
        return this.#addModifiers(this.#matrix(node, first!, second!));
      case 'SubqueryExpr':
        return this.#addModifiers(this.#subquery(node));
      case 'FunctionCall':
        return this.#call(node);
      case 'AggregateExpr':
        return this.#aggregation(node);
      case 'BinaryExpr':
        return this.#binary(node);
      default:
        throw source.problem(node, `'${source.text(node).slice(0, 60)}' is not supported`);
    }
  }

  #number(node: SyntaxNode): number {
    const value = parseNumber(this.#source.text(node));
    if (value === undefined) throw this.#source.problem(node, `bad number ${JSON.stringify(this.#source.text(node))}`);
    return value;
  }

  /** Milliseconds; a number counts seconds. */
  #duration(node: SyntaxNode): number {
    const text = this.#source.text(node);
    const value = parseDuration(text) ?? (parseNumber(text) ?? Number.NaN) * 1000;
    if (!Number.isFinite(value))
      throw this.#source.problem(node, `${JSON.stringify(text)} is no duration; calculations are not supported`);
    return Math.round(value);
  }

  #positive(node: SyntaxNode): number {
    const duration = this.#duration(node);
    if (duration <= 0) throw this.#source.problem(node, 'duration must be greater than 0');
    return duration;
  }

  #offset(node: SyntaxNode): number {
    const text = this.#source.text(node);
    const [, sign = '', digits = ''] = /^([+-]?)\s*(.*)$/s.exec(text) ?? [];
    const value = parseDuration(digits) ?? (parseNumber(digits) ?? Number.NaN) * 1000;
    if (!Number.isFinite(value))
      throw this.#source.problem(node, `${JSON.stringify(text)} is no duration; calculations are not supported`);
    return Math.round(sign === '-' ? -value : value);
  }

  #at(node: SyntaxNode): At {
    if (node.name === 'AtModifierPreprocessors')
      return { kind: this.#source.text(node).toLowerCase().startsWith('start') ? 'start' : 'end' };
    const time = Math.round(this.#number(node) * 1000);
    if (!Number.isFinite(time)) throw this.#source.problem(node, 'timestamp out of bounds for @ modifier');
    return { kind: 'time', time };
  }

  #matrix(node: SyntaxNode, of: SyntaxNode, range: SyntaxNode): Selector {
    const selector = this.read(of);
    const isBare = selector.kind === 'selector' && selector.offset === 0 && selector.at === undefined;
    if (!isBare || of.name !== 'VectorSelector')
      throw this.#source.problem(node, 'ranges only allowed for vector selectors');
    return { ...selector, range: this.#positive(range), span: this.#source.span(node) };
  }

  #subquery(node: SyntaxNode): Subquery {
    const [of, range, step] = this.#source.children(node);
    return {
      kind: 'subquery',
      of: this.read(of!),
      range: this.#positive(range!),
      ...(step !== undefined && { step: this.#positive(step) }),
      offset: 0,
      span: this.#source.span(node),
    };
  }

  /** Adds the modifiers that follow an expression. */
  #addModifiers<T extends Selector | Subquery>(expr: T): T {
    const nodes = this.#modifiers.take(expr.span.end);
    const [offset, ...offsets] = nodes.filter(({ name }) => name === 'OffsetExpr');
    const [at, ...ats] = nodes.filter(({ name }) => name === 'StepInvariantExpr');
    const [repeated] = [...offsets, ...ats];
    if (repeated !== undefined) throw this.#source.problem(repeated, 'offset and @ may be set only once');
    return {
      ...expr,
      ...(offset !== undefined && { offset: this.#offset(offset.getChild('OffsetDurationExpr')!) }),
      ...(at !== undefined && { at: this.#at(at.lastChild!) }),
      span: { start: expr.span.start, end: Math.max(expr.span.end, ...nodes.map(({ to }) => to)) },
    };
  }

  #call(node: SyntaxNode): Expr {
    const source = this.#source;
    const name = source.text(node.getChild('FunctionIdentifier')!);
    if (!isFunction(name)) throw source.problem(node, `the function ${name} is not supported`);
    const args = source.children(node.getChild('FunctionCallBody')!).map((each) => this.read(each));
    return { kind: 'call', fn: name, args, span: source.span(node) };
  }

  #aggregation(node: SyntaxNode): Aggregation {
    const source = this.#source;
    const op = source.text(node.getChild('AggregateOp')!).toLowerCase();
    if (!isAggregation(op)) throw source.problem(node, `the aggregation ${op} is not supported`);
    const modifier = node.getChild('AggregateModifier');
    const args = source.children(node.getChild('FunctionCallBody')!).map((each) => this.read(each));
    const of = args.at(-1);
    if (of === undefined || args.length > 2)
      throw source.problem(node, `wrong number of arguments for aggregate expression provided: got ${args.length}`);
    const [parameter] = args.slice(0, -1);
    return {
      kind: 'aggregation',
      op,
      ...(parameter !== undefined && { parameter }),
      of,
      grouping: {
        kind: modifier?.getChild('Without') ? 'without' : 'by',
        labels: modifier === null ? [] : this.#labels(modifier.getChild('GroupingLabels')),
      },
      span: source.span(node),
    };
  }

  #labels = (node: SyntaxNode | null): readonly string[] =>
    node === null ? [] : this.#source.children(node).map((each) => this.#source.name(each));

  #binary(node: SyntaxNode): Expr {
    const source = this.#source;
    const parts = source.children(node);
    const op = source.text(parts[1]!).toLowerCase();
    if (!isOperator(op) || node.getChild('FillModifier') !== null)
      throw source.problem(parts[1]!, `'${source.text(parts[1]!)}' is not supported here`);
    const right = this.read(parts.at(-1)!);
    const binary = (left: Expr): Binary => ({
      kind: 'binary',
      op,
      bool: node.getChild('BoolModifier') !== null,
      matching: this.#readMatching(node.getChild('MatchingModifierClause')),
      left,
      right,
      span: source.span(node),
    });
    const left = this.read(parts[0]!);
    // The grammar reads -1 as a number, but a power binds more tightly than a sign.
    if (op === '^' && left.kind === 'number' && source.text(parts[0]!).startsWith('-'))
      return { kind: 'negation', of: binary({ ...left, value: -left.value }), span: source.span(node) };
    return binary(left);
  }

  #readMatching(node: SyntaxNode | null): VectorMatching {
    if (node === null) return { kind: 'ignoring', labels: [], include: [] };
    const [labels, include] = node.getChildren('GroupingLabels');
    const many = node.getChild('GroupLeft') ? 'left' : node.getChild('GroupRight') ? 'right' : undefined;
    return {
      kind: node.getChild('On') ? 'on' : 'ignoring',
      labels: this.#labels(labels ?? null),
      ...(many !== undefined && { many }),
      include: this.#labels(include ?? null),
    };
  }
}

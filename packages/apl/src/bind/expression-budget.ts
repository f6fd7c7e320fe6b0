import { MAX_SINGLE_TERMS } from '../functions/operators/term-list.js';
import { nodesOf } from '../plan/rewrite.js';
import { constantText, partsOf } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { Expr, Span } from '../syntax/ast.js';
import { spend } from '../effort.js';
import type { Report } from '../report.js';
import { queryBounds } from '../query-bounds.js';

/**
 * Bounds the expressions of a query, those of functions as often as they are called. The engine
 * cannot be stopped while it plans, and takes the square of the time for twice as many branches of
 * a `case`.
 */
export class ExpressionBudget {
  readonly #report: Report;
  #nodes = 0;
  #values = 0;
  #computed = 0;
  #repeated = 0;
  #isOff = false;

  constructor(report: Report) {
    this.#report = report;
  }

  /**
   * Counts an expression without its parts; false, and an error at the first, when there are too
   * many.
   */
  takes(expr: Expr): boolean {
    spend(1);
    if (this.#isOff) return true;
    return isValue(expr) ? this.#takesValue(expr.span) : this.#takesNodes(weightOf(expr), expr.span);
  }

  /**
   * Counts names in a list of an operator, each of which is compared with all columns; false, and
   * an error at the first, when there are too many.
   */
  names(count: number, span: Span): boolean {
    return this.#takesNodes(count, span);
  }

  /**
   * Counts a test of every field; false, and an error at the first, when there are too many:
   * `search` has one for each of its terms.
   */
  anywhere(span: Span): boolean {
    return this.#isOff || this.#takesNodes(ANYWHERE, span);
  }

  /**
   * Counts the value of a definition, which is written out wherever it is named; false, and an
   * error at the first, when there is too much.
   */
  repeats(value: readonly Scalar[], span: Span): boolean {
    const nodes = value.reduce((sum, scalar) => sum + sizeOf(scalar), 0);
    return this.#takesNodes(nodes, span) && this.#takesText(lengthOf(value), span);
  }

  /**
   * Whether a constant may be made of these while compiling; it is made by the engine otherwise. A
   * definition that joins another one with itself doubles it, so forty lines would be a text of
   * terabytes.
   */
  computes(parts: readonly Scalar[]): boolean {
    const length = lengthOf(parts);
    if (this.#computed + length > queryBounds.computed.most) return false;
    this.#computed += length;
    return true;
  }

  /**
   * Runs `body`, which binds what is not written in the query, such as the virtual fields of each
   * dataset; most of it is left out again.
   */
  apart<T>(body: () => T): T {
    const before = this.#isOff;
    this.#isOff = true;
    try {
      return body();
    } finally {
      this.#isOff = before;
    }
  }

  #takesNodes(nodes: number, span: Span): boolean {
    const fit = this.#nodes <= queryBounds.nodes.most;
    this.#nodes += nodes;
    if (fit && this.#nodes > queryBounds.nodes.most)
      this.#report.error(
        'limit',
        span,
        'the expressions of the query are too large in total; a long list of values to look for or look up fits into in (…) or a datatable',
      );
    return this.#nodes <= queryBounds.nodes.most;
  }

  #takesText(length: number, span: Span): boolean {
    const fit = this.#repeated <= queryBounds.repeated.most;
    this.#repeated += length;
    if (fit && this.#repeated > queryBounds.repeated.most)
      this.#report.error(
        'limit',
        span,
        'the texts that the query defines, each as often as it is named, are more than one statement can hold; name them less often',
      );
    return this.#repeated <= queryBounds.repeated.most;
  }

  #takesValue(span: Span): boolean {
    this.#values++;
    if (this.#values === queryBounds.values.most + 1)
      this.#report.error('limit', span, `a query has at most ${queryBounds.values.most} values; use fewer`);
    return this.#values <= queryBounds.values.most;
  }
}

/**
 * What a test of text counts: most become a regular expression, and the engine compiles a thousand
 * of these in eight seconds.
 */
const TEST = 8;

/**
 * What a test of every field counts, of which a search of all datasets makes one for each: two of
 * fifteen fields plan five hundred terms for forty seconds, and five thousand until the engine has
 * to be ended.
 */
const ANYWHERE = 32;

/** What is a constant, or becomes one with what is in it. */
const isValue = (expr: Expr): boolean =>
  valueKinds.has(expr.kind) || (expr.kind === 'unary' && expr.operand.kind === 'literal');

const valueKinds: ReadonlySet<Expr['kind']> = new Set(['literal', 'array', 'bag', 'dynamic']);

/**
 * An expression and the literals that are its direct parts, except in lists, where they become one
 * constant.
 */
function weightOf(expr: Expr): number {
  switch (expr.kind) {
    case 'call':
      return 1 + literalsIn(expr.args.map(({ value }) => value));
    case 'binary':
      return 1 + literalsIn([expr.left, expr.right]);
    case 'stringTest':
      return TEST;
    case 'membership':
      return expr.op === 'in' || !Array.isArray(expr.list) ? 1 : TEST * testsOf(expr.list);
    default:
      return 1;
  }
}

/** A long list of constants is looked for together. */
function testsOf(terms: readonly Expr[]): number {
  const constants = terms.filter(isValue).length;
  return terms.length - constants + Math.min(constants, MAX_SINGLE_TERMS);
}

const literalsIn = (parts: readonly Expr[]): number => parts.filter(({ kind }) => kind === 'literal').length;

/**
 * Nodes of an expression as it is written out; that of a part is known from when the part was asked
 * for.
 */
function sizeOf(scalar: Scalar): number {
  const known = sizes.get(scalar);
  if (known !== undefined) return known;
  const inner = scalar.kind === 'scalarPlan' || scalar.kind === 'inPlan' ? nodesOf(scalar.plan) : 0;
  const size = partsOf(scalar).reduce((sum, part) => sum + sizeOf(part), 1 + inner);
  sizes.set(scalar, size);
  return size;
}

/** Characters of the constants among these. */
const lengthOf = (scalars: readonly Scalar[]): number =>
  scalars.reduce((sum, scalar) => sum + (constantText(scalar)?.length ?? 0), 0);

const sizes = new WeakMap<Scalar, number>();

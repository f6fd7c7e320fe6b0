import { MAX_SINGLE_TERMS } from '../functions/operators/term-list.js';
import { nodesOf } from '../plan/rewrite.js';
import { constantText, partsOf } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { Expr, Span } from '../syntax/ast.js';
import { consume } from '../model/compile-budget.js';
import type { Report } from '../report.js';
import { queryBounds } from '../model/query-limits.js';

/**
 * Bounds the expressions of a query; those of functions count once per call. The engine cannot be
 * stopped while it plans, and its planning time grows with the square of the branches of a `case`.
 */
export class ExpressionBudget {
  readonly #report: Report;
  #nodes = 0;
  #values = 0;
  #computedLength = 0;
  #repeatedLength = 0;
  #isOff = false;

  constructor(report: Report) {
    this.#report = report;
  }

  /**
   * Counts an expression without its parts; false, and an error at the first, when there are too
   * many.
   */
  takes(expr: Expr): boolean {
    consume(1);
    if (this.#isOff) return true;
    return isValue(expr) ? this.#takesValue(expr.span) : this.#takesNodes(weightOf(expr), expr.span);
  }

  /**
   * Counts the names in a list of an operator; each is compared with all columns. Returns false
   * when there are too many, and reports an error the first time.
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
   * Counts the value of a definition, which is expanded at each use. Returns false when there is
   * too much, and reports an error the first time.
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
    if (this.#computedLength + length > queryBounds.computed.max) return false;
    this.#computedLength += length;
    return true;
  }

  /**
   * Runs `body` without counting. It binds expressions that are not in the query text, such as the
   * virtual fields of each dataset; most of them are dropped later.
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
    const fit = this.#nodes <= queryBounds.nodes.max;
    this.#nodes += nodes;
    if (fit && this.#nodes > queryBounds.nodes.max)
      this.#report.error(
        'limit',
        span,
        'the expressions of the query are too large in total; a long list of values to look for or look up fits into in (…) or a datatable',
      );
    return this.#nodes <= queryBounds.nodes.max;
  }

  #takesText(length: number, span: Span): boolean {
    const fit = this.#repeatedLength <= queryBounds.repeated.max;
    this.#repeatedLength += length;
    if (fit && this.#repeatedLength > queryBounds.repeated.max)
      this.#report.error(
        'limit',
        span,
        'the texts that the query defines, each as often as it is named, are more than one statement can hold; name them less often',
      );
    return this.#repeatedLength <= queryBounds.repeated.max;
  }

  #takesValue(span: Span): boolean {
    this.#values++;
    if (this.#values === queryBounds.values.max + 1)
      this.#report.error('limit', span, `a query has at most ${queryBounds.values.max} values; use fewer`);
    return this.#values <= queryBounds.values.max;
  }
}

/**
 * Weight of a string test: most become a regular expression, and the engine takes 8 s to compile a
 * thousand of these.
 */
const TEST = 8;

/**
 * Weight of a test of every field; a search of all datasets makes one per dataset. With two
 * datasets of fifteen fields, the engine plans 500 terms for 40 s; with 5000 terms it has to be
 * killed.
 */
const ANYWHERE = 32;

/** Whether an expression is a constant, or is folded into one together with its elements. */
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

/** Number of tests for a list: a long list of constants is a single test. */
function testsOf(terms: readonly Expr[]): number {
  const constants = terms.filter(isValue).length;
  return terms.length - constants + Math.min(constants, MAX_SINGLE_TERMS);
}

const literalsIn = (parts: readonly Expr[]): number => parts.filter(({ kind }) => kind === 'literal').length;

/** Nodes of an expression after expansion; cached per part. */
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

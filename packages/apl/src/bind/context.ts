import type { Catalogue } from '../catalogue.js';
import type { CompileOptions, ExternalFile, Fact } from '../compiled.js';
import type { Need } from '../needs.js';
import type { ReferenceData } from '../reference-data.js';
import { single } from './values/coerce.js';
import type { AggregateCollector } from './calls/collector.js';
import type { Bound, ColumnId, Scalar } from '../plan/scalar.js';
import type { Schema } from '../plan/schema.js';
import { copyOf } from '../plan/copy.js';
import { nullScalar } from '../plan/scalar.js';
import { depthOf, nodesOf, weightOfInner } from '../plan/rewrite.js';
import { nothing } from '../plan/nothing.js';
import type { Plan } from '../plan/nodes.js';
import { spend } from '../effort.js';
import type { Expr, Span, Statement, Tabular, TypedName } from '../syntax/ast.js';
import type { Report } from '../report.js';
import { ExpressionBudget } from './expression-budget.js';
import { Mentions } from './names/mentions.js';
import { queryBounds } from '../query-bounds.js';

/** What all parts of one query share while it is bound. */
export class QueryContext {
  #catalogue: Catalogue;
  readonly report: Report;
  readonly expressions: ExpressionBudget;
  /** What its answer turns out to depend on, in its views and virtual fields too. */
  readonly needs = new Set<Need>();
  readonly #now: bigint;
  /** What functions look up, in views too. */
  readonly reference: ReferenceData;
  /** Hosts that `externaldata` may read from. */
  readonly externalHosts: readonly string[];
  /** Addresses of files that have to be read before the query can be compiled. */
  readonly unread = new Set<string>();
  /** Names of the datasets read so far. */
  readonly datasets = new Set<string>();
  /** What the query names, to tell which rare fields it needs. */
  readonly mentions = new Mentions();
  /** Most columns that `evaluate` may make out of the data. */
  readonly maxDataColumns: number;
  /**
   * Columns of integers that were computed from dynamic values; a real stands beside them for other
   * rows (see `whole-numbers.ts`).
   */
  readonly wholeColumns = new Set<ColumnId>();
  /** What has to be known before the query can be compiled. */
  question: Plan | undefined;
  readonly #facts: readonly Fact[];
  readonly #files: NonNullable<CompileOptions['files']>;
  #asked = 0;
  #next = 0;
  #depth = 0;
  #tables = 0;
  #steps = 0;
  #definitions = 0;
  #copied = 0;
  #written = 0;

  constructor(options: CompileOptions, report: Report) {
    this.#catalogue = options.catalogue;
    this.report = report;
    this.expressions = new ExpressionBudget(report);
    this.#now = options.now;
    this.reference = options.catalogue.reference ?? {};
    this.externalHosts = options.externalHosts ?? [];
    this.maxDataColumns = options.maxDataColumns ?? options.maxLimit;
    this.#facts = options.facts ?? [];
    this.#files = options.files ?? new Map();
  }

  /** The moment of the query. It is a function, so that the query is known to need the clock. */
  readonly now = (): bigint => {
    this.needs.add('clock');
    return this.#now;
  };

  /**
   * The answer to a question about the data, each of its columns a text; undefined if it is not
   * known yet. The first question without an answer becomes `question`, and whatever is bound after
   * it is discarded. Binding the same text asks the same questions in the same order.
   */
  ask(question: () => Plan): Fact | undefined {
    this.needs.add('facts');
    const known = this.#facts[this.#asked++];
    if (known === undefined && this.question === undefined && !this.report.failed) this.question = question();
    return known;
  }

  /**
   * What was read from an address; undefined if it has yet to be, and then it is noted as `unread`.
   */
  file(address: string): ExternalFile | undefined {
    this.needs.add('files');
    const known = this.#files.get(address);
    if (known === undefined) this.unread.add(address);
    return known;
  }

  get catalogue(): Catalogue {
    return this.#catalogue;
  }

  /** Runs `body`, which binds the text of a view, with the catalogue for views. */
  inView<T>(body: () => T): T {
    return this.#within(this.#catalogue.inViews, body);
  }

  /** The same for `body` that binds the expression of a virtual field. */
  inVirtualField<T>(body: () => T): T {
    return this.#within(this.#catalogue.inVirtualFields, body);
  }

  #within<T>(catalogue: Catalogue | undefined, body: () => T): T {
    const before = this.#catalogue;
    this.#catalogue = catalogue ?? before;
    try {
      return body();
    } finally {
      this.#catalogue = before;
    }
  }

  /** A new column; the name makes the SQL readable. */
  fresh(name: string): ColumnId {
    return `${name}@${this.#next++}`;
  }

  /**
   * The same pipeline with columns of its own, so that it can occur twice in the query; `nothing`
   * and an error when copies become too many.
   */
  copyOf(plan: Plan, span: Span): Plan {
    const fit = this.#copied <= queryBounds.copied.most;
    if (fit) this.#copied += nodesOf(plan);
    if (this.#copied > queryBounds.copied.most) {
      const message =
        'what the query repeats of itself has too many operators in total; repeat less, or an earlier table';
      if (fit) this.report.error('limit', span, message);
      return nothing;
    }
    return copyOf(plan, (like) => this.fresh(like.slice(0, like.lastIndexOf('@'))));
  }

  /**
   * Counts one more operator, definition, or use of a table that the query defines: each of them
   * binds more. False and an error when there are too many; then nothing more may be bound, so that
   * tables which name each other take no longer than others.
   */
  step(span: Span): boolean {
    spend(1);
    this.#steps++;
    if (this.#steps === queryBounds.steps.most + 1)
      this.report.error(
        'limit',
        span,
        `a query has at most ${queryBounds.steps.most} operators and definitions, those of tables, views and functions as often as these are named; use fewer`,
      );
    return this.#steps <= queryBounds.steps.most;
  }

  /**
   * Whether a pipeline is neither too long, with those that it reads, nor has too many inside one
   * another; otherwise reports it, and no further step is taken.
   */
  holds(plan: Plan, span: Span): boolean {
    const isLong = depthOf(plan) > queryBounds.depth.most;
    if (!isLong && weightOfInner(plan) <= queryBounds.innerWeight.most) return true;
    const message = isLong
      ? `what is done to a table has at most ${queryBounds.depth.most} steps, of which an operator may be several, and this is one too many`
      : 'too many queries are inside one another, by in (…), has_any (…) or toscalar(…): at most eight may be; join tables instead';
    if (this.#steps <= queryBounds.steps.most) this.report.error('limit', span, message);
    this.#steps = queryBounds.steps.most + 1;
    return false;
  }

  /**
   * Runs `bind`, which binds a table that the query defines; `nothing` and an error when too many
   * of these are behind each other.
   */
  defined(span: Span, bind: (span: Span) => Plan): Plan {
    if (!this.step(span)) return nothing;
    if (this.#definitions >= queryBounds.definitions.most) {
      this.report.error(
        'limit',
        span,
        `more than ${queryBounds.definitions.most} tables are defined by one another; use fewer`,
      );
      return nothing;
    }
    this.#definitions++;
    try {
      return bind(span);
    } finally {
      this.#definitions--;
    }
  }

  /** Counts one more table that the query reads; false and an error when there are too many. */
  reads(span: Span): boolean {
    this.#tables++;
    if (this.#tables === queryBounds.tables.most + 1)
      this.report.error(
        'limit',
        span,
        `a query reads at most ${queryBounds.tables.most} tables, each as often as it is named; name fewer`,
      );
    return this.#tables <= queryBounds.tables.most;
  }

  /**
   * Counts what becomes part of the statement from elsewhere; false and an error when it is too
   * much.
   */
  writes(bytes: number, span: Span): boolean {
    this.#written += bytes;
    const fits = this.#written <= queryBounds.written.most;
    if (!fits)
      this.report.error(
        'limit',
        span,
        'the files that the query reads, each as often as it is named, are more than one statement can hold; name fewer of them, or fewer columns',
      );
    return fits;
  }

  /**
   * Runs `body` one level deeper in views, virtual fields and functions, which may refer to
   * themselves; undefined and an error when the nesting is too deep.
   */
  nested<T>(what: string, span: Span, body: () => T): T | undefined {
    if (this.#depth >= queryBounds.nestedDefinitions.most) {
      this.report.error('limit', span, `${what} is nested too deeply; does it refer to itself?`);
      return undefined;
    }
    this.#depth++;
    try {
      return body();
    } finally {
      this.#depth--;
    }
  }
}

/** A name bound by `let`, `declare`, `as` or as the parameter of a function. */
export type LetValue =
  | { readonly kind: 'scalar'; readonly value: Bound }
  /** Bound anew at each use: every use needs columns of its own. */
  | { readonly kind: 'table'; readonly bind: (span: Span) => Plan }
  | {
      readonly kind: 'function';
      readonly params: readonly (TypedName & { readonly default?: Expr; readonly tabular?: boolean })[];
      /** Definitions before the body. */
      readonly statements: readonly Statement[];
      readonly body: Expr | Tabular;
      readonly lets: Lets;
    };

export type Lets = ReadonlyMap<string, LetValue>;

/** What an expression can refer to. */
export interface Scope {
  readonly query: QueryContext;
  readonly schema: Schema;
  readonly lets: Lets;
  /** Present where aggregates are allowed. */
  readonly aggregates?: AggregateCollector;
  /** Names that the same operator defines; its own expressions cannot read them. */
  readonly siblings?: Pick<ReadonlyMap<string, unknown>, 'has'>;
  /** `$left` and `$right` of a join. */
  readonly sides?: { readonly left: Schema; readonly right: Schema };
  /** Closes the recursion: expressions contain expressions and pipelines. */
  readonly rules: BindRules;
}

/** Rules that parts of the binder need from modules above them; `pipeline.ts` supplies them. */
export interface BindRules {
  readonly expression: (expr: Expr, scope: Scope) => Bound;
  readonly pipeline: (pipeline: Tabular, scope: PipelineScope) => Plan;
}

/** Binds an expression. Always returns something: a mistake becomes null and a diagnostic. */
export const bindScalar = (expr: Expr, scope: Scope): Bound =>
  scope.query.expressions.takes(expr) ? scope.rules.expression(expr, scope) : [nullScalar];

/** Binds an expression to a value of one type. */
export const bindSingle = (expr: Expr, scope: Scope): Scalar => single(bindScalar(expr, scope));

/** What a pipeline can refer to. */
export interface PipelineScope {
  readonly query: QueryContext;
  readonly lets: Lets;
}

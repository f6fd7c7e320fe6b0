import type { Catalog } from '../model/catalog.js';
import type { CompileOptions, ExternalFile, LookupResult } from '../compiled-query.js';
import type { Need } from '../model/needs.js';
import type { ReferenceData } from '../model/reference-data.js';
import { single } from './values/coerce.js';
import type { AggregateCollector } from './calls/collector.js';
import type { Bound, ColumnId, Scalar } from '../plan/scalar.js';
import type { Schema } from '../plan/schema.js';
import { copyOf } from '../plan/copy.js';
import { nullScalar } from '../plan/scalar.js';
import { depthOf, nodesOf, weightOfInner } from '../plan/rewrite.js';
import { emptyPlan } from '../plan/empty-plan.js';
import type { Plan } from '../plan/nodes.js';
import { consume } from '../model/compile-budget.js';
import type { Expr, Span, Statement, Tabular, TypedName } from '../syntax/ast.js';
import type { UrlFunction } from './names/url-members.js';
import type { Report } from '../report.js';
import { ExpressionBudget } from './expression-budget.js';
import { Mentions } from './names/mentions.js';
import { queryBounds } from '../model/query-limits.js';

/** State that all parts of one query share during binding. */
export class QueryContext {
  #catalog: Catalog;
  readonly report: Report;
  readonly expressions: ExpressionBudget;
  /** Needs of the result, including those of its views and virtual fields. */
  readonly needs = new Set<Need>();
  readonly #now: bigint;
  /** Reference data for functions, in views too. */
  readonly reference: ReferenceData;
  /** Hosts that `externaldata` may read from. */
  readonly externalHosts: readonly string[];
  /** Addresses of files that have to be read before the query can be compiled. */
  readonly unread = new Set<string>();
  /** Names of the datasets read so far. */
  readonly datasets = new Set<string>();
  /** Names in the query, which decide which rare fields it needs. */
  readonly mentions = new Mentions();
  /** Most columns that `evaluate` may make out of the data. */
  readonly maxDataColumns: number;
  /**
   * Columns of integers that were computed from dynamic values; a real column next to each has the
   * values of other rows (see `whole-numbers.ts`).
   */
  readonly wholeColumns = new Set<ColumnId>();
  /**
   * Columns with results of `parse_url`, whose members have two spellings (see `url-members.ts`).
   */
  readonly urlColumns = new Map<ColumnId, UrlFunction>();
  /** Columns and constants with results of `dayofweek` (see `weekday.ts`). */
  readonly weekdayColumns = new Set<ColumnId>();
  readonly weekdays = new WeakSet<Scalar>();
  /**
   * Columns of a field that no event has, and of aggregates over one: they may stand where anything
   * is wanted, as the field itself may.
   */
  readonly missingColumns = new Set<ColumnId>();
  /** The lookup needed before the query can be compiled. */
  lookupPlan: Plan | undefined;
  readonly #facts: readonly LookupResult[];
  readonly #files: NonNullable<CompileOptions['files']>;
  #lookups = 0;
  #next = 0;
  #depth = 0;
  #tables = 0;
  #steps = 0;
  #definitions = 0;
  #copiedNodes = 0;
  #writtenBytes = 0;

  constructor(options: CompileOptions, report: Report) {
    this.#catalog = options.catalog;
    this.report = report;
    this.expressions = new ExpressionBudget(report);
    this.#now = options.now;
    this.reference = options.catalog.reference ?? {};
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
   * The result of a lookup in the data, each of its columns a text; undefined if it is pending. The
   * first pending lookup becomes `question`, and everything bound after it is discarded. Binding
   * the same text makes the same lookups in the same order.
   */
  ask(lookupPlan: () => Plan): LookupResult | undefined {
    this.needs.add('facts');
    const known = this.#facts[this.#lookups++];
    if (known === undefined && this.lookupPlan === undefined && !this.report.failed) this.lookupPlan = lookupPlan();
    return known;
  }

  /** The file at an address; undefined if it is not read yet, and then recorded as `unread`. */
  file(address: string): ExternalFile | undefined {
    this.needs.add('files');
    const known = this.#files.get(address);
    if (known === undefined) this.unread.add(address);
    return known;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Runs `body`, which binds the text of a view, with the catalog for views. */
  inView<T>(body: () => T): T {
    return this.#within(this.#catalog.inViews, body);
  }

  /** Runs `body`, which binds the expression of a virtual field. */
  inVirtualField<T>(body: () => T): T {
    return this.#within(this.#catalog.inVirtualFields, body);
  }

  #within<T>(catalog: Catalog | undefined, body: () => T): T {
    const before = this.#catalog;
    this.#catalog = catalog ?? before;
    try {
      return body();
    } finally {
      this.#catalog = before;
    }
  }

  /** A new column; the name makes the SQL readable. */
  fresh(name: string): ColumnId {
    return `${name}@${this.#next++}`;
  }

  /**
   * Copies a pipeline with new column IDs, so that it can occur twice in the query. Reports an
   * error and returns `nothing` when there are too many copies.
   */
  copyOf(plan: Plan, span: Span): Plan {
    const fit = this.#copiedNodes <= queryBounds.copied.max;
    if (fit) this.#copiedNodes += nodesOf(plan);
    if (this.#copiedNodes > queryBounds.copied.max) {
      const message =
        'what the query repeats of itself has too many operators in total; repeat less, or an earlier table';
      if (fit) this.report.error('limit', span, message);
      return emptyPlan;
    }
    return copyOf(plan, (like) => this.fresh(like.slice(0, like.lastIndexOf('@'))));
  }

  /**
   * Counts one more operator, definition, or use of a table that the query defines. Reports an
   * error and returns false when there are too many; then nothing more may be bound, so that tables
   * that refer to each other do not take longer.
   */
  step(span: Span): boolean {
    consume(1);
    this.#steps++;
    if (this.#steps === queryBounds.steps.max + 1)
      this.report.error(
        'limit',
        span,
        `a query has at most ${queryBounds.steps.max} operators and definitions, those of tables, views and functions as often as these are named; use fewer`,
      );
    return this.#steps <= queryBounds.steps.max;
  }

  /**
   * Whether a pipeline, including its input pipelines, is short enough and has few enough queries
   * nested in it. Otherwise reports an error, and no further step is bound.
   */
  holds(plan: Plan, span: Span): boolean {
    const isLong = depthOf(plan) > queryBounds.depth.max;
    if (!isLong && weightOfInner(plan) <= queryBounds.innerWeight.max) return true;
    const message = isLong
      ? `the pipeline of a table exceeds ${queryBounds.depth.max} steps (an operator may take several); split the query`
      : 'subqueries in in (…), has_any (…) or toscalar(…) are nested too deeply: at most eight levels; use joins instead';
    if (this.#steps <= queryBounds.steps.max) this.report.error('limit', span, message);
    this.#steps = queryBounds.steps.max + 1;
    return false;
  }

  /**
   * Runs `bind`, which binds a table that the query defines; reports an error and returns `nothing`
   * when too many of these depend on each other.
   */
  define(span: Span, bind: (span: Span) => Plan): Plan {
    if (!this.step(span)) return emptyPlan;
    if (this.#definitions >= queryBounds.definitions.max) {
      this.report.error(
        'limit',
        span,
        `more than ${queryBounds.definitions.max} tables are defined by one another; use fewer`,
      );
      return emptyPlan;
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
    if (this.#tables === queryBounds.tables.max + 1)
      this.report.error(
        'limit',
        span,
        `a query reads at most ${queryBounds.tables.max} tables, each as often as it is named; name fewer`,
      );
    return this.#tables <= queryBounds.tables.max;
  }

  /**
   * Counts data from files that becomes part of the statement; reports an error and returns false
   * when there is too much.
   */
  writes(bytes: number, span: Span): boolean {
    this.#writtenBytes += bytes;
    const fits = this.#writtenBytes <= queryBounds.written.max;
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
  withinDepth<T>(what: string, span: Span, body: () => T): T | undefined {
    if (this.#depth >= queryBounds.nestedDefinitions.max) {
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
  /** Bound separately for each use, because every use needs its own column IDs. */
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

/** The names visible to an expression. */
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

/** The names visible to a pipeline. */
export interface PipelineScope {
  readonly query: QueryContext;
  readonly lets: Lets;
}

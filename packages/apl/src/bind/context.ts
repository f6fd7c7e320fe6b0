import type { Catalogue } from '../catalogue.js';
import type { CompileOptions, Fact } from '../compiled.js';
import { single } from './coerce.js';
import type { AggregateCollector } from './collector.js';
import type { Bound, ColumnId, Scalar } from '../plan/scalar.js';
import type { Schema } from '../plan/schema.js';
import type { Plan } from '../plan/nodes.js';
import type { Expr, Span, Tabular, TypedName } from '../syntax/ast.js';
import type { Report } from '../report.js';
import { Mentions } from './mentions.js';

/** What all parts of one query share while it is bound. */
export class QueryContext {
  #catalogue: Catalogue;
  readonly report: Report;
  readonly now: bigint;
  /** Hosts that `externaldata` may read from. */
  readonly externalHosts: readonly string[];
  /** Names of the datasets read so far. */
  readonly datasets = new Set<string>();
  /** What the query names, to tell which rare fields it needs. */
  readonly mentions = new Mentions();
  /** Columns that `evaluate` may make of what the data holds. */
  readonly maxDataColumns: number;
  /** What has to be known before the query can be compiled. */
  question: Plan | undefined;
  readonly #facts: readonly Fact[];
  #asked = 0;
  #next = 0;
  #depth = 0;
  #tables = 0;

  constructor(options: CompileOptions, report: Report) {
    this.#catalogue = options.catalogue;
    this.report = report;
    this.now = options.now;
    this.externalHosts = options.externalHosts ?? [];
    this.maxDataColumns = options.maxDataColumns ?? options.maxLimit;
    this.#facts = options.facts ?? [];
  }

  /**
   * What the data says to a question, each of its columns a text; undefined where that is not known yet. The first such
   * question is `question` then, and whatever is bound in the meantime counts for nothing. Binding the same text asks the
   * same questions in the same order.
   */
  ask(question: () => Plan): Fact | undefined {
    const known = this.#facts[this.#asked++];
    if (known === undefined && this.question === undefined && !this.report.failed) this.question = question();
    return known;
  }

  get catalogue(): Catalogue {
    return this.#catalogue;
  }

  /** Binds the text of a view, which may name what its catalogue says. */
  inView<T>(body: () => T): T {
    const before = this.#catalogue;
    this.#catalogue = before.inViews ?? before;
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

  /** Notes that the query reads one more table; false and an error when those are too many. */
  reads(span: Span): boolean {
    this.#tables++;
    if (this.#tables === MAX_TABLES + 1)
      this.report.error(
        'limit',
        span,
        `a query reads at most ${MAX_TABLES} tables, each as often as it is named; name fewer`,
      );
    return this.#tables <= MAX_TABLES;
  }

  /**
   * Runs `body` one level deeper inside views, virtual fields and functions, which may refer to themselves; undefined and an
   * error when that goes too deep.
   */
  nested<T>(what: string, span: Span, body: () => T): T | undefined {
    if (this.#depth >= MAX_NESTED_DEFINITIONS) {
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

/** Views, virtual fields and functions may use one another this deep: enough for any honest use, small for the stack. */
const MAX_NESTED_DEFINITIONS = 16;

/** The engine plans a thousand in seconds, three thousand in a minute, and cannot be stopped while it does. */
const MAX_TABLES = 1000;

/** A name bound by `let`, `declare`, `as` or as the parameter of a function. */
export type LetValue =
  | { readonly kind: 'scalar'; readonly value: Bound }
  /** Bound anew at each use: every use needs columns of its own. */
  | { readonly kind: 'table'; readonly bind: () => Plan }
  | {
      readonly kind: 'function';
      readonly params: readonly (TypedName & { readonly default?: Expr; readonly tabular?: boolean })[];
      readonly body: Expr | Tabular;
      readonly lets: Lets;
    };

export type Lets = ReadonlyMap<string, LetValue>;

/** Where a scalar expression stands. */
export interface Scope {
  readonly query: QueryContext;
  readonly schema: Schema;
  readonly lets: Lets;
  /** Present where aggregates are allowed. */
  readonly aggregates?: AggregateCollector;
  /** Names that the same operator gives, which nothing in it can read. */
  readonly siblings?: Pick<ReadonlyMap<string, unknown>, 'has'>;
  /** `$left` and `$right` of a join. */
  readonly sides?: { readonly left: Schema; readonly right: Schema };
  /** Ties the knot: what stands inside an expression is an expression or a pipeline again. */
  readonly rules: BindRules;
}

/** The rules that parts of the binder need but that stand above them; `pipeline.ts` fills them in. */
export interface BindRules {
  readonly expression: (expr: Expr, scope: Scope) => Bound;
  readonly pipeline: (pipeline: Tabular, scope: PipelineScope) => Plan;
}

/** Types an expression. Always gives something: what is wrong becomes null and a diagnostic. */
export const bindScalar = (expr: Expr, scope: Scope): Bound => scope.rules.expression(expr, scope);

/** An expression that has to be of one type. */
export const bindSingle = (expr: Expr, scope: Scope): Scalar => single(bindScalar(expr, scope));

/** Where a pipeline stands. */
export interface PipelineScope {
  readonly query: QueryContext;
  readonly lets: Lets;
}

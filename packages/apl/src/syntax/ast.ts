import type { Argument, Expr, Name, NamePattern, Span, TypeName } from './scalar-nodes.js';

export type * from './scalar-nodes.js';

/**
 * The syntax tree of APL. Nodes are plain and readonly; every node has its span in the text. The
 * parser always returns a tree: an unparsable part is an `error` node, and a diagnostic gives the
 * reason.
 */

/** `name = expr`, `(a, b) = expr` or `expr`. */
export interface NamedExpr {
  readonly name?: Name;
  /** Names for the several values of a call. */
  readonly names?: readonly Name[];
  /** The name it has unless another column has that one. */
  readonly wish?: string;
  readonly value: Expr;
  readonly span: Span;
}

/** An aggregate of `make-series`: `name = agg(x) default = v`. */
export interface SeriesExpr extends NamedExpr {
  readonly default?: Expr;
}

export interface SortKey {
  readonly value: Expr;
  /** Absent when not written. */
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** `name: type`; the type is absent when not written. */
export interface TypedName {
  readonly name: Name;
  readonly type?: TypeName;
}

export type JoinKind =
  | 'inner'
  | 'innerunique'
  | 'leftouter'
  | 'rightouter'
  | 'fullouter'
  | 'leftsemi'
  | 'rightsemi'
  | 'leftanti'
  | 'rightanti';

/** `on key` has one side only; `$left.a == $right.b` has both. */
export interface JoinCondition {
  readonly left: Expr;
  readonly right?: Expr;
  readonly span: Span;
}

export type ParseSegment =
  | { readonly kind: 'text'; readonly text: string; readonly span: Span }
  | { readonly kind: 'skip'; readonly span: Span }
  | { readonly kind: 'capture'; readonly name: Name; readonly type: TypeName; readonly span: Span };

export type ReorderItem = {
  readonly pattern: NamePattern;
  readonly order?: 'asc' | 'desc' | 'granny-asc' | 'granny-desc';
};

/**
 * `name = value` after an operator or source (`threshold=`, `title=`, `format=` …). It keeps its
 * place for diagnostics.
 */
export interface Option {
  readonly name: Name;
  readonly value: Expr;
}

/** The declared output columns of an operator: `: (*, a: string)`. */
export interface OutputSchema {
  /** Whether the columns of the rows before it remain. */
  readonly keeps: boolean;
  readonly columns: readonly TypedName[];
}

interface OperatorNode<K extends string> {
  readonly kind: K;
  readonly span: Span;
}

/** `in (a, b*)` of `search`. */
export interface SearchedDatasets {
  readonly datasets: readonly NamePattern[];
  readonly span: Span;
}

export type Operator =
  | (OperatorNode<'where'> & { readonly predicate: Expr })
  | (OperatorNode<'extend'> & { readonly valid: boolean; readonly columns: readonly NamedExpr[] })
  | (OperatorNode<'project'> & { readonly columns: readonly NamedExpr[] })
  | (OperatorNode<'project-away'> & { readonly columns: readonly NamePattern[] })
  | (OperatorNode<'project-keep'> & { readonly columns: readonly NamePattern[] })
  | (OperatorNode<'project-rename'> & { readonly renames: readonly { readonly to: Name; readonly from: Name }[] })
  | (OperatorNode<'project-reorder'> & { readonly items: readonly ReorderItem[] })
  | (OperatorNode<'summarize'> & { readonly aggregates: readonly NamedExpr[]; readonly by: readonly NamedExpr[] })
  | (OperatorNode<'count'> & { readonly name?: Name })
  | (OperatorNode<'distinct'> & { readonly columns: readonly NamedExpr[] })
  | OperatorNode<'getschema'>
  | (OperatorNode<'take'> & { readonly count?: Expr })
  | (OperatorNode<'sample'> & { readonly fraction: Expr })
  /** Without columns, samples all of them. */
  | (OperatorNode<'sample-distinct'> & { readonly count: Expr; readonly columns?: readonly NamedExpr[] })
  | (OperatorNode<'sort'> & { readonly keys: readonly SortKey[] })
  | (OperatorNode<'top'> & { readonly count: Expr; readonly key: SortKey })
  | (OperatorNode<'top-hitters'> & { readonly count: Expr; readonly of: NamedExpr; readonly by?: Expr })
  | (OperatorNode<'top-nested'> & { readonly levels: readonly TopNestedLevel[] })
  | (OperatorNode<'parse'> & {
      readonly filter: boolean;
      readonly mode: 'simple' | 'regex' | 'relaxed';
      readonly flags?: string;
      readonly source: Expr;
      readonly pattern: readonly ParseSegment[];
    })
  | (OperatorNode<'parse-kv'> & {
      readonly source: Expr;
      readonly keys: readonly TypedName[];
      readonly options: readonly Option[];
    })
  | (OperatorNode<'mv-expand'> & {
      readonly bag: boolean;
      readonly kindGiven?: true;
      readonly itemIndex?: Name;
      readonly columns: readonly (NamedExpr & { readonly to?: TypeName })[];
      readonly limit?: Expr;
    })
  | (OperatorNode<'mv-apply'> & {
      readonly bag: boolean;
      readonly columns: readonly (NamedExpr & { readonly to?: TypeName })[];
      readonly itemIndex?: Name;
      readonly limit?: Expr;
      readonly body: readonly Operator[];
    })
  /** Runs operators over the rows of each value. */
  | (OperatorNode<'partition'> & { readonly by: Expr; readonly body: readonly Operator[] })
  /** Runs several lists of operators over the same rows. */
  | (OperatorNode<'fork'> & {
      readonly branches: readonly { readonly name?: Name; readonly body: readonly Operator[] }[];
    })
  | (OperatorNode<'facet'> & { readonly columns: readonly NamedExpr[]; readonly body?: readonly Operator[] })
  | (OperatorNode<'find'> & {
      readonly withSource?: Name;
      readonly within?: SearchedDatasets;
      readonly predicate: Expr;
      readonly columns?: readonly NamedExpr[];
    })
  | (OperatorNode<'make-series'> & {
      readonly aggregates: readonly SeriesExpr[];
      /** The default of every series without a default. */
      readonly default?: Expr;
      readonly on: Expr;
      readonly from?: Expr;
      readonly to?: Expr;
      readonly step: Expr;
      readonly by: readonly NamedExpr[];
    })
  | (OperatorNode<'join'> & {
      readonly join: JoinKind;
      readonly kindGiven?: true;
      readonly right: Tabular;
      readonly on: readonly JoinCondition[];
    })
  | (OperatorNode<'lookup'> & {
      readonly join: 'leftouter' | 'inner';
      readonly right: Tabular;
      readonly on: readonly JoinCondition[];
    })
  | (OperatorNode<'union'> & { readonly withSource?: Name; readonly inner?: true; readonly tables: readonly Tabular[] })
  | (OperatorNode<'scan'> & {
      /** The column for the number of the sequence a row belongs to. */
      readonly matchId?: Name;
      readonly declared: readonly { readonly name: Name; readonly type: TypeName; readonly default?: Expr }[];
      readonly steps: readonly ScanStep[];
    })
  | (OperatorNode<'search'> & {
      readonly caseSensitive: boolean;
      readonly within?: SearchedDatasets;
      readonly predicate: Expr;
    })
  | (OperatorNode<'redact'> & {
      readonly options: readonly Option[];
      readonly patterns: readonly Expr[];
      readonly on: readonly Name[];
    })
  | (OperatorNode<'as'> & { readonly name: Name })
  | (OperatorNode<'invoke'> & { readonly callee: Name; readonly args: readonly Argument[] })
  | (OperatorNode<'serialize'> & { readonly columns: readonly NamedExpr[] })
  | (OperatorNode<'reduce'> & { readonly by: Expr; readonly options: readonly Option[] })
  | (OperatorNode<'evaluate'> & {
      readonly plugin: Name;
      readonly args: readonly Argument[];
      readonly schema?: OutputSchema;
    })
  | (OperatorNode<'render'> & { readonly chart: Name; readonly options: readonly Option[] })
  | OperatorNode<'error'>;

/** `step name output=all: condition => column = value, …` */
export interface ScanStep {
  readonly name: Name;
  readonly output: 'all' | 'last' | 'none';
  readonly condition: Expr;
  readonly assigned: readonly NamedExpr[];
  readonly span: Span;
}

export interface TopNestedLevel {
  readonly count?: Expr;
  readonly of: NamedExpr;
  readonly withOthers?: Expr;
  readonly by: NamedExpr;
  readonly direction?: 'asc' | 'desc';
}

export type TableSource =
  /** A dataset, a `let` table, or a wildcard over datasets. */
  | { readonly kind: 'table'; readonly pattern: NamePattern; readonly quoted: boolean; readonly span: Span }
  /** `table("name")` */
  | { readonly kind: 'tableOf'; readonly name: Expr; readonly span: Span }
  /** A `let` function that returns a table: `recent("logs", 1h)` */
  | { readonly kind: 'call'; readonly callee: Name; readonly args: readonly Argument[]; readonly span: Span }
  | { readonly kind: 'print'; readonly columns: readonly NamedExpr[]; readonly span: Span }
  | {
      readonly kind: 'range';
      readonly name: Name;
      readonly from: Expr;
      readonly to: Expr;
      readonly step: Expr;
      readonly span: Span;
    }
  | {
      readonly kind: 'datatable';
      readonly columns: readonly TypedName[];
      readonly cells: readonly Expr[];
      readonly span: Span;
    }
  | {
      readonly kind: 'externaldata';
      readonly columns: readonly TypedName[];
      readonly urls: readonly Expr[];
      readonly options: readonly Option[];
      readonly span: Span;
    }
  /** `(pipeline)` */
  | { readonly kind: 'nested'; readonly query: Tabular; readonly span: Span }
  /** No source: `union a, b` and `search in (…) "x"` begin with their operator. */
  | { readonly kind: 'none'; readonly span: Span }
  | { readonly kind: 'error'; readonly span: Span };

export interface Tabular {
  readonly kind: 'pipeline';
  readonly source: TableSource;
  readonly operators: readonly Operator[];
  readonly span: Span;
}

export type Statement =
  | { readonly kind: 'let'; readonly name: Name; readonly value: Expr | Tabular; readonly span: Span }
  /** `let f = (x: long, y: string = "a") { let z = x; body };` */
  | {
      readonly kind: 'letFunction';
      readonly name: Name;
      readonly params: readonly (TypedName & { readonly default?: Expr; readonly tabular?: boolean })[];
      /** Definitions before the body. */
      readonly statements: readonly Statement[];
      readonly body: Expr | Tabular;
      readonly span: Span;
    }
  | { readonly kind: 'set'; readonly name: Name; readonly value?: Expr; readonly span: Span }
  | {
      readonly kind: 'declare';
      readonly params: readonly { readonly name: Name; readonly type: TypeName; readonly default?: Expr }[];
      readonly span: Span;
    };

/**
 * A whole text: statements, then at most one pipeline. A bare name in `let x = y` is an expression;
 * the binder resolves it.
 */
export interface Program {
  readonly statements: readonly Statement[];
  readonly query?: Tabular;
  readonly span: Span;
}

/**
 * ClickHouse SQL as data. Every node is plain and readonly; `printQuery` turns a query into text
 * without decisions. Operators are calls to the corresponding functions (`equals`, `plus`, `and`),
 * so there is no precedence.
 */

/** A value written into the text. `bigint` is an integer, `number` always a Float64. */
export type LiteralValue = string | bigint | number | boolean | null;

export interface Column {
  readonly kind: 'column';
  readonly name: string;
}

export interface Literal {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly Expr[];
  /** Parameters of a parametric aggregate: `quantile(0.95)(x)`. */
  readonly params?: readonly Expr[];
  readonly over?: Window;
  /**
   * Not printed. The value of the call in rows whose text in a column does not contain all of some
   * words.
   */
  readonly wants?: {
    readonly column: string;
    readonly words: readonly string[];
    readonly without: LiteralValue;
  };
  /**
   * Not printed. The call is a bound of a time range: it holds for all rows whose time is not
   * before `start`, or not after `end`, in nanoseconds since the epoch.
   */
  readonly bound?: { readonly start: bigint } | { readonly end: bigint };
}

export interface Lambda {
  readonly kind: 'lambda';
  readonly params: readonly string[];
  readonly body: Expr;
}

interface Star {
  readonly kind: 'star';
}

/** A query used as a value. */
interface ScalarSubquery {
  readonly kind: 'scalarSubquery';
  readonly query: Query;
}

/** `needle IN (query)`; a list of values is a call to `in` with a tuple. */
interface InSubquery {
  readonly kind: 'inSubquery';
  readonly needle: Expr;
  readonly query: Query;
}

/** An expression that has been printed already; only `printedParts` makes it. */
interface PrintedExpr {
  readonly kind: 'printed';
  readonly text: string;
}

export type Expr = Column | Literal | Call | Lambda | Star | ScalarSubquery | InSubquery | PrintedExpr;

export interface Window {
  readonly partitionBy?: readonly Expr[];
  readonly orderBy?: readonly OrderKey[];
  /**
   * ROWS frame, as offsets: negative is before the current row, 0 is that row, an absent bound is
   * unbounded.
   */
  readonly rows?: { readonly from?: number; readonly to?: number };
}

export interface OrderKey {
  readonly expr: Expr;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface SelectItem {
  readonly expr: Expr;
  readonly alias?: string;
}

export type JoinKind = 'inner' | 'left' | 'right' | 'full';
export type JoinStrictness = 'all' | 'semi' | 'anti';

/** Alternative sets of words: a row has all words of at least one set. */
export type WordSets = readonly (readonly string[])[];

export type Source =
  | {
      readonly kind: 'table';
      readonly database?: string;
      readonly name: string;
      readonly alias?: string;
      /**
       * Not printed. The conditions of the select hold for no row without the words of one of these
       * sets, so that an index of words may narrow it.
       */
      readonly words?: WordSets;
    }
  | { readonly kind: 'subquery'; readonly query: Query; readonly alias?: string }
  | { readonly kind: 'function'; readonly name: string; readonly args: readonly Expr[]; readonly alias?: string }
  | {
      readonly kind: 'join';
      readonly join: JoinKind;
      readonly strictness: JoinStrictness;
      readonly left: Source;
      readonly right: Source;
      readonly on: Expr;
    };

export interface Select {
  readonly kind: 'select';
  readonly columns: readonly SelectItem[];
  readonly from?: Source;
  /** A row for each of their elements: none for an empty array. */
  readonly arrayJoin?: readonly SelectItem[];
  /**
   * Conditions that are evaluated before the other columns are read; only over a table. Those of
   * `where` come after.
   */
  readonly prewhere?: Expr;
  readonly where?: Expr;
  readonly groupBy?: readonly Expr[];
  /** Instead of `groupBy`: the rows are grouped once by each of these lists. */
  readonly groupingSets?: readonly (readonly Expr[])[];
  readonly having?: Expr;
  readonly orderBy?: readonly OrderKey[];
  readonly limitBy?: { readonly limit: number; readonly by: readonly Expr[] };
  readonly limit?: number;
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface UnionAll {
  readonly kind: 'unionAll';
  readonly queries: readonly Query[];
}

export type Query = Select | UnionAll;

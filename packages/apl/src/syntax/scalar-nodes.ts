import type { Tabular } from './ast.js';

/**
 * The nodes of scalar expressions: half of the tree that `ast.ts` describes. Import them from
 * there.
 */

/** Half-open range of UTF-16 offsets in the query text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A name as written: `status`, `['geo.city']`, `["x"]`. `text` is unquoted and unescaped. */
export interface Name {
  readonly text: string;
  readonly quoted: boolean;
  /** The column alone, without the object of its members: one of all columns of a `*`. */
  readonly isColumn?: true;
  readonly span: Span;
}

/**
 * A name that may contain `*`: `data*`, `['geo.']*`, `*`. With `wildcard`, literal stars and
 * backslashes in `text` are escaped (`\*`, `\\`); without, `text` is the name.
 */
export interface NamePattern {
  readonly text: string;
  readonly wildcard: boolean;
  readonly span: Span;
}

/** The types a query can name. The parser replaces synonyms (`int`, `double`, `date`, …). */
export type TypeName = 'bool' | 'long' | 'real' | 'string' | 'datetime' | 'timespan' | 'dynamic';

/** Datetimes and timespans are nanoseconds; a null of any type has value null. */
export interface LiteralExpr {
  readonly kind: 'literal';
  readonly type: TypeName;
  readonly value: boolean | bigint | number | string | null;
  /**
   * A datetime without a date, such as `datetime(10:30)`: the value counts from the beginning of
   * the day on which the query runs.
   */
  readonly ofToday?: true;
  readonly span: Span;
}

interface NameExpr {
  readonly kind: 'name';
  readonly name: Name;
  readonly span: Span;
}

/** `object.member` */
export interface MemberExpr {
  readonly kind: 'member';
  readonly object: Expr;
  readonly member: Name;
  readonly span: Span;
}

/** `object[index]` */
export interface IndexExpr {
  readonly kind: 'index';
  readonly object: Expr;
  readonly index: Expr;
  readonly span: Span;
}

/** `object[*]` */
interface SpreadExpr {
  readonly kind: 'spread';
  readonly object: Expr;
  readonly span: Span;
}

/** A call; an argument may be named, as in `arg_max(best = v, who = a)`, or be `*`. */
export interface CallExpr {
  readonly kind: 'call';
  readonly callee: Name;
  readonly args: readonly Argument[];
  readonly span: Span;
}

export interface Argument {
  readonly name?: Name;
  readonly value: Expr;
}

interface UnaryExpr {
  readonly kind: 'unary';
  readonly op: '-' | '+' | 'not';
  readonly operand: Expr;
  readonly span: Span;
}

export type ArithmeticOp = '+' | '-' | '*' | '/' | '%';
export type ComparisonOp = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type LogicalOp = 'and' | 'or';
/** String operators without their negation and case marks, which are fields of the node. */
export type StringOp =
  | 'has'
  | 'contains'
  | 'startswith'
  | 'endswith'
  | 'hasprefix'
  | 'hassuffix'
  | 'matches regex'
  | 'equals';

export interface BinaryExpr {
  readonly kind: 'binary';
  readonly op: ArithmeticOp | ComparisonOp | LogicalOp;
  readonly opSpan: Span;
  readonly left: Expr;
  readonly right: Expr;
  readonly span: Span;
}

/**
 * `left op right` on strings. `=~` and `!~` are `equals` ignoring case. The colon in `search`
 * (`field:"x"`) is `term`, whose meaning the `search` operator decides. `left` may be `star`: any
 * field.
 */
export interface StringTestExpr {
  readonly kind: 'stringTest';
  readonly op: StringOp | 'term';
  readonly negated: boolean;
  readonly caseSensitive: boolean;
  readonly opSpan: Span;
  readonly left: Expr;
  readonly right: Expr;
  readonly span: Span;
}

/** `left in (…)`, `in~`, `has_any`, `has_all` and their negated forms. */
export interface MembershipExpr {
  readonly kind: 'membership';
  readonly op: 'in' | 'has_any' | 'has_all';
  readonly negated: boolean;
  readonly caseSensitive: boolean;
  readonly left: Expr;
  readonly list: readonly Expr[] | Tabular;
  readonly span: Span;
}

/** `operand between (low .. high)` */
interface BetweenExpr {
  readonly kind: 'between';
  readonly negated: boolean;
  readonly operand: Expr;
  readonly low: Expr;
  readonly high: Expr;
  readonly span: Span;
}

/** `[a, b]` inside `dynamic(…)`. */
export interface ArrayExpr {
  readonly kind: 'array';
  readonly items: readonly Expr[];
  readonly span: Span;
}

/** `{"k": v}` inside `dynamic(…)`. */
export interface BagExpr {
  readonly kind: 'bag';
  readonly entries: readonly { readonly key: string; readonly value: Expr }[];
  readonly span: Span;
}

/** `dynamic(value)` */
export interface DynamicExpr {
  readonly kind: 'dynamic';
  readonly value: Expr;
  readonly span: Span;
}

/** `typeof(string)` */
interface TypeofExpr {
  readonly kind: 'typeof';
  readonly type: TypeName;
  readonly span: Span;
}

/** `*` in place of a field or of the remaining arguments. */
interface StarExpr {
  readonly kind: 'star';
  readonly span: Span;
}

/** A pipeline in parentheses used as a value: `toscalar(T | count)`. */
interface TabularExpr {
  readonly kind: 'tabular';
  readonly query: Tabular;
  readonly span: Span;
}

export interface ErrorExpr {
  readonly kind: 'error';
  readonly span: Span;
}

export type Expr =
  | LiteralExpr
  | NameExpr
  | MemberExpr
  | IndexExpr
  | SpreadExpr
  | CallExpr
  | UnaryExpr
  | BinaryExpr
  | StringTestExpr
  | MembershipExpr
  | BetweenExpr
  | ArrayExpr
  | BagExpr
  | DynamicExpr
  | TypeofExpr
  | StarExpr
  | TabularExpr
  | ErrorExpr;

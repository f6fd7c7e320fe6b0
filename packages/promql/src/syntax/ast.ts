import type { Span } from '@millrace/apl/positions';
import type { AggregationName } from '../model/aggregations.js';
import type { FunctionName } from '../model/functions.js';
import type { BinaryOperator } from '../model/operators.js';

/** A checked expression. Times are in milliseconds. */

export type MatchOperator = '=' | '!=' | '=~' | '!~';

/** A condition on a label; `__name__` is the name of the metric. */
export interface Matcher {
  readonly label: string;
  readonly op: MatchOperator;
  readonly value: string;
}

/** The time of `@`. */
export type At = { readonly kind: 'time'; readonly time: number } | { readonly kind: 'start' | 'end' };

/** What moves the time of a selector or subquery. */
export interface TimeModifiers {
  readonly offset: number;
  readonly at?: At;
}

export interface Selector extends TimeModifiers {
  readonly kind: 'selector';
  readonly matchers: readonly Matcher[];
  /** Of a range vector. */
  readonly range?: number;
  readonly span: Span;
}

export interface Subquery extends TimeModifiers {
  readonly kind: 'subquery';
  readonly of: Expr;
  readonly range: number;
  /** The default interval if omitted. */
  readonly step?: number;
  readonly span: Span;
}

/** Which labels decide that two series belong together. */
export interface VectorMatching {
  readonly kind: 'on' | 'ignoring';
  readonly labels: readonly string[];
  /** The side with several series per match. */
  readonly many?: 'left' | 'right';
  /** Labels taken from the side with one series. */
  readonly include: readonly string[];
}

export interface Binary {
  readonly kind: 'binary';
  readonly op: BinaryOperator;
  /** A comparison gives 0 and 1 instead of leaving values out. */
  readonly bool: boolean;
  readonly matching: VectorMatching;
  readonly left: Expr;
  readonly right: Expr;
  readonly span: Span;
}

export interface Aggregation {
  readonly kind: 'aggregation';
  readonly op: AggregationName;
  readonly parameter?: Expr;
  readonly of: Expr;
  readonly grouping: { readonly kind: 'by' | 'without'; readonly labels: readonly string[] };
  readonly span: Span;
}

export interface Call {
  readonly kind: 'call';
  readonly fn: FunctionName;
  readonly args: readonly Expr[];
  readonly span: Span;
}

export type Expr =
  | { readonly kind: 'number'; readonly value: number; readonly span: Span }
  | { readonly kind: 'string'; readonly value: string; readonly span: Span }
  | { readonly kind: 'negation'; readonly of: Expr; readonly span: Span }
  | Selector
  | Subquery
  | Binary
  | Aggregation
  | Call;

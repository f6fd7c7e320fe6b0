import type { Span } from '@millrace/apl/positions';
import type { Template } from './template.js';

/** A query in LogQL. Times are in milliseconds. */

export type MatchOperator = '=' | '!=' | '=~' | '!~';
export type NumberOperator = '==' | '!=' | '>' | '>=' | '<' | '<=';

/** A condition on the text of a label. */
export interface Matcher {
  readonly kind: 'matcher';
  readonly label: string;
  readonly op: MatchOperator;
  readonly value: string;
  readonly span: Span;
}

export type Condition =
  | Matcher
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition; readonly span: Span }
  | {
      readonly kind: 'number';
      readonly unit: Unit;
      readonly label: string;
      readonly op: NumberOperator;
      readonly value: number;
      readonly span: Span;
    }
  | {
      readonly kind: 'ip';
      readonly label: string;
      readonly negated: boolean;
      readonly range: string;
      readonly span: Span;
    };

/** How the text of a label is read as a number: durations are seconds. */
export type Unit = 'number' | 'duration' | 'bytes';

/** `name="path"` of a parser. */
export interface Extraction {
  readonly label: string;
  readonly path: string;
  readonly span: Span;
}

/** A capture of a regular expression: the label, and its group. */
export interface Capture {
  readonly label: string;
  readonly group: number;
}

export type LineOperator = '|=' | '!=' | '|~' | '!~' | '|>' | '!>';

export type Parser =
  | { readonly kind: 'json' | 'logfmt'; readonly only?: readonly Extraction[]; readonly span: Span }
  | { readonly kind: 'unpack'; readonly span: Span }
  /** `regexp` and `pattern`. */
  | {
      readonly kind: 'captures';
      readonly regex: string;
      readonly captures: readonly Capture[];
      readonly span: Span;
    };

/** A name of `drop` or `keep`, perhaps only where its value matches. */
export interface NamedLabel {
  readonly label: string;
  readonly matcher?: Matcher;
}

/** What `label_format` sets a label to. */
export interface LabelFormat {
  readonly label: string;
  readonly to:
    | { readonly kind: 'rename'; readonly from: string }
    | { readonly kind: 'template'; readonly of: Template };
  readonly span: Span;
}

export type Stage =
  | Parser
  | { readonly kind: 'line'; readonly op: LineOperator; readonly texts: readonly string[]; readonly span: Span }
  | { readonly kind: 'filter'; readonly condition: Condition; readonly span: Span }
  | { readonly kind: 'decolorize'; readonly span: Span }
  | { readonly kind: 'line_format'; readonly template: Template; readonly span: Span }
  | { readonly kind: 'label_format'; readonly formats: readonly LabelFormat[]; readonly span: Span }
  | { readonly kind: 'drop' | 'keep'; readonly labels: readonly NamedLabel[]; readonly span: Span };

/** `{selector} | stages` */
export interface LogQuery {
  readonly selector: readonly Matcher[];
  readonly stages: readonly Stage[];
  readonly span: Span;
}

export interface Grouping {
  readonly kind: 'by' | 'without';
  readonly labels: readonly string[];
}

/** `unwrap conversion(label)`, and conditions after it. */
export interface Unwrap {
  readonly label: string;
  readonly unit: Unit;
  readonly conditions: readonly Condition[];
  readonly span: Span;
}

export const rangeOperations = [
  'count_over_time',
  'rate',
  'bytes_over_time',
  'bytes_rate',
  'sum_over_time',
  'avg_over_time',
  'min_over_time',
  'max_over_time',
  'stddev_over_time',
  'stdvar_over_time',
  'quantile_over_time',
  'first_over_time',
  'last_over_time',
  'absent_over_time',
] as const;
export type RangeOperation = (typeof rangeOperations)[number];

export interface RangeAggregation {
  readonly kind: 'range';
  readonly op: RangeOperation;
  /** The share of a quantile. */
  readonly parameter?: number;
  readonly log: LogQuery;
  readonly unwrap?: Unwrap;
  readonly range: number;
  readonly offset: number;
  readonly grouping?: Grouping;
  readonly span: Span;
}

export interface VectorAggregation {
  readonly kind: 'aggregation';
  readonly op: string;
  readonly parameter?: number;
  readonly of: Metric;
  readonly grouping?: Grouping;
  readonly span: Span;
}

/** Which labels decide that two series belong together. */
export interface VectorMatching {
  readonly kind: 'on' | 'ignoring';
  readonly labels: readonly string[];
  readonly many?: 'left' | 'right';
  readonly include: readonly string[];
}

export type Metric =
  | { readonly kind: 'number'; readonly value: number; readonly span: Span }
  | { readonly kind: 'vector'; readonly value: number; readonly span: Span }
  | RangeAggregation
  | VectorAggregation
  | {
      readonly kind: 'binary';
      readonly op: string;
      readonly bool: boolean;
      readonly matching: VectorMatching;
      readonly left: Metric;
      readonly right: Metric;
      readonly span: Span;
    }
  | {
      readonly kind: 'label_replace';
      readonly of: Metric;
      readonly texts: readonly string[];
      readonly span: Span;
    };

export type Query =
  | { readonly kind: 'log'; readonly log: LogQuery }
  | { readonly kind: 'metric'; readonly metric: Metric };

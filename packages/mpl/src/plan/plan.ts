import type {
  AlignFunction,
  BucketFunction,
  BucketWord,
  ComputeFunction,
  GroupFunction,
  MapFunction,
} from '../model/functions.js';
import type { Comparison, TagType } from '../syntax/ast.js';

/** A checked query: names are resolved and parameters replaced. Times are in milliseconds. */

/** The value of a tag. Integers and floats are different values that may compare as equal. */
export type TagValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'int' | 'float'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'array'; readonly value: readonly TagValue[] };

/**
 * A condition of PromQL: the tag as text, empty if the series does not have it. A regular
 * expression matches all of it. `__name__` is the name of the metric.
 */
export interface LabelFilter {
  readonly kind: 'label';
  readonly tag: string;
  readonly op: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** A condition on the tags of a series. */
export type TagFilter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly TagFilter[] }
  | { readonly kind: 'not'; readonly of: TagFilter }
  | { readonly kind: 'compare'; readonly tag: string; readonly op: Comparison; readonly value: TagValue }
  | { readonly kind: 'regex'; readonly tag: string; readonly pattern: string; readonly negated: boolean }
  | { readonly kind: 'is'; readonly tag: string; readonly type: TagType }
  | { readonly kind: 'in'; readonly tag: string; readonly values: readonly TagValue[] }
  | { readonly kind: 'contains'; readonly tag: string; readonly value: TagValue }
  | LabelFilter;

/** The end is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What a bucket step returns: a quantile, or a statistic. */
export type BucketSpec =
  | { readonly kind: 'quantile'; readonly quantile: number }
  | { readonly kind: 'word'; readonly word: BucketWord };

type TagPart = string | { readonly tag: string };

export type ExtendedTag = { readonly tag: string } & (
  | { readonly kind: 'constant'; readonly value: TagValue }
  | { readonly kind: 'text'; readonly parts: readonly TagPart[] }
);

export type Step =
  | { readonly kind: 'map'; readonly fn: MapFunction; readonly argument: number }
  /** Without a width: one window over the whole range. */
  | { readonly kind: 'align'; readonly width?: number; readonly fn: AlignFunction }
  /** Without tags: over all of them. */
  | { readonly kind: 'group'; readonly by: readonly string[]; readonly fn: GroupFunction }
  | {
      readonly kind: 'bucket';
      readonly by: readonly string[];
      readonly width?: number;
      readonly fn: BucketFunction;
      readonly perSecond: boolean;
      readonly specs: readonly BucketSpec[];
    }
  | { readonly kind: 'as'; readonly name: string }
  | { readonly kind: 'extend'; readonly tags: readonly ExtendedTag[] };

export type Node =
  | {
      readonly kind: 'fetch';
      readonly dataset: string;
      readonly metric: string;
      readonly name: string;
      readonly range: Range;
      /** Added to the range for reading; points move back by as much. */
      readonly offset: number;
      /** Fraction of the series. */
      readonly sample: number;
      readonly filter?: TagFilter;
      readonly steps: readonly Step[];
    }
  | {
      readonly kind: 'compute';
      readonly left: Node;
      readonly right: Node;
      readonly name: string;
      readonly fn: ComputeFunction;
      readonly steps: readonly Step[];
    };

export interface Plan {
  readonly dataset: string;
  readonly root: Node;
  /** Width of the windows where the query states none. */
  readonly interval: number;
  /** From the directive; `1` means without a unit. */
  readonly customUnit?: string;
}

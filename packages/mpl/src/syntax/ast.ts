import type { Span } from '@millrace/apl/positions';
import type { StringPart } from './tokens.js';

/** The syntax tree of a query. */

export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** A value as it is written. */
export type Value = { readonly span: Span } & (
  | { readonly kind: 'string'; readonly parts: readonly StringPart[] }
  | { readonly kind: 'int' | 'float'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'array'; readonly values: readonly Value[] }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'duration'; readonly milliseconds: number }
  | { readonly kind: 'param'; readonly name: string }
);

export const comparisons = ['==', '!=', '<=', '>=', '<', '>'] as const;
export type Comparison = (typeof comparisons)[number];

export const tagTypes = ['string', 'int', 'float', 'bool', 'array'] as const;
export type TagType = (typeof tagTypes)[number];

export type Filter = { readonly span: Span } & (
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'compare'; readonly tag: Name; readonly op: Comparison; readonly value: Value }
  | { readonly kind: 'is'; readonly tag: Name; readonly type: TagType }
  | { readonly kind: 'in' | 'contains'; readonly tag: Name; readonly value: Value }
);

/** A filter step; `ifdef` chooses one by whether an optional parameter has a value. */
export type FilterStep = { readonly span: Span } & (
  | { readonly kind: 'where'; readonly word: 'where' | 'filter'; readonly filter: Filter }
  | { readonly kind: 'ifdef'; readonly param: Name; readonly whenGiven: Filter; readonly otherwise?: Filter }
);

/** A point in time of a range: an instant, or a distance from the other end or from now. */
export type TimePoint = { readonly span: Span } & (
  | { readonly kind: 'instant'; readonly milliseconds: number }
  | { readonly kind: 'ago'; readonly milliseconds: number }
  | { readonly kind: 'relative'; readonly milliseconds: number }
);

export interface Source {
  readonly dataset: Name & { readonly isParam: boolean };
  readonly metric: Name;
  readonly range?: { readonly start: TimePoint; readonly end?: TimePoint; readonly span: Span };
  readonly alias?: Name;
  readonly span: Span;
}

/** The name of a function, with what follows it in parentheses. */
export interface FunctionCall {
  readonly name: string;
  readonly args: readonly Value[];
  /** Names among the arguments, such as `rate` and `count`. */
  readonly words: readonly Name[];
  readonly span: Span;
}

export type Pipe = { readonly span: Span } & (
  | { readonly kind: 'map'; readonly fn: FunctionCall }
  | { readonly kind: 'align'; readonly to?: Value; readonly fn: FunctionCall }
  | { readonly kind: 'group'; readonly by?: readonly Name[]; readonly fn: FunctionCall }
  | { readonly kind: 'bucket'; readonly by?: readonly Name[]; readonly to?: Value; readonly fn: FunctionCall }
  | { readonly kind: 'as'; readonly name: Name }
  | { readonly kind: 'extend'; readonly tags: readonly { readonly tag: Name; readonly value: Value }[] }
);

export type Query =
  | {
      readonly kind: 'simple';
      readonly source: Source;
      readonly offset?: { readonly milliseconds: number; readonly span: Span };
      readonly sample?: { readonly value: number; readonly span: Span };
      readonly filters: readonly FilterStep[];
      readonly pipes: readonly Pipe[];
      readonly span: Span;
    }
  | {
      readonly kind: 'compute';
      readonly left: Query;
      readonly right: Query;
      readonly name: Name;
      readonly fn: FunctionCall;
      readonly pipes: readonly Pipe[];
      readonly span: Span;
    };

export const parameterTypes = ['string', 'int', 'float', 'bool', 'array', 'Dataset', 'Duration', 'Regex'] as const;
export type ParameterType = (typeof parameterTypes)[number];

export interface Parameter {
  readonly name: Name;
  readonly type: ParameterType;
  readonly isOptional: boolean;
}

export interface Directive {
  readonly name: Name;
  readonly value?: Value | Name;
}

export interface File {
  readonly directives: readonly Directive[];
  readonly params: readonly Parameter[];
  readonly query: Query | undefined;
}

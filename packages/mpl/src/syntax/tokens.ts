import type { Span } from '@millrace/apl/positions';

/** A part of a string: text as it is, or a tag or parameter to insert. */
export type StringPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tag' | 'param'; readonly name: string };

interface Plain {
  readonly span: Span;
  /** As written. */
  readonly text: string;
}

export type Token = Plain &
  (
    | { readonly kind: 'name'; readonly name: string; readonly isQuoted: boolean }
    | { readonly kind: 'param'; readonly name: string }
    | { readonly kind: 'string'; readonly parts: readonly StringPart[] }
    | { readonly kind: 'int' | 'float'; readonly value: number }
    | { readonly kind: 'duration'; readonly milliseconds: number }
    | { readonly kind: 'time'; readonly milliseconds: number }
    | { readonly kind: 'regex'; readonly pattern: string }
    | { readonly kind: 'comment' }
    | { readonly kind: 'symbol' }
    | { readonly kind: 'end' }
  );

export type TokenKind = Token['kind'];

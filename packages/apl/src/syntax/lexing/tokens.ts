/**
 * | kind        | example                     | value                                            |
 * |-------------|-----------------------------|--------------------------------------------------|
 * | word        | `status`, `$left`, `in~`    |                                                  |
 * | negated     | `!contains`, `!in~`         |                                                  |
 * | long        | `42`, `0x1F`                | bigint                                           |
 * | real        | `1.5`, `1e3`                | number                                           |
 * | timespan    | `90s`                       | bigint, nanoseconds                              |
 * | string      | `"a"`, `@'\d'`, `h"x"`      | the string                                       |
 * | literalText | `2024-01-15T10:00:00Z`      | none; raw text in `datetime(…)`, `timespan(…)`   |
 * | punctuation | `|`, `==`, `..`             |                                                  |
 * | end         |                             | end of the text                                  |
 */
export type TokenKind =
  | 'word'
  | 'negated'
  | 'long'
  | 'real'
  | 'timespan'
  | 'string'
  | 'literalText'
  | 'punctuation'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether a line break lies between the previous token and this one. */
  readonly startsLine: boolean;
  readonly value?: string | bigint | number;
}

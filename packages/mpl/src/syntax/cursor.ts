import type { Span } from '@millrace/apl/positions';
import type { DiagnosticCode, DiagnosticSink } from '../model/diagnostics.js';
import type { Name } from './ast.js';
import type { Token, TokenKind } from './tokens.js';

/** A parser gives up on the step it is in; the next one is read again. */
export class SyntaxProblem extends Error {}

/** The position of the parser in the tokens of a text, without comments. */
export class Cursor {
  readonly #tokens: readonly Token[];
  readonly sink: DiagnosticSink;
  #at = 0;

  constructor(tokens: readonly Token[], sink: DiagnosticSink) {
    this.#tokens = tokens.filter(({ kind }) => kind !== 'comment');
    this.sink = sink;
  }

  get next(): Token {
    return this.#tokens[this.#at]!;
  }

  peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  /** The end of the token read last. */
  get end(): number {
    return this.#at === 0 ? 0 : this.#tokens[this.#at - 1]!.span.end;
  }

  get isOver(): boolean {
    return this.next.kind === 'end';
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  /** Whether the next token is this symbol or this unquoted word. */
  is(text: string): boolean {
    const { next } = this;
    return next.text === text && (next.kind === 'symbol' || next.kind === 'name');
  }

  has(text: string): boolean {
    if (!this.is(text)) return false;
    this.#at++;
    return true;
  }

  takeKind<K extends TokenKind>(kind: K): Extract<Token, { readonly kind: K }> | undefined {
    if (this.next.kind !== kind) return undefined;
    return this.take() as Extract<Token, { readonly kind: K }>;
  }

  /** @throws SyntaxProblem */
  expect(text: string, where: string): void {
    if (!this.has(text)) this.refuse(`expected '${text}' ${where}`);
  }

  /** @throws SyntaxProblem */
  name(what: string): Name {
    const token = this.takeKind('name');
    if (token === undefined) return this.refuse(`expected ${what}`);
    return { text: token.name, span: token.span };
  }

  spanFrom(start: number): Span {
    return { start, end: Math.max(start, this.end) };
  }

  /** Reports an error at the next token. @throws SyntaxProblem */
  refuse(problem: string, code?: DiagnosticCode): never {
    const { next } = this;
    const found = next.kind === 'end' ? 'the end of the query' : `'${next.text}'`;
    this.sink.error(next.span, `${problem}, found ${found}`, undefined, code);
    throw new SyntaxProblem();
  }

  /** Skips to the next step: the next pipe at this depth of brackets, or the end. */
  recover(): void {
    let depth = 0;
    while (!this.isOver) {
      if (depth === 0 && (this.is('|') || this.is(')') || this.is(','))) return;
      if (this.is('(') || this.is('[') || this.is('{')) depth++;
      else if (this.is(')') || this.is(']') || this.is('}')) depth = Math.max(0, depth - 1);
      this.take();
    }
  }
}

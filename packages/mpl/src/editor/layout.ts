import type { Token } from '../syntax/tokens.js';
import { isSpaced, isWritten } from './spacing.js';

/** Columns of the longest line; longer ones are broken where possible. */
const WIDTH = 100;
const INDENT = 2;

/** Lays out the tokens of a text without errors, comments included. */
export function layout(text: string, tokens: readonly Token[]): string {
  const writer = new Writer(tokens);
  let end = 0;
  for (const token of tokens) {
    const gap = text.slice(end, token.span.start);
    if (token.kind === 'comment') writer.comment(token.text.trimEnd(), gap);
    else if (token.kind !== 'end') writer.code(gap);
    end = token.span.end;
  }
  return writer.finish();
}

class Writer {
  /** Without comments. */
  readonly #tokens: readonly Token[];
  /** The next one to write. */
  #next = 0;
  readonly #lines: string[] = [];
  /** The line that is written, in parts between which it may be broken. */
  #parts: string[] = [];
  #indent = 0;
  /** Whether the line continues one that a comment ended. */
  #isContinued = false;
  /** Open brackets; each query of `compute` begins a line. */
  readonly #open: ('queries' | 'other')[] = [];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens.filter(({ kind }) => kind !== 'comment' && kind !== 'end');
  }

  comment(text: string, gap: string): void {
    const isTrailing = !gap.includes('\n');
    const isMidway = this.#parts.length > 0;
    this.#endLine();
    this.#isContinued = (this.#isContinued || isMidway) && !this.#nextBeginsLine();
    if (isTrailing && this.#lines.length > 0) this.#lines.push(`${this.#lines.pop()!} ${text}`);
    else {
      this.#begin(gap);
      this.#parts.push(text);
      this.#endLine();
    }
  }

  /** Writes the next token. */
  code(gap: string): void {
    const token = this.#tokens[this.#next]!;
    const before = this.#tokens[this.#next - 1];
    if (this.#nextBeginsLine()) {
      this.#endLine();
      this.#isContinued = false;
    }
    if (isWritten(token, ')', ']', '}') && this.#open.pop() === 'queries') this.#indent -= INDENT;
    const isFirst = this.#parts.length === 0;
    if (isFirst) this.#begin(gap);
    const written = `${!isFirst && isSpaced(this.#tokens, this.#next) ? ' ' : ''}${token.text}`;
    const mayBreak = isWritten(token, 'and', 'or') || isWritten(before, ',');
    if (isFirst || (mayBreak && this.#open.length === this.#depthOfQueries())) this.#parts.push(written);
    else this.#parts.push(`${this.#parts.pop()!}${written}`);
    this.#next++;
    if (isWritten(token, '(') && this.#beginsQuery(before)) {
      this.#open.push('queries');
      this.#endLine();
      this.#indent += INDENT;
    } else if (isWritten(token, '(', '[', '{')) this.#open.push('other');
    else if (isWritten(token, ';') || (isWritten(token, ',') && this.#isBetweenQueries())) {
      this.#endLine();
      this.#isContinued = false;
    }
  }

  finish(): string {
    this.#endLine();
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }

  #nextBeginsLine(): boolean {
    const next = this.#tokens[this.#next];
    return next === undefined || isWritten(next, '|') || (isWritten(next, ')') && this.#open.at(-1) === 'queries');
  }

  /** Whether a bracket after this token has queries in it. */
  #beginsQuery(before: Token | undefined): boolean {
    return (
      before === undefined || isWritten(before, ';') || (this.#open.at(-1) === 'queries' && isWritten(before, '(', ','))
    );
  }

  #depthOfQueries(): number {
    return this.#open.filter((kind) => kind === 'queries').length;
  }

  /** A comma of `group by a, b` is followed by a name that no metric follows. */
  #isBetweenQueries(): boolean {
    if (this.#open.at(-1) !== 'queries') return false;
    const [first, second] = this.#tokens.slice(this.#next);
    return isWritten(first, '(', ')') || isWritten(second, ':');
  }

  /** One blank line of the source is kept. */
  #begin(gap: string): void {
    if (this.#lines.length > 0 && /\n\s*\n/.test(gap)) this.#lines.push('');
  }

  #endLine(): void {
    if (this.#parts.length === 0) return;
    const indent = ' '.repeat(this.#indent + (this.#isContinued ? 2 * INDENT : 0));
    const whole = indent + this.#parts.join('');
    if (whole.length <= WIDTH) this.#lines.push(whole);
    else this.#lines.push(...this.#parts.map((part, i) => (i === 0 ? indent + part : `${indent}    ${part.trim()}`)));
    this.#parts = [];
  }
}

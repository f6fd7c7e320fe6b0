import type { DiagnosticCode } from './diagnostic-codes.js';
import type { Span } from '../syntax/ast.js';

export type Severity = 'error' | 'warning' | 'hint';

/** A finding about a query that a person can act on. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable, from the table in `diagnostic-codes.ts`. */
  readonly code: DiagnosticCode;
  /** The problem and how to fix it; never text from the engine. */
  readonly message: string;
  readonly span: Span;
  /** A replacement for the span that would fix it. */
  readonly fix?: { readonly title: string; readonly replacement: string };
}

/** Lines and columns of a text, both from 1; columns count UTF-16 units. */
export class Places {
  readonly #text: string;
  /** Start and number of the last requested line. */
  #start = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The line and column of an offset. Requests in ascending order are fast: earlier text is not
   * scanned again.
   */
  of(offset: number): Place {
    if (offset < this.#start) [this.#start, this.#line] = [0, 1];
    for (let at = this.#start; at < offset;) {
      const code = this.#text.charCodeAt(at);
      at++;
      if (code !== lineFeed && code !== carriageReturn) continue;
      if (code === carriageReturn && this.#text.charCodeAt(at) === lineFeed) at++;
      if (at > offset) break;
      this.#start = at;
      this.#line++;
    }
    return { line: this.#line, column: offset - this.#start + 1 };
  }
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The characters of `NEW_LINE`. */
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Line and column of an offset. */
export const lineAndColumn = (text: string, offset: number): Place => new Places(text).of(offset);

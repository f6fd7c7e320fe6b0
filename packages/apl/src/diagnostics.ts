import type { DiagnosticCode } from './diagnostic-codes.js';
import type { Span } from './syntax/ast.js';
import { NEW_LINE } from './syntax/lexing/line-breaks.js';

export type Severity = 'error' | 'warning' | 'hint';

/** A finding about a query that a person can act on. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable, from the table in `diagnostic-codes.ts`. */
  readonly code: DiagnosticCode;
  /** What is wrong and how to fix it; never text from the engine. */
  readonly message: string;
  readonly span: Span;
  /** A replacement for the span that would fix it. */
  readonly fix?: { readonly title: string; readonly replacement: string };
}

/** Line and column of an offset, both from 1; columns count UTF-16 units. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(new RegExp(NEW_LINE, 'g'))) {
    if (index + mark.length > offset) break;
    line++;
    start = index + mark.length;
  }
  return { line, column: offset - start + 1 };
}

import type { DiagnosticCode } from './diagnostic-codes.js';
import type { Span } from './syntax/ast.js';

export type Severity = 'error' | 'warning' | 'hint';

/** One finding about a query, for a person to act on. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable, from the table in `diagnostic-codes.ts`. */
  readonly code: DiagnosticCode;
  /** What is wrong and how to mend it; no engine text. */
  readonly message: string;
  readonly span: Span;
  /** A replacement for the span that would mend it. */
  readonly fix?: { readonly title: string; readonly replacement: string };
}

/** Line and column of an offset, both from 1; columns count UTF-16 units. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: offset - lastBreak };
}

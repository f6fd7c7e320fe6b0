import type { Diagnostic } from '../model/diagnostics.js';
import type { DiagnosticCode } from '../model/diagnostic-codes.js';
import type { Span } from './ast.js';
import { queryBounds } from '../model/query-limits.js';
import { findNearest } from './hints/suggestions.js';

export type Fix = NonNullable<Diagnostic['fix']>;

/**
 * Collects findings. One mistake is often detected at several levels, so only the first error at a
 * position is reported.
 */
export class DiagnosticSink {
  readonly #errors = new Map<number, Diagnostic>();
  readonly #warnings: Diagnostic[] = [];
  #sought = 0;

  /** Whether an error at this position would be reported. */
  accepts(span: Span): boolean {
    return this.#errors.size < queryBounds.diagnostics.max && !this.#errors.has(span.start);
  }

  error(span: Span, message: string, fix?: Fix, code: DiagnosticCode = 'syntax'): void {
    if (!this.accepts(span)) return;
    this.#errors.set(span.start, { severity: 'error', code, message, span, ...(fix && { fix }) });
  }

  warning(span: Span, message: string, fix?: Fix): void {
    if (this.#warnings.length >= queryBounds.diagnostics.max) return;
    this.#warnings.push({ severity: 'warning', code: 'note', message, span, ...(fix && { fix }) });
  }

  /**
   * Finds the intended candidate. After the maximum number of reported mistakes there are no more
   * suggestions: they take longer than parsing.
   */
  findNearest(written: string, candidates: Iterable<string>): string | undefined {
    return this.#sought++ < queryBounds.diagnostics.max ? findNearest(written, candidates) : undefined;
  }

  /**
   * All findings in the order of their positions; the lexer and the parser report them at different
   * times.
   */
  inOrder(): readonly Diagnostic[] {
    return [...this.#errors.values(), ...this.#warnings].toSorted((a, b) => a.span.start - b.span.start);
  }
}

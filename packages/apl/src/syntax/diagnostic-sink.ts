import type { Diagnostic } from '../diagnostics.js';
import type { DiagnosticCode } from '../diagnostic-codes.js';
import type { Span } from './ast.js';
import { queryBounds } from '../query-bounds.js';
import { nearest } from './hints/suggestions.js';

export type Fix = NonNullable<Diagnostic['fix']>;

/**
 * Collects findings. One mistake is often noticed at several levels, so only the first error at a
 * place is kept.
 */
export class DiagnosticSink {
  readonly #errors = new Map<number, Diagnostic>();
  readonly #warnings: Diagnostic[] = [];
  #sought = 0;

  /** Whether an error at this place would be kept. */
  accepts(span: Span): boolean {
    return this.#errors.size < queryBounds.diagnostics.most && !this.#errors.has(span.start);
  }

  error(span: Span, message: string, fix?: Fix, code: DiagnosticCode = 'syntax'): void {
    if (!this.accepts(span)) return;
    this.#errors.set(span.start, { severity: 'error', code, message, span, ...(fix && { fix }) });
  }

  warning(span: Span, message: string, fix?: Fix): void {
    if (this.#warnings.length >= queryBounds.diagnostics.most) return;
    this.#warnings.push({ severity: 'warning', code: 'note', message, span, ...(fix && { fix }) });
  }

  /**
   * The candidate that was meant. After as many mistakes as are reported, whoever wrote them gets
   * no more advice: it takes longer than reading on.
   */
  nearest(written: string, candidates: Iterable<string>): string | undefined {
    return this.#sought++ < queryBounds.diagnostics.most ? nearest(written, candidates) : undefined;
  }

  /**
   * All findings in the order of their places; the lexer and the parser make them at different
   * times.
   */
  inOrder(): readonly Diagnostic[] {
    return [...this.#errors.values(), ...this.#warnings].toSorted((a, b) => a.span.start - b.span.start);
  }
}

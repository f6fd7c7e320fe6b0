import type { Diagnostic } from './model/diagnostics.js';
import type { DiagnosticCode } from './model/diagnostic-codes.js';
import type { Span } from './syntax/ast.js';
import { queryBounds } from './model/query-limits.js';

/**
 * Collects findings while a query is compiled; equal findings at the same position are stored once.
 */
export class Report {
  readonly #diagnostics = new Map<string, Diagnostic>();
  #errors = 0;
  #elsewhere: { readonly span: Span; readonly prefix: string } | undefined;

  /**
   * Runs `body`, whose findings are about another text (a view, a virtual field); they are reported
   * at `span`, with a prefix.
   */
  elsewhere<T>(span: Span, prefix: string, body: () => T): T {
    const before = this.#elsewhere;
    this.#elsewhere = before ?? { span, prefix };
    try {
      return body();
    } finally {
      this.#elsewhere = before;
    }
  }

  /** Runs `body` and returns its findings separately; they count only if the caller adds them. */
  apart<T>(body: () => T): { readonly result: T; readonly found: readonly Diagnostic[] } {
    const before = new Map(this.#diagnostics);
    const errors = this.#errors;
    this.#diagnostics.clear();
    this.#errors = 0;
    try {
      const result = body();
      return { result, found: this.all };
    } finally {
      this.#diagnostics.clear();
      for (const [key, diagnostic] of before) this.#diagnostics.set(key, diagnostic);
      this.#errors = errors;
    }
  }

  add(original: Diagnostic): void {
    const diagnostic = this.#elsewhere === undefined ? original : relocate(original, this.#elsewhere);
    const { code, message, span } = diagnostic;
    const key = `${span.start} ${span.end} ${code} ${message}`;
    if (this.#diagnostics.has(key)) return;
    const isError = diagnostic.severity === 'error';
    if (isError ? this.#errors >= queryBounds.diagnostics.max : this.isFull) return;
    this.#diagnostics.set(key, diagnostic);
    if (isError) this.#errors++;
  }

  error(code: DiagnosticCode, span: Span, message: string, fix?: Diagnostic['fix']): void {
    this.add({ severity: 'error', code, span, message, ...(fix === undefined ? {} : { fix }) });
  }

  warning(code: DiagnosticCode, span: Span, message: string, fix?: Diagnostic['fix']): void {
    this.add({ severity: 'warning', code, span, message, ...(fix === undefined ? {} : { fix }) });
  }

  hint(code: DiagnosticCode, span: Span, message: string): void {
    this.add({ severity: 'hint', code, span, message });
  }

  /** Whether there is a finding with this code within the span. */
  has(code: DiagnosticCode, { start, end }: Span): boolean {
    return [...this.#diagnostics.values()].some((d) => d.code === code && d.span.start >= start && d.span.end <= end);
  }

  get failed(): boolean {
    return this.#errors > 0;
  }

  /**
   * Whether there are more findings than anybody reads; then looking for advice is not worth the
   * time, and only errors are still added.
   */
  get isFull(): boolean {
    return this.#errors >= queryBounds.diagnostics.max || this.#diagnostics.size >= PLENTY;
  }

  /** All findings, ordered by position. */
  get all(): readonly Diagnostic[] {
    return [...this.#diagnostics.values()].toSorted((a, b) => a.span.start - b.span.start);
  }
}

const PLENTY = 500;

function relocate(
  { severity, code, message }: Diagnostic,
  { span, prefix }: { readonly span: Span; readonly prefix: string },
): Diagnostic {
  return { severity, code, span, message: `${prefix}${message}` };
}

import type { Severity, Span } from '@millrace/apl/positions';

/** The kinds of findings; clients may rely on them. */
const diagnosticCodes = {
  syntax_error: 'The text cannot be read.',
  not_supported: 'Understood, but not possible here.',
  unknown_function: 'No function has this name at this place.',
  unknown_parameter: 'A parameter is used and not declared.',
  parameter: 'The value of a parameter is missing or does not fit its type.',
  type: 'A value has a type that does not fit.',
  time: 'The time range is missing or stated twice.',
  order: 'A step stands at a place where it cannot.',
  limit: 'More than the server allows.',
  note: 'Something worth knowing that changes nothing.',
} as const;

export type DiagnosticCode = keyof typeof diagnosticCodes;

/** A finding about a query that a person can act on. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly span: Span;
  /** A replacement for the span that would fix it. */
  readonly fix?: { readonly title: string; readonly replacement: string };
}

type Fix = NonNullable<Diagnostic['fix']>;

/** More findings do not help a person. */
const maxFindings = 20;

/** Collects findings; reports only the first error at a position. */
export class DiagnosticSink {
  readonly #errors = new Map<number, Diagnostic>();
  readonly #warnings: Diagnostic[] = [];

  get failed(): boolean {
    return this.#errors.size > 0;
  }

  error(span: Span, message: string, fix?: Fix, code: DiagnosticCode = 'syntax_error'): void {
    if (this.#errors.size >= maxFindings || this.#errors.has(span.start)) return;
    this.#errors.set(span.start, { severity: 'error', code, message, span, ...(fix && { fix }) });
  }

  warning(span: Span, message: string, fix?: Fix): void {
    if (this.#warnings.length >= maxFindings) return;
    this.#warnings.push({ severity: 'warning', code: 'note', message, span, ...(fix && { fix }) });
  }

  /** All findings in the order of their positions. */
  inOrder(): readonly Diagnostic[] {
    return [...this.#errors.values(), ...this.#warnings].toSorted((a, b) => a.span.start - b.span.start);
  }
}

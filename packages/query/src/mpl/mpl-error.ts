import { lineAndColumn } from '@millrace/apl';
import { type HttpError, httpError } from '@millrace/api/errors';
import type { Diagnostic } from '@millrace/mpl';

/** Error of a query that cannot be compiled: every diagnostic with its position, one in detail. */
export function mplError(text: string, diagnostics: readonly Diagnostic[]): HttpError {
  const errors = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => ({ ...diagnostic, ...lineAndColumn(text, diagnostic.span.start) }));
  const problem = errors.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`).join('; ');
  const [first] = errors;
  if (first === undefined) return httpError('invalid-query', { problem: 'the query cannot be compiled' });
  const { code, message, line, column, span } = first;
  const detail = { code: `mpl_lang::${code}`, message, line, column, start: span.start, end: span.end };
  return httpError('invalid-query', { problem }, { body: { error: problem, detail } });
}

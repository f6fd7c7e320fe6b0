import { type Diagnostic, lineAndColumn } from '@millrace/apl';
import { type HttpError, httpError } from '../errors.js';

/** What a client is told of a query that cannot be compiled: every error with its place, the first one in detail. */
export function queryError(apl: string, diagnostics: readonly Diagnostic[]): HttpError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const places = errors.map((error) => ({ ...error, ...lineAndColumn(apl, error.span.start) }));
  const problem = places.map(({ message, line, column }) => `line ${line}, column ${column}: ${message}`).join('; ');
  const first = places[0];
  return httpError(
    'invalid-query',
    { problem },
    first === undefined
      ? {}
      : {
          body: {
            detail: {
              message: first.message,
              errorType: 1,
              compileErrorCode: 1,
              line: first.line,
              column: first.column,
            },
          },
        },
  );
}

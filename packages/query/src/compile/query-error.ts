import { type Diagnostic, lineAndColumn, Places } from '@millrace/apl';
import { type HttpError, httpError } from '@millrace/api/errors';
import type { BodyOrigins } from './body-origins.js';

/**
 * Error of a query that cannot be compiled: every diagnostic with its position, the first one in
 * detail.
 */
export const queryError = (apl: string, diagnostics: readonly Diagnostic[]): HttpError =>
  errorOf(diagnostics, placeIn(new Places(apl)));

const placeIn =
  (places: Places) =>
  ({ span }: Diagnostic) => {
    const { line, column } = places.of(span.start);
    return { where: `line ${line}, column ${column}`, line, column };
  };

/**
 * Error of a structured query. A position is a property of the request and, if that contains APL, a
 * line and column in it.
 */
export const structureError = (origins: BodyOrigins, diagnostics: readonly Diagnostic[]): HttpError =>
  errorOf(diagnostics, ({ span }) => {
    const { name, text, offset } = origins.find(span.start);
    const { line, column } = lineAndColumn(text, Math.min(offset, text.length));
    return { where: `body '${name}'${text === '' ? '' : `, line ${line}, column ${column}`}`, line, column };
  });

/** The error for a member of a structured query that cannot be read. */
export const memberError = (member: string, what: string): HttpError =>
  httpError('invalid-request', { problem: `body '${member}' ${what}` });

function errorOf(
  diagnostics: readonly Diagnostic[],
  placeOf: (diagnostic: Diagnostic) => { readonly where: string; readonly line: number; readonly column: number },
): HttpError {
  const errors = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => ({ diagnostic, place: placeOf(diagnostic) }));
  const problem = errors.map(({ place, diagnostic }) => `${place.where}: ${diagnostic.message}`).join('; ');
  const [first] = errors;
  if (first === undefined) return httpError('invalid-query', { problem: 'the query cannot be compiled' });
  const { line, column } = first.place;
  const { message } = first.diagnostic;
  return httpError(
    first.diagnostic.code === 'unknown_dataset' ? 'query-dataset-not-found' : 'invalid-query',
    { problem },
    { body: { detail: { message, errorType: 1, compileErrorCode: 1, line, column } } },
  );
}

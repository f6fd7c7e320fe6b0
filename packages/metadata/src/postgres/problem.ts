import { MetadataError } from '../metadata-error.js';

/** Classes and codes of PostgreSQL errors that the statement did not cause. */
const meanings: readonly (readonly [RegExp, MetadataError['code']])[] = [
  [/^53100$/, 'disk-full'],
  // Another process writes: the lock timed out.
  [/^(55P03|40001|40P01)$/, 'locked'],
  // Connections, their number, shutdown, crash, a transaction that was idle for too long, a server
  // that has become a standby.
  [/^(08...|53300|53400|57P0.|57014|25P03|25006|28...|3D000)$/, 'away'],
  // The disk, memory, damage.
  [/^(58...|53...|XX...)$/, 'unavailable'],
];

/** Of a server that has become a standby, or was one. */
const readOnly = '25006';

/** Whether PostgreSQL itself has responded, so that the connection works and may be used again. */
export const isAnswer = (error: unknown): boolean => ![undefined, readOnly].includes(codeOf(error));

/** SQLSTATE of an error. Those of Node have longer codes, those of the client none. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) && 'severity' in (error as object) ? code : undefined;
}

/**
 * Maps an error of a statement to a MetadataError; returns the error itself when the statement
 * caused it.
 */
export function problemOf(error: unknown): unknown {
  if (error instanceof MetadataError) return error;
  const code = codeOf(error);
  // The client's own errors: connection refused, reset, timed out, ended.
  if (code === undefined) return new MetadataError('away', error);
  const meaning = meanings.find(([pattern]) => pattern.test(code));
  return meaning === undefined ? error : new MetadataError(meaning[1], error);
}

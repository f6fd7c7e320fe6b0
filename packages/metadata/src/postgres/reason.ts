/**
 * Why a connection failed. Node gives an error for all addresses of a host without a message, and
 * its errors may have a code alone.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) {
    const reasons = new Set(error.errors.map(reasonOf));
    if (reasons.size > 0) return [...reasons].join('; ');
  }
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code !== '') return code;
  return error.cause === undefined ? error.name : reasonOf(error.cause);
}

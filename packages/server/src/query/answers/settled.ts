import type { QueryOutcome } from '../run/execute.js';

/**
 * The header that says up to which position an answer is whole; a query with `asOf` of it is
 * answered the same later.
 */
export const settledHeader = ({ settled }: Pick<QueryOutcome, 'settled'>): Record<string, string> => ({
  'x-millrace-settled': String(settled),
});

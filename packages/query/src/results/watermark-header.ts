import type { QueryOutcome } from '../run/outcome.js';

/**
 * The header with the watermark of a response; a query with it as `asOf` returns the same result
 * later.
 */
export const watermarkHeader = ({ watermark }: Pick<QueryOutcome, 'watermark'>): Record<string, string> => ({
  'x-millrace-settled': String(watermark),
});

import { httpError } from '@millrace/api/errors';
import { ingestBounds } from './ingest-limits.js';

/**
 * Call it after each added dataset, because a body may name millions.
 * @param datasets found so far
 * @throws HttpError `too-many-datasets`
 */
export function requireFewDatasets({ size }: ReadonlySet<string>): void {
  const limit = ingestBounds.datasets.max;
  if (size > limit) throw httpError('too-many-datasets', { limit });
}

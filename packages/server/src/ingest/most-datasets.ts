import { httpError } from '../errors.js';
import { ingestBounds } from './ingest-bounds.js';

/**
 * Call it whenever one is added, as a body may name millions.
 * @param datasets those found so far
 * @throws HttpError `too-many-datasets`
 */
export function requireFewDatasets({ size }: ReadonlySet<string>): void {
  const limit = ingestBounds.datasets.most;
  if (size > limit) throw httpError('too-many-datasets', { limit });
}

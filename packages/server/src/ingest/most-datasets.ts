import { httpError } from '../errors.js';

/** Datasets that the events of one body may name: each is a pass over the whole body. */
const mostDatasets = 50;

/**
 * Call it whenever one is added, as a body may name millions.
 * @param datasets those found so far
 * @throws HttpError `too-many-datasets`
 */
export function requireFewDatasets({ size }: ReadonlySet<string>): void {
  if (size > mostDatasets) throw httpError('too-many-datasets', { limit: mostDatasets });
}

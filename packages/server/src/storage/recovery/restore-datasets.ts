import { highestPosition, presentTables } from '../tables/all-tables.js';
import { StoredDataset } from '../fields/dataset.js';
import type { StorageOptions } from '../storage-options.js';
import { createDatabase, createTable } from '../tables/table.js';

export interface RestoredDatasets {
  readonly datasets: Map<number, StoredDataset>;
  /** Of a dataset, the position up to which it is never replayed. */
  readonly checkpoints: ReadonlyMap<number, bigint>;
}

/**
 * What a start begins with: the datasets with the fields the metadata knows, a table for each, and a log that will not number
 * batches like rows that are there.
 */
export async function restoreDatasets(options: StorageOptions): Promise<RestoredDatasets> {
  const { engine, fieldStore, refused, log, limits } = options;
  await createDatabase(engine);
  const { fields, checkpoints } = await fieldStore.load();
  const there = await presentTables(engine);
  const datasets = new Map<number, StoredDataset>();
  for (const id of options.datasets) {
    const dataset = new StoredDataset(id, limits.columns);
    dataset.restore(fields.get(id) ?? []);
    datasets.set(id, dataset);
    if (!there.has(id)) await createTable(engine, id);
  }
  // A log that was lost or salvaged must not number batches like rows that are there: they would count as stored.
  if (datasets.size > 0) log.continueAfter(await highestPosition(engine, log.stats().lastPosition));
  // In a restored directory the log is new, and some may have been refused after the backup was cut.
  for (const { position } of refused.list()) log.continueAfter(position);
  return { datasets, checkpoints };
}

import { detectLogGap, type LogGap, numberOfLog } from '../truncation-checkpoint.js';
import { presentTables } from '../tables/all-tables.js';
import { highestReadablePosition } from './readable-rows.js';
import { StoredDataset } from '../fields/dataset.js';
import type { StorageOptions } from '../storage-options.js';
import type { Stores } from '../stores.js';
import { createDatabase, createTable } from '../tables/table-of-dataset.js';
import { columnLimitsOf } from '../tables/metrics-table.js';

/** Continuing would give new datasets the events of old ones. */
class ForgetfulMetadataError extends Error {
  override readonly name = 'ForgetfulMetadataError';

  constructor() {
    super(
      'the data directory has events of datasets that metadata.sqlite does not know: the file is missing, empty or older than the events. ' +
        'Put the right one back, or restore a backup into a new directory. No event was changed',
    );
  }
}

/**
 * Dataset IDs only rise, and are on disk before their use.
 * @throws ForgetfulMetadataError when the metadata never assigned this ID
 */
export function requireDataset({ highestId = Infinity }: Pick<StorageOptions, 'highestId'>, datasetId: number): void {
  if (datasetId > highestId) throw new ForgetfulMetadataError();
}

interface RestoredDatasets {
  readonly datasets: Map<number, StoredDataset>;
  /** For each dataset, the position up to which it is never replayed. */
  readonly checkpoints: ReadonlyMap<number, bigint>;
  /** The gap in the log, if it has one. */
  readonly gap: LogGap | undefined;
  /** Datasets with parts that could not be read. */
  readonly damaged: readonly number[];
}

const nothing = { position: 0n, unreadable: [] };

/**
 * Prepares a start: the datasets with the fields in the metadata, a table for each, and a log that
 * does not assign positions of existing rows to new batches.
 */
export async function restoreDatasets(options: StorageOptions & Stores): Promise<RestoredDatasets> {
  const { engine, fieldStore, quarantine, log, limits } = options;
  await createDatabase(engine);
  const there = await presentTables(engine);
  requireDataset(options, Math.max(0, ...there));
  if (options.highestId === 0 && log.stats().lastPosition > 0n) throw new ForgetfulMetadataError();
  const datasets = new Map<number, StoredDataset>();
  for (const id of options.datasets) {
    const dataset = new StoredDataset(id, columnLimitsOf(options.kindOf?.(id), limits.columns));
    datasets.set(id, dataset);
    if (!there.has(id)) await createTable(engine, id, { kind: options.kindOf?.(id) });
  }
  await fieldStore.restore(datasets);
  const checkpoints = await fieldStore.checkpoints();
  const gap = detectLogGap(log.stats(), checkpoints.get(numberOfLog));
  if (gap !== undefined) options.logger.error(gap.reason);
  // In a restored directory the log is new, and positions continue after those of the rows, even if
  // no rows are left.
  for (const position of checkpoints.values()) log.continueAfter(position);
  // A log that was lost or salvaged must not assign positions of existing rows to new batches: the
  // batches would count as stored.
  const { position, unreadable } =
    datasets.size > 0 ? await highestReadablePosition(engine, log.stats().lastPosition) : nothing;
  log.continueAfter(position);
  // Batches may have been quarantined at positions after a backup's snapshot.
  for (const { position } of quarantine.list()) log.continueAfter(position);
  return { datasets, checkpoints, gap, damaged: unreadable.map(({ datasetId }) => datasetId) };
}

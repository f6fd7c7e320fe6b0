import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import type { DamagedPart } from './tables/check-files.js';
import type { MissingEvents } from './inventory/inventory-store.js';
import { detachedParts } from './tables/partition-counts.js';
import { presentTables, rowsPerBatchOfAll } from './tables/all-tables.js';
import { isDamage } from './damaged-files.js';
import { batchesIn } from './batches-in-log.js';

/** Result of a verification. */
export interface VerifyReport {
  /** Batches in the log and their events. */
  readonly batches: number;
  readonly events: number;
  /**
   * Batches that cannot be compared: their rows may have been deleted since, or their dataset was.
   */
  readonly skipped: number;
  /** Batches that are not stored exactly once. */
  readonly wrong: readonly {
    readonly position: string;
    readonly datasetId: number;
    readonly events: number;
    readonly rows: number;
  }[];
  /** Positions of quarantined batches, which were not compared. */
  readonly refused: readonly string[];
  /** Events that were stored and are lost: they were not deleted. */
  readonly missing: readonly MissingEvents[];
  /** Parts that the engine could not use and has detached. */
  readonly aside: readonly string[];
  /** Parts whose files are damaged; queries that read them fail. */
  readonly damaged: readonly DamagedPart[];
}

interface VerifyDependencies {
  readonly exists: (datasetId: number) => boolean;
  /** For each dataset, the position up to which rows may have been deleted. */
  readonly checkpoints: () => Promise<ReadonlyMap<number, bigint>>;
  /**
   * The batches that the engine rejects now. A stored batch is never rejected, but a rejected one
   * may be stored during the check.
   */
  readonly quarantinedPositions: () => readonly bigint[];
  readonly missing: () => Promise<readonly MissingEvents[]>;
  /** @param all whether files of any dataset may be damaged, not only of those known to be */
  readonly damaged: (all: boolean) => Promise<readonly DamagedPart[]>;
  /** Batches at later positions are left out. */
  readonly upTo: bigint;
}

/**
 * Compares the log with the engine's row counts, during ingest and deletions. Call it after a
 * flush.
 */
export async function verify(
  log: Log,
  engine: Engine,
  { exists, checkpoints, quarantinedPositions, missing, damaged, upTo }: VerifyDependencies,
): Promise<VerifyReport> {
  let present: BatchRows | 'damaged' | undefined;
  const wrong: VerifyReport['wrong'][number][] = [];
  const before = await checkpoints();
  const refusedBefore = new Set(quarantinedPositions());
  let batches = 0;
  let events = 0;
  let skipped = 0;
  for await (const { position, datasetId, block } of batchesIn(log)) {
    if (position > upTo) break;
    batches++;
    events += block.rows;
    if (refusedBefore.has(position)) continue;
    if (!exists(datasetId) || position <= (before.get(datasetId) ?? 0n)) {
      skipped++;
      continue;
    }
    // Positions rise, so the first one bounds the query for all datasets.
    present ??= await readableRows(engine, position);
    if (present === 'damaged') {
      skipped++;
      continue;
    }
    const found = present.get(datasetId)?.get(position) ?? 0;
    if (found !== block.rows) wrong.push({ position: String(position), datasetId, events: block.rows, rows: found });
  }
  // A deletion records how far it may reach before it begins, so the checkpoints now cover
  // everything deleted in the meantime.
  const after = await checkpoints();
  const left = wrong.filter(
    ({ datasetId, position }) => exists(datasetId) && BigInt(position) > (after.get(datasetId) ?? 0n),
  );
  return {
    batches,
    events,
    skipped: skipped + wrong.length - left.length,
    wrong: left,
    refused: quarantinedPositions().map(String),
    missing: await missing(),
    aside: await detachedParts(engine),
    damaged: await damaged(present === 'damaged'),
  };
}

/** Damaged files are reported as such; then no batch can be compared. */
async function readableRows(engine: Engine, from: bigint): Promise<BatchRows | 'damaged'> {
  try {
    return await rowsOfAll(engine, from);
  } catch (error) {
    if (isDamage(error)) return 'damaged';
    throw error;
  }
}

type BatchRows = Awaited<ReturnType<typeof rowsPerBatchOfAll>>;

/**
 * Datasets are created and deleted during the count, and a deletion may remove a table during the
 * query, which is then repeated.
 */
export async function rowsOfAll(engine: Engine, from: bigint): Promise<BatchRows> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rowsPerBatchOfAll(engine, from);
    } catch (error) {
      if ((await presentTables(engine)).size === 0) return new Map();
      if (attempt === attempts) throw error;
    }
  }
}

const attempts = 3;

import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import type { Missing } from './inventory/inventory-store.js';
import { partsAside } from './tables/partition-counts.js';
import { presentTables, rowsPerBatchOfAll } from './tables/all-tables.js';
import { batchesIn } from './batches-in-log.js';

/** What a recount found. */
export interface VerifyReport {
  /** Batches in the log and their events. */
  readonly batches: number;
  readonly events: number;
  /**
   * Batches with nothing to compare: their rows may have been deleted on purpose since, or their
   * dataset is gone.
   */
  readonly skipped: number;
  /** Batches the engine does not have exactly once. */
  readonly wrong: readonly {
    readonly position: string;
    readonly datasetId: number;
    readonly events: number;
    readonly rows: number;
  }[];
  /** Positions of batches that the engine refuses: they are kept, and have not been compared. */
  readonly refused: readonly string[];
  /** Events that were stored and are not there any more, though nobody deleted them. */
  readonly missing: readonly Missing[];
  /** Parts that the engine could not use and has put aside. */
  readonly aside: readonly string[];
}

interface VerifyDependencies {
  readonly exists: (datasetId: number) => boolean;
  /** For each dataset, the position up to which rows may have been deleted on purpose. */
  readonly checkpoints: () => Promise<ReadonlyMap<number, bigint>>;
  /**
   * The batches that the engine refuses at the moment. Nothing is refused that was stored, but a
   * refused one may be stored meanwhile.
   */
  readonly refused: () => readonly bigint[];
  readonly missing: () => Promise<readonly Missing[]>;
  /** Batches at later positions are left out. */
  readonly upTo: bigint;
}

/** Recounts the log against the engine, while events come and go. Call it after a flush. */
export async function verify(
  log: Log,
  engine: Engine,
  { exists, checkpoints, refused, missing, upTo }: VerifyDependencies,
): Promise<VerifyReport> {
  let present: BatchRows | undefined;
  const wrong: VerifyReport['wrong'][number][] = [];
  const before = await checkpoints();
  const refusedBefore = new Set(refused());
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
    // Positions rise, so the first one bounds the question for all datasets.
    present ??= await rowsOfAll(engine, position);
    const found = present.get(datasetId)?.get(position) ?? 0;
    if (found !== block.rows) wrong.push({ position: String(position), datasetId, events: block.rows, rows: found });
  }
  // A deletion records how far it may reach before it begins, so the checkpoints now cover
  // everything deleted meanwhile.
  const after = await checkpoints();
  const left = wrong.filter(
    ({ datasetId, position }) => exists(datasetId) && BigInt(position) > (after.get(datasetId) ?? 0n),
  );
  return {
    batches,
    events,
    skipped: skipped + wrong.length - left.length,
    wrong: left,
    refused: refused().map(String),
    missing: await missing(),
    aside: await partsAside(engine),
  };
}

type BatchRows = Awaited<ReturnType<typeof rowsPerBatchOfAll>>;

/**
 * Datasets come and go during the count, and one that is deleted may take its table away under the
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

import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import { readFrame } from './frame.js';
import { rowsPerBatch } from './tables/table.js';

/** What a recount found. */
export interface VerifyReport {
  /** Batches in the log and their events. */
  readonly batches: number;
  readonly events: number;
  /** Batches whose rows were deleted on purpose since, or whose dataset is gone: nothing to compare. */
  readonly skipped: number;
  /** Batches the engine does not have exactly once. */
  readonly wrong: readonly {
    readonly position: string;
    readonly datasetId: number;
    readonly events: number;
    readonly rows: number;
  }[];
}

export interface VerifyDependencies {
  readonly exists: (datasetId: number) => boolean;
  /** Of each dataset, the position up to which rows may have been deleted on purpose. */
  readonly checkpoints: () => Promise<ReadonlyMap<number, bigint>>;
  /** What came later is left out. */
  readonly upTo: bigint;
}

/** Recounts the log against the engine, while events come and go. Call it after a flush. */
export async function verify(
  log: Log,
  engine: Engine,
  { exists, checkpoints, upTo }: VerifyDependencies,
): Promise<VerifyReport> {
  const present = new Map<number, ReadonlyMap<bigint, number>>();
  const wrong: VerifyReport['wrong'][number][] = [];
  const before = await checkpoints();
  let batches = 0;
  let events = 0;
  let skipped = 0;
  for await (const { position, payload } of log.read()) {
    if (position > upTo) break;
    const { datasetId, block } = readFrame(payload);
    batches++;
    events += block.rows;
    if (!exists(datasetId) || position <= (before.get(datasetId) ?? 0n)) {
      skipped++;
      continue;
    }
    const rows = present.get(datasetId) ?? (await rowsOf(engine, datasetId, position, exists));
    present.set(datasetId, rows);
    const found = rows.get(position) ?? 0;
    if (found !== block.rows) wrong.push({ position: String(position), datasetId, events: block.rows, rows: found });
  }
  // A deletion says how far it may reach before it begins: what went meanwhile on purpose is known now.
  const after = await checkpoints();
  const left = wrong.filter(
    ({ datasetId, position }) => exists(datasetId) && BigInt(position) > (after.get(datasetId) ?? 0n),
  );
  return {
    batches,
    events,
    skipped: skipped + wrong.length - left.length,
    wrong: left,
  };
}

async function rowsOf(
  engine: Engine,
  datasetId: number,
  from: bigint,
  exists: VerifyDependencies['exists'],
): Promise<ReadonlyMap<bigint, number>> {
  try {
    return await rowsPerBatch(engine, datasetId, from);
  } catch (error) {
    if (exists(datasetId)) throw error;
    return new Map();
  }
}

import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import { readFrame } from './frame.js';
import { rowsPerBatch } from './table.js';

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

/** Recounts the log against the engine. Call it after a flush; what is acknowledged meanwhile is left out by `upTo`. */
export async function verify(
  log: Log,
  engine: Engine,
  {
    exists,
    checkpoint,
    upTo,
  }: {
    readonly exists: (datasetId: number) => boolean;
    readonly checkpoint: (datasetId: number) => bigint;
    readonly upTo: bigint;
  },
): Promise<VerifyReport> {
  const present = new Map<number, ReadonlyMap<bigint, number>>();
  const wrong: VerifyReport['wrong'][number][] = [];
  let batches = 0;
  let events = 0;
  let skipped = 0;
  for await (const { position, payload } of log.read()) {
    if (position > upTo) break;
    const { datasetId, block } = readFrame(payload);
    batches++;
    events += block.rows;
    if (!exists(datasetId) || position <= checkpoint(datasetId)) {
      skipped++;
      continue;
    }
    const rows = present.get(datasetId) ?? (await rowsPerBatch(engine, datasetId, position));
    present.set(datasetId, rows);
    const found = rows.get(position) ?? 0;
    if (found !== block.rows) wrong.push({ position: String(position), datasetId, events: block.rows, rows: found });
  }
  return { batches, events, skipped, wrong };
}

import { type Engine, EngineError } from '@millrace/engine';
import type { Log } from '@millrace/log';
import { memoryOf, readFrame } from '../frame.js';
import type { InsertIntent, InsertIntents } from '../insert/intents.js';
import type { Batch } from '../insert/queue.js';
import { certainRows } from '../tables/rows-of-batches.js';

/**
 * Batches of the inserts that were in flight when the last server ended, unless the engine has all
 * of the insert.
 */
export class PinnedBatches {
  readonly #batches: Map<number, readonly Batch[]>;
  readonly #positions: ReadonlySet<bigint>;

  private constructor(batches: Map<number, readonly Batch[]>) {
    this.#batches = batches;
    this.#positions = new Set([...batches.values()].flat().map(({ position }) => position));
  }

  /** Reads them from the log, and releases the inserts that are stored. */
  static async find(
    log: Log,
    engine: Engine,
    pins: InsertIntents | undefined,
    datasets: ReadonlyMap<number, unknown>,
    checkpoints: ReadonlyMap<number, bigint>,
  ): Promise<PinnedBatches> {
    const found = new Map<number, readonly Batch[]>();
    for (const [datasetId, pin] of pins?.all ?? []) {
      if (!datasets.has(datasetId)) continue;
      const batches = await batchesOf(log, pin);
      // Deletions and log truncation come only after a batch is in the engine.
      const wasIn = batches === undefined || pin.positions.some((at) => at <= (checkpoints.get(datasetId) ?? 0n));
      if (wasIn || (await areIn(engine, datasetId, batches))) pins?.release(datasetId);
      else found.set(datasetId, batches);
    }
    return new PinnedBatches(found);
  }

  has(position: bigint): boolean {
    return this.#positions.has(position);
  }

  /** The batches of the insert into a dataset; empty after the first call. */
  take(datasetId: number): readonly Batch[] {
    const batches = this.#batches.get(datasetId) ?? [];
    this.#batches.delete(datasetId);
    return batches;
  }
}

/** Undefined if the log no longer has all of them. */
async function batchesOf(log: Log, { positions }: InsertIntent): Promise<readonly Batch[] | undefined> {
  const batches: Batch[] = [];
  for (const position of positions) {
    const frame = await log.readAt(position);
    if (frame === undefined) return undefined;
    const { datasetId: _, ...read } = readFrame(frame.payload);
    batches.push({ ...read, position, bytes: memoryOf(read.block, frame.payload.byteLength) });
  }
  return batches;
}

/**
 * Whether all rows of an insert are certain to stay. If that is unknown, the answer is no: sent
 * again under its token, the insert is stored once.
 */
async function areIn(engine: Engine, datasetId: number, batches: readonly Batch[]): Promise<boolean> {
  const [first, last] = [batches[0]!.position, batches.at(-1)!.position];
  try {
    const present = await certainRows(engine, datasetId, first, last);
    return batches.every(({ position, block }) => present.get(position) === block.rows);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unavailable') return false;
    throw error;
  }
}

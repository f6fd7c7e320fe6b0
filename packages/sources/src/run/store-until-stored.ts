import { setTimeout as pause } from 'node:timers/promises';
import { type Batch, RejectedBatch, type Sink, type StoredBatch } from './batch.js';
import type { Progress } from './progress.js';

/** Pauses between two attempts, milliseconds. */
const firstPause = 500;
const longestPause = 30_000;

interface StoreOptions {
  readonly sink: Sink;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Called after each failed attempt. */
  readonly failed: (error: unknown, batch: Batch) => void;
}

/**
 * Stores a batch, with retries until the outcome is known. While it cannot be stored, the source
 * reads no further and shows why.
 * @throws RejectedBatch, and the reason of the signal when it aborts
 */
export async function storeUntilStored(
  batch: Batch,
  { sink, signal, progress, failed }: StoreOptions,
): Promise<StoredBatch> {
  // The body may be transferred to a thread.
  const bytes = batch.body.byteLength;
  for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
    signal.throwIfAborted();
    try {
      const stored = await sink({ ...batch, body: new Uint8Array(batch.body) }, signal);
      progress.markWorking();
      progress.recordStored({ position: batch.position, bytes }, stored);
      return stored;
    } catch (error) {
      if (error instanceof RejectedBatch) throw error;
      signal.throwIfAborted();
      progress.markFailing(`cannot store events: ${error instanceof Error ? error.message : String(error)}`);
      failed(error, batch);
    }
    await pause(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

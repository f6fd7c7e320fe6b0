import type { Backlog } from './backlog.js';
import type { Batch } from './queue.js';
import { newestTime } from './time-range.js';

/** The oldest pending batches of a dataset, up to the first with an event at or after a time. */
export function oldestBatchesBefore(backlog: Backlog, datasetId: number, time: bigint): readonly Batch[] {
  const queued = new Map(backlog.queue(datasetId)?.batches.map((batch) => [batch.position, batch]));
  const old: Batch[] = [];
  for (const position of backlog.waitingOf(datasetId)) {
    // A batch that the log is syncing is not queued yet.
    const batch = queued.get(position);
    if (batch === undefined || newestTime(batch.block) >= time) break;
    old.push(batch);
  }
  return old;
}

import type { Block } from '@millrace/events';
import type { StoredDataset } from '../fields/dataset.js';
import type { Idempotency } from '../frame.js';
import { FailedBatches } from './failed-batches.js';

/** The events of one request, durable in the log and not yet in the engine. */
export interface Batch {
  /** Position in the log; `_seq` of its rows. */
  readonly position: bigint;
  /** Nanoseconds since the epoch; `_sysTime` of its rows. */
  readonly arrival: bigint;
  readonly block: Block;
  /** Bytes in memory. */
  readonly bytes: number;
  readonly idempotency?: Idempotency;
  /** The quota key whose share of the memory for pending batches it uses. */
  readonly party?: string;
  /**
   * Nanoseconds since the epoch: events before this time are not inserted. Such a batch is inserted
   * alone.
   */
  readonly notBefore?: bigint;
}

/** A batch in the queue. */
interface QueuedBatch extends Batch {
  /** When it was queued, on the monotonic clock. */
  readonly since: number;
}

interface Waiter {
  readonly upTo: bigint;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The pending batches of a dataset. */
export interface Queue {
  readonly dataset: StoredDataset;
  /** Oldest first. */
  batches: QueuedBatch[];
  bytes: number;
  running: boolean;
  /** Inserts, and tasks that must not overlap one, run one at a time; never rejects. */
  turn: Promise<void>;
  /** Pending and running tasks: until they are over, no further insert begins. */
  tasks: number;
  /** State of the batches that were in a failed insert. */
  readonly failed: FailedBatches;
  /** When inserts may be tried again after a failure, on the monotonic clock. */
  retryAt: number;
  /** Why the last attempt failed. */
  failure: string | undefined;
  waiters: Waiter[];
}

export function newQueue(dataset: StoredDataset): Queue {
  return {
    dataset,
    batches: [],
    bytes: 0,
    running: false,
    turn: Promise.resolve(),
    tasks: 0,
    failed: new FailedBatches(),
    retryAt: 0,
    failure: undefined,
    waiters: [],
  };
}

/** Whether some events of a batch are excluded. */
const isPartial = ({ notBefore }: Batch): boolean => notBefore !== undefined;

/**
 * The batches of the next insert: as many as fit, suspects apart from the others, or a single one
 * to be completed. A doubtful batch comes alone: first if another failure would prove it guilty,
 * else last, and all such batches in turn.
 */
export function nextGroup(queue: Queue, insertBytes: number): readonly Batch[] {
  const decided = queue.batches.find((batch) => queue.failed.isOutlived(batch));
  if (decided !== undefined) return [decided];
  const others = queue.batches.filter((batch) => queue.failed.stateOf(batch) !== 'doubtful');
  if (others.length > 0) return fittingBatches(queue, others, insertBytes);
  return queue.batches.filter(({ position }) => position === queue.failed.longestDoubtful);
}

function fittingBatches(queue: Queue, batches: readonly Batch[], insertBytes: number): readonly Batch[] {
  const [first] = batches;
  if (first === undefined) return [];
  const { failed } = queue;
  const state = failed.stateOf(first);
  const max = isPartial(first) ? 1 : state === 'suspect' ? failed.batchCount : Infinity;
  let bytes = 0;
  let count = 0;
  for (const batch of batches) {
    const other = isPartial(batch) || failed.stateOf(batch) !== state;
    if (count > 0 && (other || count >= max || bytes + batch.bytes > insertBytes)) break;
    bytes += batch.bytes;
    count++;
  }
  return batches.slice(0, count);
}

/** Resolves the waiters whose batches have all left the queue. */
export function completeBatches(queue: Queue): void {
  const first = queue.batches[0]?.position;
  const ready = queue.waiters.filter((waiter) => first === undefined || waiter.upTo < first);
  queue.waiters = queue.waiters.filter((waiter) => !ready.includes(waiter));
  for (const waiter of ready) waiter.resolve();
}

/** Rejects all waiters. */
export function failBatches(queue: Queue, error: unknown): void {
  const { waiters } = queue;
  queue.waiters = [];
  for (const waiter of waiters) waiter.reject(error);
}

import type { Block } from '@millrace/events';
import type { StoredDataset } from '../fields/dataset.js';
import type { Idempotency } from '../frame.js';

/** The events of one request, durable in the log and not yet in the engine. */
export interface Batch {
  /** Position in the log; `_seq` of its rows. */
  readonly position: bigint;
  /** Nanoseconds since the epoch; `_sysTime` of its rows. */
  readonly arrival: bigint;
  readonly block: Block;
  /** What it takes in memory. */
  readonly bytes: number;
  readonly idempotency?: Idempotency;
  /** Nanoseconds since the epoch: events before this time are not inserted. Such a batch is inserted alone. */
  readonly notBefore?: bigint;
}

/** A batch in the queue. */
interface QueuedBatch extends Batch {
  /** When it began to wait, on the monotonic clock. */
  readonly since: number;
}

interface Waiter {
  readonly upTo: bigint;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What waits for one dataset. */
export interface Queue {
  readonly dataset: StoredDataset;
  /** The oldest first. */
  batches: QueuedBatch[];
  bytes: number;
  running: boolean;
  /** Inserts, and tasks that must not overlap one, run one at a time; never rejects. */
  turn: Promise<void>;
  /** How many such tasks wait or run: until they are over, no further insert begins. */
  tasks: number;
  /** Positions of batches of which the engine may have rows already, because an insert failed or a crash came in between. */
  readonly unsure: Set<bigint>;
  /** Positions of batches that were in a refused insert. Fewer and fewer of them are tried together; one that is refused alone is put aside. */
  readonly suspects: Set<bigint>;
  /** How many suspects are tried together. */
  together: number;
  /** How many inserts have succeeded; those on trial, into another table, count too. */
  inserts: number;
  /**
   * Suspects that failed alone although nothing says that they are to blame, each with the number of inserts that had succeeded when it first did; the one
   * that failed last comes last. The engine may have a part of them.
   */
  readonly doubtful: Map<bigint, number>;
  /** Since when such batches have made the queue wait while nothing went in, although the engine and the metadata worked, on the monotonic clock. */
  doubtfulSince: number | undefined;
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
    unsure: new Set(),
    suspects: new Set(),
    together: 1,
    inserts: 0,
    doubtful: new Map(),
    doubtfulSince: undefined,
    retryAt: 0,
    failure: undefined,
    waiters: [],
  };
}

/** Whether some events of a batch stay out of the engine. */
const isPartial = ({ notBefore }: Batch): boolean => notBefore !== undefined;

/** Whether others have gone in since this batch first failed alone. Then the engine works, and another failure is the batch's own. */
export function outlived({ doubtful, inserts }: Queue, { position }: Batch): boolean {
  const before = doubtful.get(position);
  return before !== undefined && inserts > before;
}

/**
 * The batches of the next insert: as many as fit, suspects apart from the others, or a single one that is not inserted whole. A doubtful batch comes
 * alone: first if another failure would be its own, else last, and all such batches in turn.
 */
export function nextGroup(queue: Queue, insertBytes: number): readonly Batch[] {
  const decided = queue.batches.find((batch) => outlived(queue, batch));
  if (decided !== undefined) return [decided];
  const others = queue.batches.filter(({ position }) => !queue.doubtful.has(position));
  if (others.length > 0) return fitting(queue, others, insertBytes);
  const [longestAgo] = queue.doubtful.keys();
  return queue.batches.filter(({ position }) => position === longestAgo);
}

function fitting(queue: Queue, batches: readonly Batch[], insertBytes: number): readonly Batch[] {
  const [first] = batches;
  if (first === undefined) return [];
  const suspect = queue.suspects.has(first.position);
  const most = isPartial(first) ? 1 : suspect ? queue.together : Infinity;
  let bytes = 0;
  let count = 0;
  for (const batch of batches) {
    const other = isPartial(batch) || queue.suspects.has(batch.position) !== suspect;
    if (count > 0 && (other || count >= most || bytes + batch.bytes > insertBytes)) break;
    bytes += batch.bytes;
    count++;
  }
  return batches.slice(0, count);
}

/** Resolves the waiters whose batches have all left the queue. */
export function settle(queue: Queue): void {
  const first = queue.batches[0]?.position;
  const ready = queue.waiters.filter((waiter) => first === undefined || waiter.upTo < first);
  queue.waiters = queue.waiters.filter((waiter) => !ready.includes(waiter));
  for (const waiter of ready) waiter.resolve();
}

/** Rejects all waiters. */
export function fail(queue: Queue, error: unknown): void {
  const { waiters } = queue;
  queue.waiters = [];
  for (const waiter of waiters) waiter.reject(error);
}

import { systemUsage, type Usage, ByteUsage } from '@millrace/runtime/memory/fair-share';
import type { StoredDataset } from '../fields/dataset.js';
import { type Batch, newQueue, type Queue, completeBatches } from './queue.js';

/**
 * Tracks the batches in the log that are not yet in the engine: their positions, the queue of each
 * dataset, and their bytes.
 */
export class Backlog {
  readonly #queues = new Map<number, Queue>();
  /** Positions that are not in the engine yet, in order, and their datasets. */
  readonly #pendingPositions = new Map<bigint, number>();
  readonly #usage = new ByteUsage();

  /** Bytes in the log that are not yet in the engine. */
  get bytes(): number {
    return this.#usage.all;
  }

  /** The bytes in total, and those of one quota key. */
  takenBy(party: string): Usage {
    return this.#usage.of(party);
  }

  /** The oldest position that is not in the engine yet; the log keeps everything from there on. */
  get oldest(): bigint | undefined {
    return this.#pendingPositions.keys().next().value;
  }

  /** The oldest position of a dataset that is not in the engine yet. */
  oldestOf(datasetId: number): bigint | undefined {
    for (const position of this.waitingOf(datasetId)) return position;
    return undefined;
  }

  /** All positions of a dataset that are not in the engine yet, in order. */
  *waitingOf(datasetId: number): Iterable<bigint> {
    for (const [position, id] of this.#pendingPositions) if (id === datasetId) yield position;
  }

  /** Whether a position is not in the engine yet. */
  has(position: bigint): boolean {
    return this.#pendingPositions.has(position);
  }

  /** Records a position before its batch is durable, so that the log is not truncated past it. */
  expect(position: bigint, datasetId: number): void {
    this.#pendingPositions.set(position, datasetId);
  }

  /** The position will never be added: its append failed or its dataset was deleted. */
  abandon(position: bigint): void {
    this.#pendingPositions.delete(position);
  }

  get queues(): Iterable<Queue> {
    return this.#queues.values();
  }

  /** The queue of a dataset; undefined if no batch of it was ever queued. */
  queue(datasetId: number): Queue | undefined {
    return this.#queues.get(datasetId);
  }

  /** Whether the engine may have a part of a pending batch. */
  mayHaveParts(datasetId: number): boolean {
    const queue = this.#queues.get(datasetId);
    return queue !== undefined && queue.failed.mayHaveParts;
  }

  /** The queue of a dataset, created if need be. */
  open(dataset: StoredDataset): Queue {
    const known = this.#queues.get(dataset.id);
    if (known !== undefined) return known;
    const queue = newQueue(dataset);
    this.#queues.set(dataset.id, queue);
    return queue;
  }

  /** Queues a durable batch. */
  add(dataset: StoredDataset, batch: Batch): Queue {
    const queue = this.open(dataset);
    // Nearly always the last: only a batch with many new names takes longer.
    const behind = queue.batches.findLastIndex(({ position }) => position < batch.position) + 1;
    queue.batches.splice(behind, 0, { ...batch, since: performance.now() });
    queue.bytes += batch.bytes;
    this.#usage.add(partyOf(batch), batch.bytes);
    this.#pendingPositions.set(batch.position, dataset.id);
    return queue;
  }

  /**
   * Removes batches from their queue. Each is counted off only once, even if the dataset was
   * deleted in the meantime.
   */
  remove(queue: Queue, leaving: readonly Batch[]): void {
    const removed = new Set(leaving.map(({ position }) => position));
    for (const batch of queue.batches.filter(({ position }) => removed.has(position))) {
      queue.failed.forget([batch.position]);
      queue.bytes -= batch.bytes;
      this.#usage.add(partyOf(batch), -batch.bytes);
    }
    queue.batches = queue.batches.filter(({ position }) => !removed.has(position));
    for (const position of removed) this.#pendingPositions.delete(position);
    completeBatches(queue);
  }

  /**
   * Drops the pending batches of a dataset that is being deleted and resolves its waiters. Returns
   * its queue.
   */
  forget(datasetId: number): Queue | undefined {
    for (const [position, id] of this.#pendingPositions) if (id === datasetId) this.#pendingPositions.delete(position);
    const queue = this.#queues.get(datasetId);
    if (queue === undefined) return undefined;
    this.#queues.delete(datasetId);
    for (const batch of queue.batches) this.#usage.add(partyOf(batch), -batch.bytes);
    queue.batches = [];
    queue.bytes = 0;
    completeBatches(queue);
    return queue;
  }
}

/** Batches that an earlier process accepted belong to no quota key. */
const partyOf = ({ party = systemUsage.party }: Batch): string => party;

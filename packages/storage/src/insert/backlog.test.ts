import { DEFAULT_BUDGET } from '@millrace/events';
import { describe, expect, it } from 'vitest';
import { StoredDataset } from '../fields/dataset.js';
import { Backlog } from './backlog.js';
import type { Batch } from './queue.js';

const dataset = (id: number): StoredDataset => new StoredDataset(id, DEFAULT_BUDGET);
const batch = (position: bigint, bytes = 10): Batch => ({
  position,
  arrival: 1n,
  block: { rows: 1, columns: [] },
  bytes,
});

/** Adds a waiter; returns a function that reports whether it was resolved. */
function waiter(backlog: Backlog, datasetId: number, upTo: bigint): () => boolean {
  let isResolved = false;
  const resolve = (): void => void (isResolved = true);
  backlog.queue(datasetId)!.waiters.push({ upTo, resolve, reject: () => undefined });
  return () => isResolved;
}

describe('the backlog', () => {
  it('keeps the batches of a queue in the order of their positions', () => {
    const backlog = new Backlog();
    const own = dataset(1);
    for (const position of [2n, 4n, 1n, 3n]) backlog.add(own, batch(position));
    expect(backlog.queue(1)!.batches.map(({ position }) => position)).toEqual([1n, 2n, 3n, 4n]);
  });

  it('has a position from before its batch is durable until the batch has left', () => {
    const backlog = new Backlog();
    backlog.expect(1n, 1);
    backlog.expect(2n, 2);
    backlog.expect(3n, 1);
    // They become durable in a different order.
    const later = backlog.add(dataset(2), batch(2n));
    const queue = backlog.add(dataset(1), batch(1n));
    expect([backlog.oldest, backlog.oldestOf(1), backlog.oldestOf(2)]).toEqual([1n, 1n, 2n]);
    backlog.remove(queue, [...queue.batches]);
    expect([backlog.oldest, backlog.oldestOf(1), backlog.oldestOf(2)]).toEqual([2n, 3n, 2n]);
    backlog.abandon(3n);
    backlog.remove(later, [...later.batches]);
    expect([backlog.oldest, backlog.oldestOf(1), backlog.oldestOf(2)]).toEqual([undefined, undefined, undefined]);
    expect([1n, 2n, 3n].filter((position) => backlog.has(position))).toEqual([]);
  });

  it('wakes the waiters when their event has left, and not before', () => {
    const backlog = new Backlog();
    const all = [batch(1n), batch(2n), batch(3n)];
    for (const one of all) backlog.add(dataset(1), one);
    const queue = backlog.queue(1)!;
    const second = waiter(backlog, 1, 2n);
    backlog.remove(queue, [all[1]!]);
    expect(second()).toBe(false);
    backlog.remove(queue, [all[0]!]);
    expect(second()).toBe(true);
    const third = waiter(backlog, 1, 3n);
    backlog.forget(1);
    expect(third()).toBe(true);
  });

  it('counts each byte once, also of batches that leave after their dataset was deleted', () => {
    const backlog = new Backlog();
    const [first, second] = [batch(1n, 100), batch(2n, 20)];
    const queue = backlog.add(dataset(1), first);
    backlog.add(dataset(2), second);
    expect(backlog.bytes).toBe(120);
    expect(backlog.forget(1)).toBe(queue);
    expect(backlog.bytes).toBe(20);
    // Its insert was in progress.
    backlog.remove(queue, [first]);
    expect(backlog.bytes).toBe(20);
    expect(backlog.queue(1)).toBeUndefined();
    backlog.remove(backlog.queue(2)!, [second]);
    expect(backlog.bytes).toBe(0);
  });
});

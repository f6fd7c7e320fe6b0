import { allTimes } from '@millrace/apl';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PartitionRows } from '@millrace/storage/tables/partition-rows';
import { NewestPartitions } from './newest-partitions.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Thirty days of ten events each, the newest first; the last one has begun. */
const days: readonly PartitionRows[] = Array.from({ length: 30 }, (_, i) => ({
  start: BigInt(2900 - 100 * i),
  end: BigInt(3000 - 100 * i),
  rows: 10,
}));
const now = 2950n;

function createPartitions(partitions: () => Promise<readonly PartitionRows[]> = async () => days) {
  const queryPartitions = vi.fn(partitions);
  const newest = new NewestPartitions(queryPartitions, () => now);
  return {
    ask: queryPartitions,
    newest,
    since: (rows: number, range = allTimes) => newest.estimateSince(1, rows, range),
  };
}

async function learnPartitions(partitions?: () => Promise<readonly PartitionRows[]>) {
  const made = createPartitions(partitions);
  made.since(1);
  await vi.advanceTimersByTimeAsync(0);
  return made;
}

describe('a bound', () => {
  it('is unknown at first, and no query waits for it', async () => {
    const { since, ask: queryPartitions } = createPartitions();
    expect([since(5), since(5)]).toEqual([undefined, undefined]);
    expect(queryPartitions).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(0);
    expect([since(5), since(10), since(11)]).toEqual([2900n, 2900n, 2800n]);
  });

  it('has enough events before the end of the range, the partition in which that lies left out', async () => {
    const { since } = await learnPartitions();
    const until = (end: bigint) => since(10, { start: allTimes.start, end });
    expect([until(now), until(now - 1n), until(2900n), until(2850n)]).toEqual([2900n, 2800n, 2800n, 2700n]);
  });

  it('does not count events that are later than the range, as a sender with a wrong clock sends them', async () => {
    const { since } = await learnPartitions(async () => [{ start: 9000n, end: 9100n, rows: 100 }, ...days]);
    expect([since(10), since(10, { start: allTimes.start, end: now })]).toEqual([9000n, 2900n]);
  });

  it('is not worth it where it leaves out few partitions of the range', async () => {
    const { since } = await learnPartitions();
    expect([since(220), since(221), since(1000)]).toEqual([800n, undefined, undefined]);
    const from = (start: bigint) => since(10, { start, end: allTimes.end });
    expect([from(2100n), from(2200n), from(2950n)]).toEqual([2900n, undefined, undefined]);
  });
});

describe('known values', () => {
  it('is dropped after a wrong result and queried again later', async () => {
    const { since, newest, ask: queryPartitions } = await learnPartitions();
    newest.discardBound(1);
    expect(since(5)).toBe(undefined);
    expect(queryPartitions).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(10 * 60_000 + 1);
    expect(since(5)).toBe(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(since(5)).toBe(2900n);
  });

  it('is used while it is refreshed', async () => {
    const { since, ask: queryPartitions } = await learnPartitions();
    await vi.advanceTimersByTimeAsync(10 * 60_000 + 1);
    expect([since(5), queryPartitions.mock.calls.length]).toEqual([2900n, 2]);
  });

  it('is nothing while the engine does not answer', async () => {
    const { since, ask: queryPartitions } = await learnPartitions(() => Promise.reject(new Error('unavailable')));
    expect([since(5), queryPartitions.mock.calls.length]).toEqual([undefined, 1]);
  });
});

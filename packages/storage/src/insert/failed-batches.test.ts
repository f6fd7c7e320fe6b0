import { describe, expect, it } from 'vitest';
import { FailedBatches } from './failed-batches.js';
import type { Batch } from './queue.js';

const batch = (position: bigint): Batch => ({ position }) as Batch;
const [a, b, c, d] = [1n, 2n, 3n, 4n].map(batch) as [Batch, Batch, Batch, Batch];

describe('batches of inserts that failed', () => {
  it('are tried in halves until one is alone', () => {
    const failed = new FailedBatches();
    expect([failed.judge([a, b, c, d], true), failed.batchCount, failed.stateOf(a)]).toEqual(['smaller', 2, 'suspect']);
    expect([failed.judge([a, b], true), failed.batchCount]).toEqual(['smaller', 1]);
    expect(failed.judge([a], true)).toBe('guilty');
  });

  it('are not judged by the first failure, even alone', () => {
    const failed = new FailedBatches();
    expect([failed.judge([a], true), failed.stateOf(a)]).toEqual(['smaller', 'suspect']);
  });

  it('are doubtful as long as it may be the fault of the engine, and guilty when others went in', () => {
    const failed = new FailedBatches();
    failed.judge([a], false);
    expect([failed.judge([a], false), failed.stateOf(a), failed.isOutlived(a)]).toEqual([
      'doubtful',
      'doubtful',
      false,
    ]);
    failed.recordSuccess(1);
    expect([failed.isOutlived(a), failed.judge([a], false)]).toEqual([true, 'guilty']);
  });

  it('run in order; several failures make the queue wait', () => {
    const failed = new FailedBatches();
    for (const each of [a, b]) failed.judge([each], false);
    failed.judge([a], false);
    expect([failed.longestDoubtful, failed.severalInVain]).toEqual([1n, false]);
    failed.judge([b], false);
    expect([failed.longestDoubtful, failed.severalInVain]).toEqual([1n, true]);
    failed.judge([a], false);
    expect(failed.longestDoubtful).toBe(2n);
    failed.passedTrial();
    expect([failed.severalInVain, failed.isOutlived(b)]).toEqual([false, true]);
  });

  it('are compared first, and forgotten when they have left', () => {
    const failed = new FailedBatches();
    failed.addUnsure([a, b]);
    failed.recordComparison(a);
    expect([failed.isUnsure(a), failed.isUnsure(b), failed.mayHaveParts]).toEqual([false, true, true]);
    for (let i = 0; i < 2; i++) failed.judge([b], false);
    failed.forget([2n]);
    expect([failed.isUnsure(b), failed.stateOf(b), failed.mayHaveParts]).toEqual([false, 'fresh', false]);
  });

  it('say how long they have made the queue wait', () => {
    const failed = new FailedBatches();
    expect([failed.timeWaited(1000), failed.timeWaited(1500)]).toEqual([0, 500]);
    failed.waitAnew(1600);
    expect(failed.timeWaited(1700)).toBe(100);
    failed.waitNoLonger();
    expect(failed.timeWaited(2000)).toBe(0);
  });
});

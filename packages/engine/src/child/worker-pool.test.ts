import { describe, expect, it } from 'vitest';
import type { Priority } from '../engine.js';
import { WorkerPool } from './worker-pool.js';
import type { Worker } from './worker.js';

/** A worker pool with fake workers, and jobs that end on request. */
function laneOf(workers: number, maxWaiting: number) {
  const closed: number[] = [];
  const lane = new WorkerPool(
    workers,
    (index) => ({ mark: String(index), close: () => void closed.push(index) }) as unknown as Worker,
    maxWaiting,
  );
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const job = (name: string, priority: Priority = 'normal') => ({
    priority,
    run: () => {
      began.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    },
  });
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lane, began, closed, job, end };
}

describe('a lane', () => {
  it('runs as many jobs as it has workers, the rest in order of priority and arrival', async () => {
    const { lane, began, job, end } = laneOf(2, 10);
    for (const name of ['a', 'b']) lane.add(job(name));
    for (const [name, priority] of [
      ['c', 'low'],
      ['d', 'normal'],
      ['e', 'normal'],
      ['f', 'high'],
    ] as const)
      lane.add(job(name, priority));
    expect(began).toEqual(['a', 'b']);
    for (const name of ['a', 'b', 'f', 'd']) await end(name);
    expect(began).toEqual(['a', 'b', 'f', 'd', 'e', 'c']);
    expect(lane.idle).toBe(false);
    for (const name of ['e', 'c']) await end(name);
    expect(lane.idle).toBe(true);
  });

  it('refuses a job when too many wait', async () => {
    const { lane, job, end } = laneOf(1, 1);
    expect(['a', 'b', 'c'].map((name) => lane.add(job(name)))).toEqual([true, true, false]);
    await end('a');
    expect(lane.add(job('d'))).toBe(true);
  });

  it('replaces the worker of a job that does not end, once, and closes it when the job ends', async () => {
    const { lane, began, closed, job, end } = laneOf(1, 10);
    const a = job('a');
    for (const each of [a, job('b'), job('c')]) lane.add(each);
    lane.replace(a);
    lane.replace(a);
    expect(began).toEqual(['a', 'b']);
    await end('b');
    expect([began, closed, lane.idle]).toEqual([['a', 'b', 'c'], [], false]);
    await end('a');
    expect([closed, lane.idle]).toEqual([[0], false]);
    await end('c');
    expect(lane.idle).toBe(true);
    lane.close();
    expect(closed).toEqual([0, 1]);
  });

  it('forgets a removed job, unless it is running', async () => {
    const { lane, began, job, end } = laneOf(1, 10);
    const [a, b, c] = [job('a'), job('b'), job('c')];
    for (const each of [a, b, c]) lane.add(each);
    expect([lane.remove(b), lane.remove(a)]).toEqual([true, false]);
    await end('a');
    expect(began).toEqual(['a', 'c']);
  });
});

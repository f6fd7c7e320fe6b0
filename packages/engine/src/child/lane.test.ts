import { describe, expect, it } from 'vitest';
import type { Priority } from '../engine.js';
import { Lane } from './lane.js';
import type { Worker } from './worker.js';

/** A lane with stand-ins for workers, and jobs that end when told. */
function laneOf(workers: number, maxWaiting: number) {
  const lane = new Lane(
    Array.from({ length: workers }, () => ({ close: () => undefined }) as Worker),
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
  return { lane, began, job, end };
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

  it('forgets a removed job, unless it is running', async () => {
    const { lane, began, job, end } = laneOf(1, 10);
    const [a, b, c] = [job('a'), job('b'), job('c')];
    for (const each of [a, b, c]) lane.add(each);
    expect([lane.remove(b), lane.remove(a)]).toEqual([true, false]);
    await end('a');
    expect(began).toEqual(['a', 'c']);
  });
});

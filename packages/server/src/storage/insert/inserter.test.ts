import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeCall, Fault } from '../testing/fake-engine.js';
import { append, day, fakeWorld, type FakeWorld } from '../testing/fake-world.js';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld();
});
afterEach(() => world.close());

const dataset = { datasetId: 1, name: 'd' };

const rejected: Fault = { kind: 'fails', code: 'rejected' };
const refusing =
  (...positions: readonly bigint[]) =>
  (call: FakeCall): Fault | undefined =>
    call.positions.some((position) => positions.includes(position)) ? rejected : undefined;

/** Fails a test instead of hanging it. */
const soon = <T>(promise: Promise<T>): Promise<T | 'never'> =>
  Promise.race([promise, sleep(2000, 'never' as const, { ref: false })]);

describe('a batch the engine refuses', () => {
  it('holds up neither the others nor those who wait for them, and is not forgotten', async () => {
    const storage = await world.open([1]);
    world.fake.fault = refusing(2n);
    for (let i = 0; i < 3; i++) await append(storage, 1, [1]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(world.fake.rows(1)).toEqual(['1.0', '3.0']);
    expect(storage.refused).toEqual([2n]);
    expect([1n, 2n, 3n].map((position) => storage.stateOf(position))).toEqual(['stored', 'logged', 'stored']);
    expect(storage.health().reasons).toEqual([expect.stringContaining('1 batches of events were refused')]);
    expect(storage.pendingBytes).toBe(0);
    await append(storage, 1, [1]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(world.fake.rows(1)).toEqual(['1.0', '3.0', '4.0']);
  });

  it('is found among many with few inserts, and so are several', async () => {
    const storage = await world.open([1]);
    const bad = [200n, 300n, 301n];
    world.fake.fault = refusing(...bad);
    for (let i = 0; i < 512; i++) await append(storage, 1, [1]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(storage.refused).toEqual(bad);
    expect(world.fake.rows(1)).toHaveLength(512 - bad.length);
    expect(world.fake.calls.filter(({ kind }) => kind === 'insert').length).toBeLessThan(70);
  });

  it('makes the others wait no longer than they would without it', async () => {
    const storage = await world.open([1], { flushMilliseconds: 500 });
    world.fake.fault = refusing(2n);
    for (let i = 0; i < 20; i++) await append(storage, 1, [1]);
    await expect.poll(() => storage.pendingBytes, { timeout: 5000 }).toBe(0);
    expect(storage.refused).toEqual([2n]);
    expect(world.fake.rows(1)).toHaveLength(19);
  });

  it('comes in at the next start if the engine takes it then', async () => {
    const before = await world.open([1]);
    world.fake.fault = refusing(1n);
    await append(before, 1, [1]);
    await append(before, 1, [1]);
    await before.flush([1]);
    world.fake.fault = () => undefined;
    const after = await world.open([1]);
    await after.retries.over;
    expect(world.fake.rows(1)).toEqual(['1.0', '2.0']);
    expect(after.refused).toEqual([]);
  });

  it('is the only one that is put aside, even behind others and when it was half in', async () => {
    const storage = await world.open([1]);
    await append(storage, 1, [1]);
    await append(storage, 1, [1, 2]);
    let inserts = 0;
    world.fake.fault = ({ kind, positions }) => {
      if (kind !== 'insert') return undefined;
      if (++inserts === 1) return { kind: 'half', code: 'unavailable' };
      return positions.includes(2n) ? rejected : undefined;
    };
    await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(storage.refused).toEqual([2n]);
    expect(world.fake.rows(1).filter((row) => row.startsWith('1.'))).toEqual(['1.0']);
  });

  it('does not keep others from being deleted', async () => {
    const storage = await world.open([1]);
    world.fake.fault = refusing(1n);
    await append(storage, 1, [1]);
    await append(storage, 1, [1, 20]);
    await storage.flush([1]);
    expect(await storage.deletions.trim(dataset, day(10))).toBe(1);
    expect(world.fake.rows(1)).toEqual(['2.1']);
  });
});

it('an engine without room for a group takes it in pieces', async () => {
  const storage = await world.open([1]);
  world.fake.fault = ({ positions }) => (positions.length > 1 ? { kind: 'half', code: 'memory-limit' } : undefined);
  for (let i = 0; i < 4; i++) await append(storage, 1, [1, 2]);
  expect(await soon(storage.flush([1]))).toBeUndefined();
  expect(world.fake.rows(1)).toHaveLength(8);
});

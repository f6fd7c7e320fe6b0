import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { append, day, fakeWorld, type FakeWorld } from '../testing/fake-world.js';
import type { FakeCall, Fault } from '../testing/fake-engine.js';

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

  it('comes in at the next start if the engine takes it then', async () => {
    const before = await world.open([1]);
    world.fake.fault = refusing(1n);
    await append(before, 1, [1]);
    await append(before, 1, [1]);
    await before.flush([1]);
    world.fake.fault = () => undefined;
    const after = await world.open([1]);
    await after.flush([1]);
    expect(world.fake.rows(1)).toEqual(['1.0', '2.0']);
    expect(after.refused).toEqual([]);
  });

  it('is the one that is put aside, also behind others when it was half in', async () => {
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

describe('an insert that meets something else', () => {
  it('of a dataset that is being deleted leaves the account of what waits in order', async () => {
    const storage = await world.open([1]);
    let go: () => void = () => undefined;
    world.fake.before = ({ kind, sql }) => {
      if (kind === 'insert') return new Promise((resolve) => (go = resolve));
      return sql.startsWith('DROP') ? sleep(20) : Promise.resolve();
    };
    await append(storage, 1, [1]);
    const flushed = storage.flush([1]);
    await expect.poll(() => world.fake.calls.some(({ kind }) => kind === 'insert')).toBe(true);
    const deleted = storage.deleteDataset(dataset);
    go();
    await deleted;
    expect(await soon(flushed)).toBeUndefined();
    expect(storage.pendingBytes).toBe(0);
    expect(storage.storedUpTo).toBe(1n);
    expect(await world.metadata.database.selectFrom('stored_fields').selectAll().execute()).toEqual([]);
  });

  it('into a day that is being trimmed is not lost with the day', async () => {
    const storage = await world.open([1]);
    await append(storage, 1, [1]);
    await storage.flush([1]);
    let late: Promise<unknown> = Promise.resolve();
    world.fake.before = async ({ sql }) => {
      if (!sql.includes('DROP PARTITION')) return;
      await append(storage, 1, [1]);
      late = storage.flush([1]);
      await sleep(20);
    };
    await storage.deletions.trim(dataset, day(10));
    expect(await soon(late)).toBeUndefined();
    expect(world.fake.rows(1)).toEqual(['2.0']);
    expect((await storage.verify()).wrong).toEqual([]);
  });
});

describe('those who wait', () => {
  it('are told when the server stops before their events are in', async () => {
    const storage = await world.open([1]);
    await append(storage, 1, [1]);
    world.fake.before = ({ kind }) => (kind === 'insert' ? new Promise(() => undefined) : Promise.resolve());
    const flushed = storage.flush([1]).catch(({ code }) => code);
    void storage.close();
    storage.stop();
    expect(await soon(flushed)).toBe('unavailable');
    expect(await soon(storage.flush([1]).catch(({ code }) => code))).toBe('unavailable');
  });

  it('are served while events never stop coming', async () => {
    const storage = await world.open([1], { insertBytes: 1 });
    let going = true;
    const writer = (async () => {
      while (going) await append(storage, 1, [1]);
    })();
    await append(storage, 1, [1]);
    for (let i = 0; i < 5; i++) {
      expect(await soon(storage.flush([1]))).toBeUndefined();
      expect(await soon(storage.deletions.trim(dataset, day(0)))).toBe(0);
    }
    going = false;
    await writer;
  });
});

it('an engine without room for a group takes it in pieces', async () => {
  const storage = await world.open([1]);
  world.fake.fault = ({ positions }) => (positions.length > 1 ? { kind: 'half', code: 'memory-limit' } : undefined);
  for (let i = 0; i < 4; i++) await append(storage, 1, [1, 2]);
  expect(await soon(storage.flush([1]))).toBeUndefined();
  expect(world.fake.rows(1)).toHaveLength(8);
});

it('rows that a lost log had numbered are not taken for those of new batches', async () => {
  const storage = await world.open([1]);
  for (let i = 0; i < 3; i++) await append(storage, 1, [1]);
  await storage.flush([1]);
  const other = await fakeWorld();
  for (const [name, rows] of world.fake.tables) other.fake.tables.set(name, rows);
  const after = await other.open([1]);
  expect((await append(after, 1, [1])).position).toBe(4n);
  await after.close();
  await other.close();
});

it('what waits is counted with what small objects cost', async () => {
  const storage = await world.open([1]);
  for (let i = 0; i < 100; i++) await append(storage, 1, [1]);
  expect(storage.pendingBytes).toBeGreaterThan(100_000);
});

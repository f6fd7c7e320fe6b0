import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { append, day, fakeWorld, type FakeStorageHarness } from '../testing/fake-harness.js';

let world: FakeStorageHarness;
beforeEach(async () => {
  world = await fakeWorld();
});
afterEach(() => world.close());

const dataset = { datasetId: 1, name: 'd' };

/** Fails a test instead of hanging it. */
const soon = <T>(promise: Promise<T>): Promise<T | 'never'> =>
  Promise.race([promise, sleep(2000, 'never' as const, { ref: false })]);

describe('an insert that meets something else', () => {
  it('for a dataset that is being deleted leaves the backlog consistent', async () => {
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
    expect(storage.stateOf(1n)).toBe('stored');
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

  it('that fails on a full disk does not keep old days from being removed, which makes room for it', async () => {
    const storage = await world.open([1]);
    await append(storage, 1, [1]);
    await storage.flush([1]);
    let inserts = 0;
    world.fake.fault = ({ kind }) =>
      kind === 'insert' ? { kind: inserts++ === 0 ? 'half' : 'fails', code: 'disk-full' } : undefined;
    // The engine has the first of its days, which is old as well.
    await append(storage, 1, [2, 12]);
    await expect(storage.flush([1])).rejects.toMatchObject({ code: 'disk-full' });
    await expect(storage.deletions.trim(dataset, day(10))).rejects.toMatchObject({ code: 'disk-full' });
    expect(world.fake.rows(1)).toEqual(['2.0']);
    world.fake.fault = () => undefined;
    expect(await storage.deletions.trim(dataset, day(10))).toBe(1);
    expect(world.fake.rows(1)).toEqual(['2.1']);
    expect((await storage.verify()).wrong).toEqual([]);
    await storage.close();
  });
});

describe('a trim on a full disk', () => {
  const fill = (): void => {
    world.fake.fault = ({ kind }) => (kind === 'insert' ? { kind: 'fails', code: 'disk-full' } : undefined);
  };

  it('discards pending events that are older instead of inserting them, also after a crash', async () => {
    const storage = await world.open([1, 2]);
    for (const day of [1, 2]) await append(storage, 1, [day], `key ${day}`);
    await append(storage, 2, [1]);
    fill();
    await expect(storage.flush([1])).rejects.toMatchObject({ code: 'disk-full', prevents: 'reading' });
    expect(storage.health().ready).toBe(false);
    expect(await storage.deletions.trim(dataset, day(10))).toBe(2);
    await storage.flush([1]);
    expect(storage.health().ready).toBe(true);
    expect(await storage.intake.answer(storage.dataset(1)!, 'key 2')).toMatchObject({ position: 2n });
    world.fake.fault = () => undefined;
    await world.crash('power', 1);
    const after = await world.open([1, 2]);
    await after.flush([1, 2]);
    expect(world.fake.rows(1)).toEqual([]);
    expect(world.fake.rows(2)).toEqual(['3.0']);
    expect((await after.verify()).wrong).toEqual([]);
    await after.close();
  });

  it('keeps the pending events that are newer, and says that they were in the way', async () => {
    const storage = await world.open([1]);
    for (const day of [1, 12, 2]) await append(storage, 1, [day]);
    fill();
    await expect(storage.deletions.trim(dataset, day(10))).rejects.toMatchObject({ prevents: 'deleting' });
    world.fake.fault = () => undefined;
    await storage.flush([1]);
    expect(world.fake.rows(1)).toEqual(['2.0', '3.0']);
    expect(await storage.deletions.trim(dataset, day(10))).toBe(1);
    expect(world.fake.rows(1)).toEqual(['2.0']);
    await storage.close();
  });
});

describe('events that arrive during another insert', () => {
  it('wait for their own time', async () => {
    const storage = await world.open([1]);
    let late = 0;
    world.fake.before = async ({ kind }) => {
      if (kind === 'insert' && late++ === 0) await append(storage, 1, [2]);
    };
    await append(storage, 1, [1]);
    await storage.flush([1]);
    // Long enough for another insert.
    for (let i = 0; i < 50; i++) await sleep(1);
    expect(world.fake.calls.filter(({ kind }) => kind === 'insert')).toHaveLength(1);
    expect(storage.pendingBytes).toBeGreaterThan(0);
    await storage.flush([1]);
    expect(storage.pendingBytes).toBe(0);
  });

  it('go in as soon as they are many, or their time has come', async () => {
    for (const limits of [{ flushBytes: 1 }, { flushMilliseconds: 0 }]) {
      const storage = await world.open([1], limits);
      world.fake.before = async ({ kind }) => {
        if (kind !== 'insert') return;
        world.fake.before = () => Promise.resolve();
        await append(storage, 1, [2]);
      };
      await append(storage, 1, [1]);
      await expect.poll(() => storage.pendingBytes).toBe(0);
    }
  });
});

describe('waiters', () => {
  it('are rejected when the server stops before their events are in', async () => {
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

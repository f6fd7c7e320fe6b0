import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@millrace/engine';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FieldStore } from '../fields/field-store.js';
import { QuarantinedBatches } from './quarantine.js';
import { append, day, type FakeStorageHarness, withHarness } from '../testing/fake-harness.js';

const many = 64;
const all = Array.from({ length: many }, (_, i) => BigInt(i + 1));

/** Leaves many quarantined batches, each with an old and a young event. */
async function refuseMany({ fake, open }: FakeStorageHarness, positions = all): Promise<void> {
  const storage = await open([1]);
  fake.fault = ({ kind, positions }) =>
    kind === 'insert' && positions.some((position) => position <= many)
      ? { kind: 'fails', code: 'rejected' }
      : undefined;
  await Promise.all(positions.map(() => append(storage, 1, [1, 20])));
  await storage.flush([1]);
  expect(storage.quarantinedPositions.toSorted(byPosition)).toEqual(positions);
}

const byPosition = (a: bigint, b: bigint): number => (a < b ? -1 : 1);

/** Positions of the quarantined batches in inserts since a call. */
const triedPositions = ({ fake }: FakeStorageHarness, since: number): readonly (readonly bigint[])[] =>
  fake.calls
    .slice(since)
    .map(({ positions }) => positions.filter((position) => position <= many))
    .filter(({ length }) => length > 0);

test('batches that are refused again hold up neither the start nor inserts, queries and deletions of their dataset', () =>
  withHarness(async (world) => {
    const { fake, open } = world;
    await refuseMany(world);
    const since = fake.calls.length;
    fake.before = async ({ kind }) => void (kind === 'insert' && (await sleep(2)));
    const storage = await open([1]);
    await append(storage, 1, [20]);
    await storage.flush([1]);
    expect(fake.rows(1)).toEqual(['65.0']);
    expect(await storage.deletions.trim({ datasetId: 1, name: 'd' }, day(10))).toBe(0);
    expect(triedPositions(world, since).length).toBeLessThan(many / 2);
    storage.stop();
  }));

test('each is tried alone before it is given up until the next start, the newest first', () =>
  withHarness(async (world) => {
    await refuseMany(world);
    const since = world.fake.calls.length;
    const storage = await world.open([1]);
    await storage.retries.over;
    const alone = triedPositions(world, since).filter(({ length }) => length === 1);
    expect(new Set(alone.flat())).toEqual(new Set(all));
    expect(alone[0]![0]).toBeGreaterThan(many - 17);
    expect(alone.at(-1)![0]).toBeLessThan(17);
    expect(storage.quarantinedPositions.toSorted(byPosition)).toEqual(all);
  }));

test('the idempotency key of a batch expires in its time, however late the batch goes in', () =>
  withHarness(async (world) => {
    const { fake, metadata, open } = world;
    const first = await open([1]);
    fake.fault = ({ kind }) => (kind === 'insert' ? { kind: 'fails', code: 'rejected' } : undefined);
    await append(first, 1, [1], 'key');
    await first.flush([1]);
    fake.fault = () => undefined;
    await metadata.database.updateTable('answers').set({ expires: 1 }).execute();
    const storage = await open([1]);
    await storage.retries.over;
    expect(fake.rows(1)).toEqual(['1.0']);
    expect(await storage.intake.answer(storage.dataset(1)!, 'key')).toBeUndefined();
  }));

test('a batch that is gone from the metadata, although its removal was reported as failed, is refused and hidden no more', () =>
  withHarness(async (world) => {
    await refuseMany(world, [1n]);
    world.fake.fault = () => undefined;
    world.fake.before = async ({ kind }) => {
      if (kind === 'query') await world.metadata.database.deleteFrom('refused_batches').execute();
    };
    const storage = await world.open([1]);
    await storage.retries.over;
    expect(storage.quarantinedPositions).toEqual([]);
    await storage.reads.run([1], async (settings) => expect(settings).toEqual({}));
  }));

test('batches for which this program can make no columns are tried once, too', () =>
  withHarness(async (world) => {
    const { fake, open } = world;
    await refuseMany(world);
    fake.fault = () => undefined;
    const engine = fake.open();
    const broken: Engine = {
      ...engine,
      execute: async (sql, options) => {
        if (sql.includes('ADD COLUMN')) throw new RangeError('out of bounds');
        return engine.execute(sql, options);
      },
    };
    const storage = await open([1], {}, broken);
    await storage.retries.over;
    expect(storage.quarantinedPositions.toSorted(byPosition)).toEqual(all);
  }));

test('an engine that takes them gets a few with each insert', () =>
  withHarness(async (world) => {
    await refuseMany(world);
    const since = world.fake.calls.length;
    world.fake.fault = () => undefined;
    const storage = await world.open([1]);
    const { version } = storage.dataset(1)!;
    await storage.retries.over;
    expect(triedPositions(world, since).map(({ length }) => length)).toEqual([16, 16, 16, 16]);
    expect(world.fake.rows(1)).toHaveLength(2 * many);
    expect(storage.quarantinedPositions).toEqual([]);
    expect(storage.dataset(1)!.version).toBeGreaterThan(version);
  }));

test('while some are retried, other inserts of the dataset wait for one step, and responses omit only rejected events', () =>
  withHarness(async (world) => {
    const { fake, open } = world;
    await refuseMany(world);
    fake.before = async ({ kind, positions }) => void (kind === 'insert' && positions[0]! <= many && (await sleep(10)));
    const storage = await open([1]);
    for (let i = 0; i < 10; i++) {
      await append(storage, 1, [20]);
      const since = fake.calls.length;
      await storage.flush([1]);
      expect(triedPositions(world, since).length).toBeLessThanOrEqual(1);
      await storage.reads.run([1], async (settings) => {
        const hidden = /NOT IN \(([^)]*)\)/.exec(String(settings['additional_table_filters']))?.[1] ?? '';
        expect(
          hidden
            .split(', ')
            .map(BigInt)
            .toSorted((a, b) => Number(a - b)),
        ).toEqual(all);
      });
      await sleep(15);
    }
    expect(storage.quarantinedPositions).toHaveLength(many);
    storage.stop();
  }));

test('a stored one is visible without delay, even if others retried with it are not', () =>
  withHarness(async (world) => {
    const { fake, open } = world;
    const some = all.slice(0, 16);
    await refuseMany(world, some);
    fake.fault = ({ positions }) => (positions.includes(3n) ? { kind: 'fails', code: 'rejected' } : undefined);
    const storage = await open([1]);
    const missed: bigint[] = [];
    const versions = new Map<bigint, number>();
    fake.before = async () => {
      const stored = some.filter((position) => storage.stateOf(position) === 'stored');
      await storage.reads.run([1], async (settings) => {
        const hidden = /NOT IN \(([^)]*)\)/.exec(String(settings['additional_table_filters']))?.[1]?.split(', ') ?? [];
        missed.push(...stored.filter((position) => hidden.includes(String(position))));
      });
      for (const position of stored) if (!versions.has(position)) versions.set(position, storage.dataset(1)!.version);
    };
    await storage.retries.over;
    expect([missed, storage.quarantinedPositions]).toEqual([[], [3n]]);
    // Earlier results are not reused.
    expect(new Set(versions.values()).size).toBeGreaterThan(1);
  }));

test('concurrently trimmed events are not inserted', () =>
  withHarness(async (world) => {
    await refuseMany(world);
    world.fake.fault = () => undefined;
    const storage = await world.open([1]);
    const trimmed = storage.deletions.trim({ datasetId: 1, name: 'd' }, day(10));
    await Promise.all([trimmed, storage.retries.over]);
    expect(world.fake.rows(1)).toEqual(all.map((position) => `${position}.1`).toSorted());
    expect(storage.quarantinedPositions).toEqual([]);
  }));

test('batches of a concurrently deleted dataset are dropped', () =>
  withHarness(async (world) => {
    await refuseMany(world);
    const storage = await world.open([1]);
    await storage.deleteDataset({ datasetId: 1, name: 'd' });
    await storage.retries.over;
    expect([storage.quarantinedPositions, world.fake.tables.has('d1')]).toEqual([[], false]);
    expect((await world.open([])).quarantinedPositions).toEqual([]);
  }));

test('nothing more is tried after a stop, and what the engine does not have is kept', () =>
  withHarness(async (world) => {
    const { fake, open } = world;
    await refuseMany(world);
    fake.fault = () => undefined;
    fake.before = async ({ kind }) => void (kind === 'insert' && (await sleep(2)));
    const storage = await open([1]);
    await expect.poll(() => fake.rows(1).length, { interval: 1 }).toBeGreaterThan(0);
    await storage.retries.stop();
    const calls = fake.calls.length;
    const inEngine = new Set(fake.rows(1).map((row) => BigInt(row.split('.')[0]!)));
    expect(storage.quarantinedPositions.toSorted(byPosition)).toEqual(
      all.filter((position) => !inEngine.has(position)),
    );
    expect(storage.quarantinedPositions.length).toBeGreaterThan(0);
    await sleep(50);
    expect(fake.calls.length).toBe(calls);
    storage.stop();
  }));

test('nothing is tried during a pause, and everything after it', () =>
  withHarness(async (world) => {
    const { fake, open } = world;
    await refuseMany(world);
    fake.fault = () => undefined;
    fake.before = async ({ kind }) => void (kind === 'insert' && (await sleep(2)));
    const storage = await open([1], { retryMilliseconds: 1 });
    await expect.poll(() => fake.rows(1).length, { interval: 1 }).toBeGreaterThan(0);
    const pause = await storage.retries.pause();
    const calls = fake.calls.length;
    const { quarantinedPositions } = storage;
    expect(quarantinedPositions.length).toBeGreaterThan(0);
    await sleep(100);
    expect([fake.calls.length, storage.quarantinedPositions]).toEqual([calls, quarantinedPositions]);
    storage.retries.resume(pause);
    await storage.retries.over;
    expect([fake.rows(1).length, storage.quarantinedPositions]).toEqual([2 * many, []]);
  }));

describe('two pauses, as of two backups', () => {
  afterEach(() => void vi.useRealTimers());

  test('last until both have ended', () =>
    withHarness(async (world) => {
      const { fake, open } = world;
      await refuseMany(world);
      fake.fault = () => undefined;
      const storage = await open([1], { retryMilliseconds: 1 });
      const one = await storage.retries.pause();
      const other = await storage.retries.pause();
      const { quarantinedPositions } = storage;
      // Its metadata were read twice, because a connection broke.
      storage.retries.resume(one);
      storage.retries.resume(one);
      await sleep(100);
      expect(storage.quarantinedPositions).toEqual(quarantinedPositions);
      storage.retries.resume(other);
      await storage.retries.over;
      expect(storage.quarantinedPositions).toEqual([]);
      // A second call has no effect.
      storage.retries.resume(other);
      await storage.retries.pause();
      await storage.retries.stop();
    }));

  test('end after a timeout', () =>
    withHarness(async (world) => {
      const { fake, open } = world;
      await refuseMany(world);
      fake.fault = () => undefined;
      const storage = await open([1], { retryMilliseconds: 1 });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      await storage.retries.pause();
      vi.advanceTimersByTime(3_600_000);
      await storage.retries.pause();
      vi.advanceTimersByTime(11.5 * 3_600_000);
      await sleep(100);
      expect(storage.quarantinedPositions).not.toEqual([]);
      vi.advanceTimersByTime(3_600_000);
      await storage.retries.over;
      expect(storage.quarantinedPositions).toEqual([]);
    }));
});

test('a pause does not wait for the rest before the next step', () =>
  withHarness(async (world) => {
    const { fake, open } = world;
    await refuseMany(world);
    fake.before = async ({ kind }) => void (kind === 'insert' && (await sleep(1000)));
    const storage = await open([1]);
    const since = fake.calls.length;
    await expect.poll(() => triedPositions(world, since).length, { interval: 1 }).toBe(1);
    // The insert is over, and the next step waits four seconds.
    await sleep(1500);
    const began = performance.now();
    await storage.retries.pause();
    expect(performance.now() - began).toBeLessThan(1500);
    expect(storage.quarantinedPositions).toHaveLength(many);
    await storage.retries.stop();
  }));

test('a stop does not wait for a deletion behind which a try waits', () =>
  withHarness(async (world) => {
    await refuseMany(world);
    const { fake, open } = world;
    const storage = await open([1]);
    let end: (() => void) | undefined;
    // The first try has begun already, the next one has to wait.
    const long = storage.dataset(1)!.deletions.run(() => new Promise<void>((resolve) => (end = resolve)));
    await expect.poll(() => end).toBeDefined();
    await sleep(100);
    await storage.retries.stop();
    const calls = fake.calls.length;
    end!();
    await long;
    await storage.retries.over;
    expect(fake.calls.length).toBe(calls);
  }));

test('batches of a try that failed after its insert are in the engine once, whichever are tried with them', () =>
  withHarness(async (world) => {
    const { fake, open } = world;
    const some = all.slice(0, 20);
    await refuseMany(world, some);
    let inserts = 0;
    // The engine ends after one day of the newest eight, which are then tried again with the
    // oldest.
    fake.fault = ({ kind }) =>
      kind === 'insert' && ++inserts === 1 ? { kind: 'half', code: 'unavailable' } : undefined;
    const storage = await open([1]);
    await storage.retries.over;
    expect(fake.rows(1)).toEqual(some.flatMap((position) => [`${position}.0`, `${position}.1`]).toSorted());
    expect(storage.quarantinedPositions).toEqual([]);
  }));

test('no more are tried at once than one insert may hold, however many the engine takes', () =>
  withHarness(async (world) => {
    await refuseMany(world);
    world.fake.fault = () => undefined;
    const kept = (await QuarantinedBatches.open(world.metadata.database)).list();
    const since = world.fake.calls.length;
    const storage = await world.open([1], { insertBytes: 3 * Math.max(...kept.map(({ bytes }) => bytes)) });
    await storage.retries.over;
    const ranges = world.fake.calls
      .slice(since)
      .flatMap(({ sql }) => /_seq >= (\d+) AND _seq <= (\d+) GROUP BY/.exec(sql) ?? [])
      .map(Number);
    expect(ranges.slice(1, 3)).toEqual([many - 2, many]);
    expect(ranges.length / 3).toBe(Math.ceil(many / 3));
    expect([world.fake.rows(1).length, storage.quarantinedPositions]).toEqual([2 * many, []]);
  }));

test('the table has the columns of a batch before queries may name them', () =>
  withHarness(async (world) => {
    const { fake, metadata, open } = world;
    await refuseMany(world);
    // As by a vacuum when no other event has the field.
    const vacuumed = { column: [{ field: 'day', type: 'integer' }], overflow: [] } as const;
    await new FieldStore(metadata.database).remove(1, vacuumed);
    fake.fault = () => undefined;
    const known: boolean[] = [];
    const storage = await open([1]);
    fake.before = async ({ sql }) => {
      if (sql.includes('ADD COLUMN')) known.push(storage.dataset(1)!.fields.isIn('column', 'day', 'integer'));
    };
    await storage.retries.over;
    expect(known).toEqual([false]);
    expect(storage.dataset(1)!.fields.isIn('column', 'day', 'integer')).toBe(true);
    expect(fake.rows(1)).toHaveLength(2 * many);
  }));

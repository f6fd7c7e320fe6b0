import { afterEach, describe, expect, it, vi } from 'vitest';
import { append, fakeWorld, type FakeStorageHarness } from './testing/fake-harness.js';

const smallSegments = { logSegmentBytes: 4096, maxFrameBytes: 4096, maxLogBytes: 64 * 1024 };
let world: FakeStorageHarness;

afterEach(async () => {
  vi.useRealTimers();
  await world.close();
});

describe('the log keeps', () => {
  it('what a start has not compared yet, however long the start takes', async () => {
    world = await fakeWorld(smallSegments);
    const before = await world.open([1, 2]);
    await append(before, 1, [1]);
    await before.flush([1]);
    const rows: string[] = [];
    for (let i = 0; i < 80; i++) rows.push(`${(await append(before, 2, [1])).position}.0`);
    expect(world.log.stats().segments).toBeGreaterThan(2);

    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    world.fake.before = async ({ sql }) => {
      if (!sql.includes('GROUP BY dataset, _seq')) return;
      vi.advanceTimersByTime(60_000);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const after = await world.open([1, 2], { logKeepBytes: 1, logKeepMilliseconds: 1 });
    vi.useRealTimers();
    await after.flush([2]);
    expect(world.fake.rows(2)).toEqual(rows.toSorted());
  });

  it('nothing longer because of a batch the engine refuses, and the batch is not lost with it', async () => {
    world = await fakeWorld(smallSegments);
    const before = await world.open([1]);
    world.fake.fault = ({ positions }) => (positions.includes(1n) ? { kind: 'fails', code: 'rejected' } : undefined);
    for (let i = 0; i < 40; i++) await append(before, 1, [1], i === 0 ? 'key' : undefined);
    await before.flush([1]);
    await before.close();
    expect(world.log.stats().segments).toBe(1);
    expect(await world.log.readAt(1n)).toBeUndefined();

    const refusing = await world.open([1]);
    await refusing.flush([1]);
    expect(refusing.quarantinedPositions).toEqual([1n]);
    expect(refusing.stateOf(1n)).toBe('logged');
    world.fake.fault = () => undefined;
    const after = await world.open([1]);
    await Promise.all([after.flush([1]), after.retries.over]);
    expect(world.fake.rows(1)).toHaveLength(40);
    expect(after.stateOf(1n)).toBe('stored');
    expect(await world.metadata.database.selectFrom('refused_batches').selectAll().execute()).toEqual([]);
  });

  it('batches older than a rejected one, while neither is inserted', async () => {
    world = await fakeWorld(smallSegments);
    const before = await world.open([1, 2]);
    const rows: string[] = [];
    for (let i = 0; i < 40; i++) rows.push(`${(await append(before, 2, [1])).position}.0`);
    const { position } = await append(before, 1, [1]);
    world.fake.fault = ({ positions }) =>
      positions.includes(position) ? { kind: 'fails', code: 'rejected' } : undefined;
    await before.flush([1]);
    expect(before.quarantinedPositions).toEqual([position]);

    world.fake.fault = ({ positions }) => (positions.length > 0 ? { kind: 'fails', code: 'unavailable' } : undefined);
    const without = await world.open([1, 2]);
    expect(without.stateOf(1n)).toBe('logged');
    await without.close();
    world.fake.fault = () => undefined;
    const after = await world.open([1, 2]);
    await Promise.all([after.flush([1, 2]), after.retries.over]);
    expect(world.fake.rows(2)).toEqual(rows.toSorted());
    expect(world.fake.rows(1)).toEqual([`${position}.0`]);
  });

  it('nothing once all is stored and no more comes, and what comes then has positions behind it', async () => {
    world = await fakeWorld();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const storage = await world.open([1], { logKeepMilliseconds: 60_000 });
    for (let i = 0; i < 10; i++) await append(storage, 1, [1], undefined, 'x'.repeat(40_000));
    await storage.flush([1]);
    const pass = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        vi.advanceTimersByTime(10_000);
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await pass(6);
    expect(world.log.stats()).toMatchObject({ segments: 1, durablePosition: 10n });
    await pass(2);
    expect(world.log.stats()).toMatchObject({ segments: 1, durablePosition: 11n });
    expect(world.log.stats().bytes).toBeLessThan(200);
    vi.useRealTimers();

    await world.crash('power', 1);
    const after = await world.open([1]);
    expect((await append(after, 1, [1])).position).toBe(12n);
    await after.flush([1]);
    expect(world.fake.rows(1)).toHaveLength(11);
    expect(await after.verify()).toMatchObject({ batches: 1, events: 1, skipped: 0, wrong: [] });
    expect(world.errors).toEqual([]);
  });

  it('no more than it may when all is stored: a full log makes room as soon as it refuses', async () => {
    world = await fakeWorld(smallSegments);
    const storage = await world.open([1]);
    const fill = async (): Promise<string> => {
      for (let i = 0; i < 1000; i++) {
        try {
          await append(storage, 1, [1]);
        } catch (error) {
          return (error as { code: string }).code;
        }
      }
      return 'never full';
    };
    expect(await fill()).toBe('log-full');
    await storage.flush([1]);
    const code = (): Promise<unknown> =>
      append(storage, 1, [1]).then(
        () => 'taken',
        (error: { readonly code: string }) => error.code,
      );
    expect(await code()).toBe('log-full');
    await expect.poll(code).toBe('taken');
  });
});

describe('a log that has failed', () => {
  it('recovers with the disk even without events, and its health names no path', async () => {
    world = await fakeWorld();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const storage = await world.open([1]);
    const waitForRetry = async (): Promise<void> => {
      vi.advanceTimersByTime(2000);
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    world.files.capacity = 0;
    await expect(append(storage, 1, [1])).rejects.toMatchObject({ code: 'disk-full' });
    await waitForRetry();
    expect(storage.health()).toEqual({
      ready: false,
      acknowledges: false,
      complete: true,
      reasons: ['the disk of the log is full'],
    });
    world.files.capacity = Infinity;
    expect(storage.health().ready).toBe(false);
    await waitForRetry();
    expect(storage.health()).toEqual({ ready: true, acknowledges: true, complete: true, reasons: [] });
    storage.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

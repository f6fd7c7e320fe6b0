import { describe, expect, it } from 'vitest';
import type { Storage } from '../storage.js';
import { append, day, withHarness } from '../testing/fake-harness.js';
import { InventoryStore } from './inventory-store.js';

const one = { datasetId: 1, name: 'd' };
const first = (n: number): { datasetId: number; partition: number; events: number } => ({
  datasetId: 1,
  partition: 20_260_101,
  events: n,
});

const smallSegments = { logSegmentBytes: 4096, maxFrameBytes: 4096, maxLogBytes: 64 * 1024 };

/** Ends a server so that the log has no batch of dataset 1 any more. */
async function closeWithoutLog(storage: Storage): Promise<void> {
  for (let i = 0; i < 60; i++) await append(storage, 2, [1]);
  await storage.close();
}

describe('a vanished part that was not deleted counts as missing', () => {
  it('rows of a partition that the log no longer covers, with the time at which it was noticed', () =>
    withHarness(async (world) => {
      const before = await world.open([1, 2]);
      await append(before, 1, [1, 1, 1, 2]);
      await closeWithoutLog(before);
      world.fake.tables.set('d1', world.fake.tables.get('d1')!.slice(1));
      const after = await world.open([1, 2]);
      expect(after.health()).toMatchObject({
        ready: true,
        complete: false,
        reasons: [expect.stringMatching(/^1 stored/)],
      });
      const [found] = after.inventory.missing;
      expect(found).toMatchObject(first(1));
      expect(await after.verify()).toMatchObject({ missing: [found] });
      // New events do not compensate for it, and further losses are added.
      await append(after, 1, [1, 1]);
      await closeWithoutLog(after);
      world.fake.tables.set('d1', []);
      const later = await world.open([1, 2]);
      expect(later.inventory.missing).toMatchObject([
        { ...first(5), since: found!.since },
        { partition: 20_260_102, events: 1 },
      ]);
      await later.inventory.accept();
      expect(later.health().complete).toBe(true);
      expect((await world.open([1, 2])).health().complete).toBe(true);
    }, smallSegments));

  it('a whole table', () =>
    withHarness(async (world) => {
      const before = await world.open([1, 2]);
      await append(before, 1, [1]);
      await closeWithoutLog(before);
      world.fake.tables.delete('d1');
      expect((await world.open([1, 2])).inventory.missing).toMatchObject([first(1)]);
    }, smallSegments));

  it('not what the log still has', () =>
    withHarness(async (world) => {
      const before = await world.open([1]);
      await append(before, 1, [1]);
      await before.flush([1]);
      await before.inventory.check();
      world.fake.tables.clear();
      const after = await world.open([1]);
      await after.flush([1]);
      await after.inventory.check();
      expect(after.inventory.missing).toEqual([]);
      expect(world.fake.rows(1)).toHaveLength(1);
    }));
});

describe('deliberately deleted data is not missing', () => {
  it('by a trim that a crash cuts off before, in the middle of and after its work', () =>
    withHarness(async (world) => {
      for (const done of ['nothing', 'all'] as const) {
        const before = await world.open([1]);
        await append(before, 1, [1, 2, 3]);
        await before.close();
        const trimmed = await world.open([1]);
        world.fake.fault = ({ sql }) => (sql.includes('DROP PARTITION') ? { kind: 'dies', done } : undefined);
        void trimmed.deletions.trim(one, day(3));
        await expect.poll(() => world.fake.calls.some(({ sql }) => sql.includes('DROP PARTITION'))).toBe(true);
        world.fake.fault = () => undefined;
        const after = await world.open([1]);
        expect(after.inventory.missing).toEqual([]);
        await after.inventory.check();
        expect(await new InventoryStore(world.metadata.database).load()).toMatchObject({
          counts: expect.arrayContaining([{ datasetId: 1, partition: 20_260_103, rows: done === 'nothing' ? 1 : 2 }]),
        });
        await after.close();
      }
    }));

  it('by a trim during a look', () =>
    withHarness(async (world) => {
      const storage = await world.open([1]);
      await append(storage, 1, [1, 2, 3]);
      await storage.flush([1]);
      let trim: Promise<number> | undefined;
      world.fake.before = async ({ sql }) => {
        // After the partitions were counted, and before the counts are stored.
        if (sql.includes('has_lightweight_delete')) trim ??= storage.deletions.trim(one, day(3));
      };
      await storage.inventory.check();
      expect(await trim).toBe(2);
      world.fake.before = () => Promise.resolve();
      await storage.close();
      expect((await world.open([1])).inventory.missing).toEqual([]);
    }));

  it('with its dataset', () =>
    withHarness(async (world) => {
      const storage = await world.open([1]);
      await append(storage, 1, [1]);
      await storage.flush([1]);
      await storage.inventory.check();
      await storage.deleteDataset(one);
      await storage.close();
      expect((await world.open([])).inventory.missing).toEqual([]);
      expect(await new InventoryStore(world.metadata.database).load()).toEqual({ counts: [], missing: [] });
    }));
});

it('the log gives nothing up that has not been counted', () =>
  withHarness(async (world) => {
    const storage = await world.open([1]);
    await append(storage, 1, [1, 1]);
    await storage.flush([1]);
    const released = world.log.release.bind(world.log);
    const counted: unknown[] = [];
    Object.assign(world.log, {
      release: async (upTo: bigint) => {
        counted.push((await new InventoryStore(world.metadata.database).load()).counts);
        return released(upTo);
      },
    });
    await storage.close();
    expect(counted).toEqual([[{ datasetId: 1, partition: 20_260_101, rows: 2 }]]);
  }));

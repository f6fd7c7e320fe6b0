import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Storage } from '../storage.js';
import { append, day, type FakeStorageHarness, withHarness } from '../testing/fake-harness.js';

/** When partitions are merged, and that other work does not wait for merges. */

const limits = { mergeAfter: 20, retryMilliseconds: 5 };
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await sleep(2);
};
const statements = ({ fake }: FakeStorageHarness, begins: string): number =>
  fake.calls.filter(({ sql }) => sql.startsWith(begins)).length;
const looks = ({ fake }: FakeStorageHarness): number =>
  fake.calls.filter(({ sql }) => sql.includes(' FROM system.parts ') && !sql.includes('has_lightweight_delete')).length;

/** Makes every merge last until merges are stopped, like that of a large partition. */
function mergesAreLong({ fake }: FakeStorageHarness): void {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  fake.before = ({ sql }) => {
    if (sql.startsWith('SYSTEM STOP MERGES')) stop();
    return sql.startsWith('OPTIMIZE') ? stopped : Promise.resolve();
  };
}

describe('a partition that is quiet', () => {
  it('is merged once, and again when its parts have changed', () =>
    withHarness(async (world) => {
      world.fake.unmergedPartitions = [[1n, 20260101n, 7n, 60n]];
      const storage = await world.open([1], limits);
      await until(() => storage.isIdle);
      expect(world.fake.calls.at(-1)!.sql).toBe("OPTIMIZE TABLE `millrace`.`d1` PARTITION ID '20260101'");
      const before = looks(world);
      await append(storage, 1, [1]);
      await storage.flush([1]);
      await until(() => looks(world) > before && storage.isIdle);
      expect(statements(world, 'OPTIMIZE')).toBe(1);
      world.fake.unmergedPartitions = [[1n, 20260101n, 8n, 60n]];
      await append(storage, 1, [1]);
      await storage.flush([1]);
      await until(() => statements(world, 'OPTIMIZE') === 2);
      await storage.close();
    }));

  it('skips a failed merge until a change, and delays no other', () =>
    withHarness(async (world) => {
      world.fake.unmergedPartitions = [
        [1n, 20260101n, 7n, 60n],
        [1n, 20260102n, 7n, 60n],
      ];
      world.fake.fault = ({ sql }) => (sql.includes("'20260101'") ? { kind: 'fails', code: 'disk-full' } : undefined);
      const storage = await world.open([1], limits);
      await until(() => storage.isIdle);
      const before = looks(world);
      await append(storage, 1, [3]);
      await storage.flush([1]);
      await until(() => looks(world) > before && storage.isIdle);
      expect(statements(world, 'OPTIMIZE')).toBe(2);
      await storage.close();
    }));

  it('is not merged before it has been quiet for long enough', () =>
    withHarness(async (world) => {
      world.fake.unmergedPartitions = [[1n, 20260101n, 7n, 4n]];
      const storage = await world.open([1], { ...limits, mergeAfter: 5000 });
      await until(() => looks(world) > 0);
      expect(storage.isIdle).toBe(false);
      expect(statements(world, 'OPTIMIZE')).toBe(0);
      await storage.close();
    }));

  it('is found again without new events when the engine was merging some of its parts', () =>
    withHarness(async (world) => {
      // OPTIMIZE then succeeds without any effect.
      world.fake.unmergedPartitions = [[1n, 20260101n, 7n, 60n]];
      const storage = await world.open([1], limits);
      await until(() => storage.isIdle && statements(world, 'OPTIMIZE') === 1);
      const before = looks(world);
      await until(() => looks(world) > before && storage.isIdle);
      expect(statements(world, 'OPTIMIZE')).toBe(1);
      world.fake.unmergedPartitions = [[1n, 20260101n, 8n, 60n]];
      await until(() => statements(world, 'OPTIMIZE') === 2);
      await storage.close();
    }));

  it('is idle although deletions rewrite its parts repeatedly', () =>
    withHarness(async (world) => {
      let deletions = 0n;
      world.fake.before = ({ sql }) => {
        if (sql.includes(' FROM system.parts '))
          world.fake.unmergedPartitions = [[1n, 20260101n, ++deletions, 0n, 0n, 7n]];
        return Promise.resolve();
      };
      const storage = await world.open([1], limits);
      await until(() => statements(world, 'OPTIMIZE') > 0);
      expect(deletions).toBeGreaterThan(1n);
      await storage.close();
    }));

  it('is merged soon even if a look took long', { timeout: 20_000 }, () =>
    withHarness(async (world) => {
      // A check may take up a hundredth of the time: half a minute would have to pass.
      let looked = false;
      world.fake.before = async ({ sql }) => {
        if (looked || !sql.includes(' FROM system.parts ') || sql.includes('has_lightweight_delete')) return;
        looked = true;
        await sleep(300);
      };
      const storage = await world.open([1], limits);
      await until(() => storage.isIdle && looked);
      world.fake.unmergedPartitions = [[1n, 20260101n, 7n, 60n]];
      await until(() => statements(world, 'OPTIMIZE') === 1);
      expect(world.fake.calls.at(-1)!.sql).toContain("'20260101'");
      await storage.close();
    }),
  );

  it('rests for long after small additions, and delays nothing else', () =>
    withHarness(async (world) => {
      world.fake.unmergedPartitions = [
        [1n, 20260101n, 7n, 3599n, 3600n],
        [1n, 20260102n, 7n, 60n],
        [1n, 20260103n, 7n, 60n, 3600n],
      ];
      const storage = await world.open([1], limits);
      await until(() => storage.isIdle);
      expect(statements(world, 'OPTIMIZE')).toBe(1);
      world.fake.unmergedPartitions = [[1n, 20260101n, 7n, 3600n, 3600n]];
      await until(() => statements(world, 'OPTIMIZE') === 2);
      expect(world.fake.calls.at(-1)!.sql).toContain("'20260101'");
      const before = looks(world);
      await sleep(50);
      expect(looks(world)).toBe(before);
      await storage.close();
    }));

  it('waits during heavy ingest', () =>
    withHarness(async (world) => {
      const storage = await world.open([1, 2], { ...limits, flushBytes: 1 });
      await until(() => storage.isIdle);
      let go = (): void => undefined;
      const released = new Promise<void>((resolve) => (go = resolve));
      world.fake.before = ({ kind }) => (kind === 'insert' ? released : Promise.resolve());
      world.fake.unmergedPartitions = [[2n, 20260101n, 7n, 60n]];
      await append(storage, 1, [1]);
      const before = looks(world);
      await sleep(50);
      expect(looks(world)).toBe(before);
      go();
      await until(() => statements(world, 'OPTIMIZE') === 1);
      await storage.close();
    }));

  it('leaves tables without pending merges to the engine', () =>
    withHarness(async (world) => {
      world.fake.unmergedPartitions = [[1n, 20260101n, 7n, 60n]];
      const storage = await world.open([1], { ...limits, maxMergeBytes: 0 });
      await append(storage, 1, [1]);
      await storage.flush([1]);
      await until(() => storage.isIdle);
      expect(looks(world)).toBe(0);
      await storage.close();
    }));
});

describe('while a partition is merged', () => {
  it('events with new fields are stored, and a stop does not wait', () =>
    withHarness(async (world) => {
      world.fake.unmergedPartitions = [[1n, 20260101n, 7n, 60n]];
      mergesAreLong(world);
      const storage = await world.open([1], limits);
      await until(() => statements(world, 'OPTIMIZE') === 1);
      await append(storage, 1, [1, 2]);
      await storage.flush([1]);
      expect(world.fake.rows(1)).toEqual(['1.0', '1.1']);
      expect(storage.isIdle).toBe(false);
      await storage.close();
      expect(statements(world, 'SYSTEM START MERGES')).toBe(1);
      expect(statements(world, 'OPTIMIZE')).toBe(1);
    }));

  it('a deletion from its dataset ends that first, and one from another does not', () =>
    withHarness(async (world) => {
      const storage = await world.open([1, 2], limits);
      for (const id of [1, 2]) await append(storage, id, [1, 3]);
      await storage.flush([1, 2]);
      await until(() => storage.isIdle);
      world.fake.unmergedPartitions = [
        [1n, 20260101n, 7n, 60n],
        [1n, 20260103n, 7n, 60n],
      ];
      mergesAreLong(world);
      await append(storage, 1, [4]);
      await storage.flush([1]);
      await until(() => statements(world, 'OPTIMIZE') === 1);
      expect(await storage.deletions.trim({ datasetId: 2, name: 'other' }, day(2))).toBe(1);
      expect(statements(world, 'SYSTEM STOP MERGES')).toBe(0);
      expect(await storage.deletions.trim({ datasetId: 1, name: 'merged' }, day(2))).toBe(1);
      expect(statements(world, 'SYSTEM STOP MERGES')).toBe(1);
      expect(statements(world, 'SYSTEM START MERGES')).toBe(1);
      const sql = world.fake.calls.map((call) => call.sql);
      const begun = sql.findIndex((one) => one.startsWith('SYSTEM STOP MERGES'));
      const deleted = sql.findIndex((one, i) => i > begun && one.includes('DROP PARTITION'));
      expect(sql.slice(begun, deleted).filter((one) => one.startsWith('OPTIMIZE'))).toEqual([]);
      await until(() => statements(world, 'OPTIMIZE') === 3);
      await storage.close();
    }));

  describe('and a deletion has stopped it, but the engine rejects the statement that lets merges start again', () => {
    /** A storage after a failed deletion; the engine keeps rejecting the statement. */
    async function haltedStorage(world: FakeStorageHarness): Promise<Storage> {
      world.fake.unmergedPartitions = [[1n, 20260101n, 7n, 60n]];
      mergesAreLong(world);
      const storage = await world.open([1, 2], limits);
      await append(storage, 1, [1, 3]);
      await until(() => statements(world, 'OPTIMIZE') === 1);
      world.fake.fault = ({ sql }) =>
        sql.startsWith('SYSTEM START MERGES') ? { kind: 'fails', code: 'unavailable' } : undefined;
      // In the engine, the deletion would wait for merges to be allowed again.
      await expect(storage.deletions.trim({ datasetId: 1, name: 'merged' }, day(2))).rejects.toThrow('not available');
      expect(statements(world, 'ALTER TABLE `millrace`.`d1` DROP PARTITION')).toBe(0);
      return storage;
    }

    it('the server repeats it until the engine accepts it, and merging goes on', () =>
      withHarness(async (world) => {
        const storage = await haltedStorage(world);
        const tries = statements(world, 'SYSTEM START MERGES');
        await until(() => statements(world, 'SYSTEM START MERGES') > tries + 1);
        const sent = world.fake.calls.length;
        world.fake.fault = () => undefined;
        await until(() => statements(world, 'OPTIMIZE') === 2 && storage.isIdle);
        const since = world.fake.calls.slice(sent).map(({ sql }) => sql);
        expect(since.filter((sql) => sql.startsWith('SYSTEM'))).toEqual(['SYSTEM START MERGES `millrace`.`d1`']);
        expect(since.findIndex((sql) => sql.startsWith('SYSTEM'))).toBeLessThan(
          since.findIndex((sql) => sql.startsWith('OPTIMIZE')),
        );
        await storage.close();
      }));

    it('a further deletion sends it before it begins, and fails as long as the engine rejects it', () =>
      withHarness(async (world) => {
        const storage = await haltedStorage(world);
        const trim = () => storage.deletions.trim({ datasetId: 1, name: 'merged' }, day(2));
        await expect(trim()).rejects.toThrow('not available');
        world.fake.fault = () => undefined;
        const sent = world.fake.calls.length;
        expect(await trim()).toBe(1);
        const since = world.fake.calls.slice(sent).map(({ sql }) => sql);
        expect(since.findIndex((sql) => sql.startsWith('SYSTEM START'))).toBeGreaterThan(-1);
        expect(since.findIndex((sql) => sql.startsWith('SYSTEM START'))).toBeLessThan(
          since.findIndex((sql) => sql.includes('DROP PARTITION')),
        );
        await storage.close();
      }));

    it('the server stops sending it once the dataset is deleted', () =>
      withHarness(async (world) => {
        const storage = await haltedStorage(world);
        await storage.deleteDataset({ datasetId: 1, name: 'merged' });
        world.fake.fault = () => undefined;
        const tries = statements(world, 'SYSTEM START MERGES');
        await until(() => statements(world, 'SYSTEM START MERGES') > tries);
        await sleep(50);
        expect(statements(world, 'SYSTEM START MERGES')).toBe(tries + 1);
        await storage.close();
      }));
  });
});

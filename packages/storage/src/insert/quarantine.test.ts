import { sql } from 'kysely';
import type { Engine } from '@millrace/engine';
import { describe, expect, test } from 'vitest';
import type { Database } from '@millrace/metadata/database';
import { QuarantinedBatches } from './quarantine.js';
import type { Fault } from '../testing/fake-engine.js';
import { append, day, fakeWorld, type FakeStorageHarness, withHarness } from '../testing/fake-harness.js';
import type { Storage } from '../storage.js';

/**
 * Batches quarantined in a restored directory behave like those of a running server, which
 * inserter.test.ts covers.
 */

test('a batch that came refused with the metadata, without its log, shares its position with no other', async () => {
  const original = await fakeWorld();
  const restored = await fakeWorld();
  try {
    const before = await original.open([1]);
    original.fake.fault = ({ positions }) => (positions.includes(3n) ? { kind: 'fails', code: 'rejected' } : undefined);
    for (let i = 0; i < 3; i++) await append(before, 1, [1, 2]);
    await before.flush([1]);
    expect(before.quarantinedPositions).toEqual([3n]);

    // The metadata of a backup at position 1 also has batches quarantined after it.
    const payload = (await (await QuarantinedBatches.open(original.metadata.database)).payload(3n))!;
    await (await QuarantinedBatches.open(restored.metadata.database)).keep(3n, 1, payload);
    restored.fake.fault = original.fake.fault;
    const first = await restored.open([1]);
    await first.flush([1]);
    expect(first.quarantinedPositions).toEqual([3n]);
    expect(await append(first, 1, [5])).toEqual({ position: 4n });

    // It dies before a flush; the engine of the next one accepts everything.
    restored.fake.fault = () => undefined;
    const second = await restored.open([1]);
    await Promise.all([second.flush([1]), second.retries.over]);
    expect(second.quarantinedPositions).toEqual([]);
    expect(restored.fake.rows(1)).toEqual(['3.0', '3.1', '4.0']);
  } finally {
    await original.close();
    await restored.close();
  }
});

test('a batch counts as refused until it is stored, and no longer, however that is found out', () =>
  withHarness(async ({ fake, metadata, open }) => {
    const before = await open([1, 2]);
    fake.fault = ({ positions }) => (positions.length > 0 ? { kind: 'fails', code: 'rejected' } : undefined);
    await append(before, 1, [1]);
    await append(before, 2, [1]);
    await before.flush([1, 2]);
    expect(before.quarantinedPositions).toEqual([1n, 2n]);

    // A crash interrupts the deletion of a dataset; the next server completes it.
    const deleting = await open([1]);
    expect(deleting.quarantinedPositions).toEqual([1n]);
    await deleting.retries.over;
    expect(deleting.quarantinedPositions).toEqual([1n]);
    await deleting.deleteDataset({ datasetId: 2, name: 'gone' });
    expect([deleting.stateOf(1n), deleting.stateOf(2n)]).toEqual(['logged', 'stored']);

    // It is inserted at the next start, and the server dies before that is recorded.
    fake.fault = () => undefined;
    const payload = (await (await QuarantinedBatches.open(metadata.database)).payload(1n))!;
    await (
      await open([1])
    ).retries.over;
    await (await QuarantinedBatches.open(metadata.database)).keep(1n, 1, payload);
    const after = await open([1]);
    expect([after.quarantinedPositions, after.stateOf(1n)]).toEqual([[1n], 'logged']);
    await after.retries.over;
    expect([after.quarantinedPositions, after.stateOf(1n)]).toEqual([[], 'stored']);
    expect((await QuarantinedBatches.open(metadata.database)).list()).toEqual([]);
  }));

test('a recount lists it apart from batches that are wrong, whether or not the log still has it', () =>
  withHarness(async ({ fake, log, open }) => {
    const storage = await open([1, 2]);
    fake.fault = ({ positions }) => (positions.includes(2n) ? { kind: 'fails', code: 'rejected' } : undefined);
    for (let i = 0; i < 3; i++) await append(storage, 1, [1, 2]);
    await storage.flush([1]);
    fake.tables.set(
      'd1',
      fake.tables.get('d1')!.filter(({ seq, row }) => seq !== 3n || row === 0),
    );
    const wrong = [{ position: '3', datasetId: 1, events: 2, rows: 1 }];
    expect(await storage.verify()).toMatchObject({ batches: 3, events: 6, skipped: 0, wrong, refused: ['2'] });
    await log.release(2n);
    expect(await storage.verify()).toMatchObject({ refused: ['2'] });
    await storage.deleteDataset({ datasetId: 1, name: 'd' });
    expect(await storage.verify()).toMatchObject({ wrong: [], refused: [] });
  }));

test('a recount does not report a batch inserted concurrently', () =>
  withHarness(async ({ fake, open }) => {
    const before = await open([1]);
    fake.fault = ({ positions }) => (positions.includes(1n) ? { kind: 'fails', code: 'rejected' } : undefined);
    await append(before, 1, [1]);
    await append(before, 1, [1]);
    await before.flush([1]);
    fake.fault = () => undefined;
    const engine = fake.open();
    let storage: Storage | undefined;
    let pause = '';
    const query: Engine['query'] = async (sql, options) => {
      const answer = await engine.query(sql, options);
      if (storage !== undefined && sql.includes('GROUP BY dataset')) {
        storage.retries.resume(pause);
        await storage.retries.over;
      }
      return answer;
    };
    const opened = await open([1], { retryMilliseconds: 1 }, { ...engine, query });
    pause = await opened.retries.pause();
    expect(opened.quarantinedPositions).toEqual([1n]);
    storage = opened;
    expect(await storage.verify()).toMatchObject({ batches: 2, wrong: [], refused: [] });
  }));

test('an engine that cannot try a refused batch again hides nothing else', () =>
  withHarness(async ({ fake, open }) => {
    const before = await open([1]);
    fake.fault = ({ positions }) => (positions.includes(2n) ? { kind: 'fails', code: 'rejected' } : undefined);
    for (let i = 0; i < 3; i++) await append(before, 1, [1, 2]);
    await before.flush([1]);
    fake.fault = ({ kind }) => (kind === 'insert' ? { kind: 'fails', code: 'disk-full' } : undefined);
    const after = await open([1]);
    const seenFilters = async (): Promise<unknown> => {
      let filters: unknown;
      await after.reads.run([1], async (settings) => (filters = settings['additional_table_filters']));
      return filters;
    };
    await expect.poll(seenFilters).toBe("{'millrace.d1': '_seq < 4 AND _seq NOT IN (2)'}");
    await append(after, 1, [1]);
    await append(after, 1, [1]);
    await expect(after.flush([1])).rejects.toMatchObject({ code: 'disk-full' });
    expect(await seenFilters()).toBe("{'millrace.d1': '_seq < 4 AND _seq NOT IN (2)'}");
    fake.fault = () => undefined;
    await after.retries.over;
    await after.flush([1]);
    expect(String(await seenFilters())).not.toContain('NOT IN');
    expect(fake.rows(1)).toEqual(['1.0', '1.1', '2.0', '2.1', '3.0', '3.1', '4.0', '5.0']);
  }));

describe('a trim while there are refused batches', () => {
  const dataset = { datasetId: 1, name: 'd' };
  /**
   * A storage whose engine rejects batch 1, which has an old and a young event, and batch 2, which
   * has only old events.
   */
  async function openQuarantined({ fake, open }: FakeStorageHarness): Promise<Storage> {
    const storage = await open([1]);
    fake.fault = ({ positions }) =>
      positions.includes(1n) || positions.includes(2n) ? { kind: 'fails', code: 'rejected' } : undefined;
    await append(storage, 1, [1, 20]);
    await append(storage, 1, [1, 2]);
    await append(storage, 1, [1, 20]);
    await storage.flush([1]);
    expect(storage.quarantinedPositions).toEqual([1n, 2n]);
    return storage;
  }
  const left = ['1.1', '3.1'];

  test('their old events stay out when the engine takes them, and the young ones come in', () =>
    withHarness(async (world) => {
      const before = await openQuarantined(world);
      expect(await before.deletions.trim(dataset, day(10))).toBe(1);
      // The second batch had only old events and is deleted.
      expect([before.quarantinedPositions, before.health().reasons]).toEqual([
        [1n],
        [expect.stringMatching(/^1 batches/)],
      ]);
      // Neither a restart with an engine that still rejects the first batch nor a trim of fewer
      // events changes anything.
      const between = await world.open([1]);
      await between.retries.over;
      expect(await between.deletions.trim(dataset, day(5))).toBe(0);
      expect([between.quarantinedPositions, world.fake.rows(1)]).toEqual([[1n], ['3.1']]);

      world.fake.fault = () => undefined;
      for (let start = 0; start < 2; start++) {
        const after = await world.open([1]);
        await append(after, 1, [20]);
        await Promise.all([after.flush([1]), after.retries.over]);
        expect(world.fake.rows(1)).toEqual([...left, '4.0', ...(start === 1 ? ['5.0'] : [])]);
        expect([after.quarantinedPositions, (await after.verify()).wrong]).toEqual([[], []]);
      }
    }));

  test('they can be trimmed away entirely, also by a later trim that reaches further', () =>
    withHarness(async (world) => {
      const storage = await openQuarantined(world);
      await storage.deletions.trim(dataset, day(10));
      await storage.deletions.trim(dataset, day(21));
      expect([storage.quarantinedPositions, storage.health().reasons]).toEqual([[], []]);
      world.fake.fault = () => undefined;
      const after = await world.open([1]);
      await after.retries.over;
      expect(world.fake.rows(1)).toEqual([]);
    }));

  test('a batch that was half inserted and then trimmed is not completed with events older than the trim', () =>
    withHarness(async (world) => {
      const before = await world.open([1]);
      await append(before, 1, [1, 20, 2]);
      let inserts = 0;
      world.fake.fault = ({ kind }) => {
        if (kind !== 'insert') return undefined;
        return ++inserts === 1 ? { kind: 'half', code: 'unavailable' } : { kind: 'fails', code: 'rejected' };
      };
      await expect(before.flush([1])).rejects.toThrow('not available');
      await before.flush([1]);
      expect([before.quarantinedPositions, world.fake.rows(1)]).toEqual([[1n], ['1.0']]);
      expect(await before.deletions.trim(dataset, day(10))).toBe(1);
      world.fake.fault = () => undefined;
      const after = await world.open([1]);
      await after.retries.over;
      expect([after.quarantinedPositions, world.fake.rows(1)]).toEqual([[], ['1.1']]);
    }));

  test('a trim that cannot record which events have to stay out deletes nothing, and can be tried again', () =>
    withHarness(async (world) => {
      const storage = await openQuarantined(world);
      const { database } = world.metadata;
      await sql`CREATE TRIGGER full BEFORE UPDATE ON refused_batches BEGIN SELECT RAISE(FAIL, 'no room'); END`.execute(
        database,
      );
      await expect(storage.deletions.trim(dataset, day(10))).rejects.toThrow('no room');
      expect(world.fake.rows(1)).toEqual(['3.0', '3.1']);
      await sql`DROP TRIGGER full`.execute(database);
      expect(await storage.deletions.trim(dataset, day(10))).toBe(1);
      world.fake.fault = () => undefined;
      await (
        await world.open([1])
      ).retries.over;
      expect(world.fake.rows(1)).toEqual(left);
    }));

  const faults: readonly (readonly [string, Fault])[] = [
    ['fails before a call', { kind: 'fails', code: 'unavailable' }],
    ['fails when a call is half done', { kind: 'half', code: 'unavailable' }],
    ['refuses what a call holds', { kind: 'fails', code: 'rejected' }],
    ['is gone with the server before a call', { kind: 'dies', done: 'nothing' }],
    ['is gone with the server after a call', { kind: 'dies', done: 'all' }],
  ];

  const phases = ['trim', 'start'] as const;
  const cases = phases.flatMap((phase) => faults.map(([title, fault]) => [title, phase, fault] as const));
  test.each(cases)('the engine %s of the %s: all is well in the end', async (_, phase, fault) => {
    let calls = 0;
    for (let met = true; met; calls++) {
      await withHarness(async (world) => {
        const before = await openQuarantined(world);
        const refuses = world.fake.fault;
        met = false;
        /** Waits for the work, with one fault injected, until it is over or the server is dead. */
        const withFault = async (otherwise: typeof refuses, work: Promise<unknown>): Promise<void> => {
          const skipped = world.fake.calls.length;
          const died = new Promise<void>((resolve) => {
            world.fake.fault = (call, nth) => {
              if (nth !== skipped + calls + 1) return otherwise(call, nth);
              met = true;
              if (fault.kind === 'dies') setImmediate(resolve);
              return fault;
            };
          });
          await Promise.race([work.catch(() => undefined), died]);
        };
        let trimmed = phase === 'start';
        const trim = (): Promise<unknown> => before.deletions.trim(dataset, day(10)).then(() => (trimmed = true));
        const start = async (): Promise<Storage> => {
          const storage = await world.open([1]);
          await Promise.all([storage.flush([1]), storage.retries.over]);
          return storage;
        };
        if (phase === 'trim') await withFault(refuses, Promise.resolve().then(trim));
        else {
          await trim();
          await withFault(() => undefined, Promise.resolve().then(start));
        }
        world.fake.fault = () => undefined;
        const after = await start();
        const rows = world.fake.rows(1);
        expect(new Set(rows).size, 'an event is there twice').toBe(rows.length);
        expect(rows, 'an event is lost').toEqual(expect.arrayContaining(left));
        if (trimmed) expect(rows, 'a trimmed event is back').toEqual(left);
        await after.deletions.trim(dataset, day(10));
        expect([after.quarantinedPositions, world.fake.rows(1)]).toEqual([[], left]);
      });
    }
    expect(calls).toBeGreaterThan(3);
  });
});

/** Metadata that apply changes to a table but report them as failed while `wanted` is true. */
function reportingFailures(database: Database, table: string, wanted: () => boolean): Database {
  const failing = new WeakSet<object>();
  return database.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const changes = /^(?:Insert|Delete)QueryNode$/.test(node.kind) && JSON.stringify(node).includes(table);
      if (changes && wanted()) failing.add(queryId);
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      if (failing.has(queryId)) throw new Error('the metadata fail');
      return result;
    },
  });
}

test('trimmed events do not come back with a batch that was kept although that was reported as failed', () =>
  withHarness(async ({ fake, metadata, open }) => {
    let fails = true;
    const storage = await open(
      [1],
      {},
      undefined,
      reportingFailures(metadata.database, 'refused_batches', () => fails),
    );
    fake.fault = ({ positions }) => (positions.length > 0 ? { kind: 'fails', code: 'rejected' } : undefined);
    await append(storage, 1, [1, 20]);
    await expect(storage.flush([1])).rejects.toThrow('not available');
    fake.fault = () => undefined;
    fails = false;
    await storage.flush([1]);
    expect([storage.quarantinedPositions, fake.rows(1)]).toEqual([[], ['1.0', '1.1']]);
    expect(await storage.deletions.trim({ datasetId: 1, name: 'd' }, day(10))).toBe(1);
    const after = await open([1]);
    await after.retries.over;
    expect([after.quarantinedPositions, fake.rows(1)]).toEqual([[], ['1.1']]);
  }));

test('a batch whose removal failed is no longer rejected after another trim', () =>
  withHarness(async ({ fake, metadata, open }) => {
    let fails = false;
    const storage = await open(
      [1],
      {},
      undefined,
      reportingFailures(metadata.database, 'refused_batches', () => fails),
    );
    fake.fault = ({ positions }) => (positions.length > 0 ? { kind: 'fails', code: 'rejected' } : undefined);
    await append(storage, 1, [1]);
    await storage.flush([1]);
    const trim = (): Promise<number> => storage.deletions.trim({ datasetId: 1, name: 'd' }, day(10));
    fails = true;
    await expect(trim()).rejects.toThrow('the metadata fail');
    fails = false;
    await trim();
    expect(storage.quarantinedPositions).toEqual([]);
  }));

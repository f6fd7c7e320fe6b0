import { DEFAULT_BUDGET, DEFAULT_LIMITS, encodeJson, nativeBlocks } from '@millrace/events';
import { type Engine, EngineError } from '@millrace/engine';
import { call, column, literal } from '@millrace/sql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoredDataset } from '../fields/dataset.js';
import { writeFrame } from '../frame.js';
import { standardColumn } from '../tables/new-column.js';
import { addColumns, createDatabase, createTable, tableOf } from '../tables/table-of-dataset.js';
import { body, dataset, datasetId, encode, upTo, realWorld, type StorageHarness } from '../testing/harness.js';

/** At start the log has a batch, and a real engine none, some or all of its rows. */

let world: StorageHarness;

beforeEach(async () => {
  world = await realWorld();
});

afterEach(() => world.close());

describe('a start', () => {
  const cases: readonly (readonly [string, Parameters<typeof call>[] | 'nothing' | 'all'])[] = [
    ['nothing of a batch went in', 'nothing'],
    ['one of three days went in', [['less', column('_row'), literal(1n)]]],
    ['two of three days went in', [['notEquals', call('modulo', column('_row'), literal(3n)), literal(2n)]]],
    ['all of it went in', 'all'],
  ];

  it.each(cases)('%s', async (_, inserted) => {
    const before = new StoredDataset(datasetId, DEFAULT_BUDGET);
    const { block } = encode(before, body(30));
    const arrival = 1_767_225_600_000_000_000n;
    const { position, durable } = world.log.append(writeFrame({ datasetId, arrival, block }));
    await durable;
    await createDatabase(world.engine);
    await createTable(world.engine, datasetId);
    await addColumns(world.engine, datasetId, [standardColumn({ field: 'id', type: 'integer' })]);
    if (inserted !== 'nothing') {
      const native = nativeBlocks([{ block, seq: position, arrival }]);
      const [where] = inserted === 'all' ? [] : inserted.map((args) => call(...args));
      await world.engine.insert({
        table: tableOf(datasetId),
        columns: native.columns,
        chunks: native.chunks,
        ...(where !== undefined && { where }),
      });
    }
    const { storage, recovery } = await world.open();
    await storage.flush([datasetId]);
    expect(await world.ids()).toEqual(upTo(30));
    expect(recovery).toMatchObject({ frames: 1, stored: inserted === 'all' ? 1 : 0 });
    expect(await storage.verify()).toMatchObject({ batches: 1, events: 30, wrong: [] });
    await storage.close();
  });

  it('does not restore deliberately deleted data', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    await storage.intake.append(stored, encode(stored, body(30)), { arrival: 1n });
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(10);
    const again = await world.open();
    await again.storage.flush([datasetId]);
    expect(await world.ids()).toEqual(upTo(30).filter((id) => id % 3 !== 0));
  });

  it('inserts no trimmed events, neither from a batch that was refused whole nor from one that was half inserted', async () => {
    const { engine } = world;
    let inserts = 0;
    const refusing: Engine = {
      query: (sql, options) => engine.query(sql, options),
      stream: (sql, options) => engine.stream(sql, options),
      execute: (sql, options) => engine.execute(sql, options),
      onReady: (listener) => engine.onReady(listener),
      health: () => engine.health(),
      close: () => engine.close(),
      insert: async (insert) => {
        inserts++;
        const half = call('notEquals', call('modulo', column('_row'), literal(3n)), literal(2n));
        if (inserts === 1) await engine.insert({ ...insert, where: half });
        throw new EngineError(inserts === 1 ? 'unavailable' : 'rejected', 'a test wants it');
      },
    };
    const { storage } = await world.open(refusing);
    const stored = storage.dataset(datasetId)!;
    await storage.intake.append(stored, encode(stored, body(30)), { arrival: 1n });
    await expect(storage.flush([datasetId])).rejects.toThrow('not available');
    await storage.intake.append(stored, encode(stored, body(30)), { arrival: 1n });
    await storage.flush([datasetId]);
    expect(storage.quarantinedPositions).toEqual([1n, 2n]);
    expect(await world.ids()).toEqual(upTo(30).filter((id) => id % 3 !== 2));
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(10);
    storage.stop();
    for (let start = 0; start < 2; start++) {
      const again = await world.open();
      await Promise.all([again.storage.flush([datasetId]), again.storage.retries.over]);
      const left = upTo(30).filter((id) => id % 3 !== 0);
      expect(await world.ids()).toEqual(left.flatMap((id) => [id, id]));
      expect([again.storage.quarantinedPositions, (await again.storage.verify()).wrong]).toEqual([[], []]);
      again.storage.stop();
    }
  });

  it('knows fields of the overflow column', async () => {
    const rare = (id: number) =>
      encodeJson(Buffer.from(JSON.stringify({ id, rare: id })), {
        arrivalTime: 1n,
        mapFields: new Set(),
        placement: { place: ({ uses }) => uses.map(({ field }) => field !== 'rare') },
        limits: DEFAULT_LIMITS,
      });
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    for (let id = 0; id < 3; id++) await storage.intake.append(stored, rare(id), { arrival: 1n });
    storage.stop();
    // Killed before and after the first insert: from the log, then from the metadata.
    for (let start = 0; start < 2; start++) {
      const again = await world.open();
      await again.storage.flush([datasetId]);
      expect(again.storage.dataset(datasetId)!.fields.types('rare')?.get('integer')).toEqual({
        column: false,
        overflow: true,
      });
      expect(await again.storage.verify()).toMatchObject({ batches: 3, events: 3, wrong: [] });
      again.storage.stop();
    }
  });

  it('knows fields of the overflow column even if the frame in which they first came was lost', async () => {
    const { block } = encodeJson(Buffer.from('{"id":1,"rare":"x","ra#re":true}'), {
      arrivalTime: 1n,
      mapFields: new Set(),
      placement: { place: ({ uses }) => uses.map(({ field }) => field === 'id') },
      limits: DEFAULT_LIMITS,
    });
    await world.log.append(writeFrame({ datasetId, arrival: 1n, block })).durable;
    const { storage } = await world.open();
    const overflow = { column: false, overflow: true };
    expect(storage.dataset(datasetId)!.fields.types('rare')?.get('string')).toEqual(overflow);
    expect(storage.dataset(datasetId)!.fields.types('ra#re')?.get('boolean')).toEqual(overflow);
  });

  it('ignores batches of datasets that are gone', async () => {
    const { block } = encode(new StoredDataset(9, DEFAULT_BUDGET), body(3));
    await world.log.append(writeFrame({ datasetId: 9, arrival: 1n, block })).durable;
    const { recovery } = await world.open();
    expect(recovery).toMatchObject({ orphaned: 1, replayed: 0 });
  });
});

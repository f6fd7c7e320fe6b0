import { DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackpressureError } from './backpressure.js';
import { dataset, datasetId, encode, upTo, realWorld, type StorageHarness } from './testing/harness.js';

let world: StorageHarness;

beforeEach(async () => {
  world = await realWorld();
});

afterEach(() => world.close());

/** From a request's events to a query's result, over a real engine. */

describe('storage', () => {
  it('merges many small batches into one insert and keeps them distinguishable', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    const events = Array.from({ length: 50 }, (_, id) => Buffer.from(JSON.stringify({ id, [`f${id}`]: String(id) })));
    await Promise.all(events.map((event) => storage.intake.append(stored, encode(stored, event), { arrival: 1n })));
    await storage.flush([datasetId]);
    expect(await world.ids()).toEqual(upTo(50));
    expect(await storage.verify()).toMatchObject({ batches: 50, wrong: [] });
    expect(storage.fields(dataset).size).toBe(51);
    await storage.close();
  });

  it('stores large and small batches, whose columns and their types differ, with one insert', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    const repeats = (id: number) => ({ id, text: `t${id % 5}`, [id % 2 === 0 ? 'even' : 'rare']: id / 2 });
    const differs = (id: number) => ({ id, text: `unique ${id}`, other: [id] });
    const batches = [
      Array.from({ length: 1500 }, (_, n) => repeats(n)),
      [repeats(1500)],
      [differs(1501), repeats(1502)],
      Array.from({ length: 1100 }, (_, n) => differs(1503 + n)),
      Array.from({ length: 1200 }, (_, n) => repeats(2603 + n)),
      [differs(3803)],
    ];
    for (const events of batches) {
      const encoded = encodeJson(Buffer.from(JSON.stringify(events)), {
        arrivalTime: 1_767_225_600_000_000_000n,
        mapFields: new Set(),
        placement: { place: ({ uses }) => uses.map(({ field }) => field !== 'rare') },
        limits: DEFAULT_LIMITS,
      });
      await storage.intake.append(stored, encoded, { arrival: 1n });
    }
    await storage.flush([datasetId]);
    const { body } = await world.engine.query(
      'SELECT `id#i` AS id, `text#s` AS text, `even#i` AS even, `_overflow` AS rare, `other#j` AS other FROM millrace.d1 ORDER BY _seq, _row',
      { format: 'JSONEachRow' },
    );
    const rows = Buffer.from(body)
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const { id, text, even, rare, other } = JSON.parse(line) as Record<string, unknown>;
        const values = Object.values(rare as object).map(Number);
        return { id, text, half: even ?? values[0] ?? null, other: other ?? null };
      });
    const expected = batches.flat().map((event) => {
      const { id, text, even, rare, other } = event as Record<string, unknown>;
      return { id, text, half: even ?? rare ?? null, other: other === undefined ? null : JSON.stringify(other) };
    });
    expect(rows).toEqual(expected);
    await storage.close();
  });

  it('refuses to take more than it may hold, and takes it again once it has caught up', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    const large = () => encode(stored, Buffer.from(JSON.stringify({ id: 0, text: 'x'.repeat(900_000) })));
    // More than the three quarters of the capacity that one sender may use.
    await storage.intake.append(stored, large(), { arrival: 1n });
    await expect(storage.intake.append(stored, large(), { arrival: 1n })).rejects.toBeInstanceOf(BackpressureError);
    await storage.flush([datasetId]);
    await storage.intake.append(stored, large(), { arrival: 1n });
    await storage.close();
  });

  it('takes events of very many days at once', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    const days = Array.from({ length: 60 }, (_, id) => ({ _time: new Date(id * 86_400_000).toISOString(), id }));
    await storage.intake.append(stored, encode(stored, Buffer.from(JSON.stringify(days))), { arrival: 1n });
    await storage.flush([datasetId]);
    expect(await world.ids()).toEqual(upTo(60));
    await storage.close();
  }, 30_000);
});

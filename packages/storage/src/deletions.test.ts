import { setTimeout as pause } from 'node:timers/promises';
import { type Engine, EngineError } from '@millrace/engine';
import { call, column, item, literal, select } from '@millrace/sql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from './storage.js';
import { body, dataset, datasetId, encode, realWorld, type StorageHarness } from './testing/harness.js';
import { listedFields } from './testing/listed-fields.js';

let world: StorageHarness;

beforeEach(async () => {
  world = await realWorld();
});

afterEach(() => world.close());

/** The engine, with another `execute`. */
const engineThat = (execute: Engine['execute']): Engine => ({
  ...world.engine,
  query: (sql, options) => world.engine.query(sql, options),
  insert: (insert) => world.engine.insert(insert),
  onReady: (listener) => world.engine.onReady(listener),
  health: () => world.engine.health(),
  execute,
});

describe('a vacuum', () => {
  it('takes away columns no event uses, and later events bring them back', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    await storage.intake.append(
      stored,
      encode(stored, Buffer.from('{"id":1,"_time":"2026-01-01T00:00:00Z","old":true}')),
      {
        arrival: 1n,
      },
    );
    await storage.intake.append(stored, encode(stored, Buffer.from('{"id":2,"_time":"2026-01-03T00:00:00Z"}')), {
      arrival: 1n,
    });
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(1);
    expect(await storage.deletions.vacuum(dataset)).toEqual(['old']);
    expect(listedFields(storage, dataset).map(({ name }) => name)).toEqual(['id']);
    await storage.intake.append(stored, encode(stored, Buffer.from('{"id":3,"old":"back"}')), { arrival: 1n });
    await storage.flush([datasetId]);
    expect(await world.ids()).toEqual([2, 3]);
    expect(listedFields(storage, dataset)).toEqual([
      { name: 'id', type: 'integer' },
      { name: 'old', type: 'string' },
    ]);
    await storage.close();
  });

  it.each([
    ['fails in the engine', 'fails'],
    ['is killed', 'dies'],
  ])('that %s between metadata and table is finished by the next one', async (_, ends) => {
    let signalReached = (): void => undefined;
    const dropping = new Promise<void>((resolve) => (signalReached = resolve));
    const during = engineThat(async (sql, options) => {
      if (!sql.includes('DROP COLUMN')) return world.engine.execute(sql, options);
      signalReached();
      if (ends === 'dies') await new Promise(() => undefined);
      throw new EngineError('unavailable', 'a test wants it');
    });
    const { storage } = await world.open(during);
    const stored = storage.dataset(datasetId)!;
    const append = (event: string) =>
      storage.intake.append(stored, encode(stored, Buffer.from(event)), { arrival: 1n });
    await append('{"id":1,"_time":"2026-01-01T00:00:00Z","old":true}');
    await append('{"id":2,"_time":"2026-01-03T00:00:00Z"}');
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(1);
    const ended = storage.deletions.vacuum(dataset).catch((error: Error) => error);
    await dropping;
    if (ends === 'fails') expect(await ended).toBeInstanceOf(EngineError);
    storage.stop();

    const { storage: next } = await world.open();
    expect(listedFields(next, dataset).map(({ name }) => name)).toEqual(['id']);
    await world.engine.execute('ALTER TABLE millrace.d1 ADD COLUMN `unknown#i` Nullable(Int64) DEFAULT 5');
    const columns = async (): Promise<string> => {
      const { body } = await world.engine.query('DESCRIBE TABLE millrace.d1', { format: 'JSONEachRow' });
      return Buffer.from(body).toString();
    };
    expect(await columns()).toContain('old#');
    expect(await next.deletions.vacuum(dataset)).toEqual(['old']);
    expect(await columns()).not.toContain('old#');
    expect(await columns(), 'it has values').toContain('unknown#i');
    expect(await world.ids()).toEqual([2]);
    await next.close();
  });

  it('behind a deletion that a crash left holds up neither inserts nor other tables', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    const append = async (event: string): Promise<void> => {
      await storage.intake.append(stored, encode(stored, Buffer.from(event)), { arrival: 1n });
      await storage.flush([datasetId]);
    };
    await append('{"id":1,"_time":"2026-01-01T00:00:00Z","old":true}');
    await append('{"id":2,"_time":"2026-01-03T00:00:00Z"}');
    await append('{"id":3,"_time":"2026-01-03T00:00:00Z"}');
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(1);
    // It cannot begin, so it takes long.
    await world.engine.execute('SYSTEM STOP MERGES millrace.d1');
    await world.engine.execute('DELETE FROM millrace.d1 WHERE `id#i` = 2 SETTINGS lightweight_deletes_sync = 0');
    let over = false;
    const vacuum = storage.deletions.vacuum(dataset).finally(() => (over = true));
    // Long enough for the deletion to progress until it blocks.
    await pause(1500);
    await append('{"id":4,"fresh":1}');
    await storage.createDataset({ datasetId: 2, name: 'other' });
    expect(over).toBe(false);
    await world.engine.execute('SYSTEM START MERGES millrace.d1');
    expect(await vacuum).toEqual(['old']);
    expect(await world.ids()).toEqual([3, 4]);
    await storage.close();
  });

  it('does not remove a column that receives events concurrently', async () => {
    let storage: Storage | undefined;
    const meanwhile = async (): Promise<void> => {
      const stored = storage!.dataset(datasetId)!;
      await storage!.intake.append(stored, encode(stored, Buffer.from('{"id":2,"old":"late"}')), { arrival: 1n });
      void storage!.flush([datasetId]);
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const during = engineThat(async (sql, options) => {
      if (sql.includes('DROP COLUMN')) await meanwhile();
      return world.engine.execute(sql, options);
    });
    ({ storage } = await world.open(during));
    const stored = storage.dataset(datasetId)!;
    const first = encode(stored, Buffer.from('{"id":1,"_time":"2026-01-01T00:00:00Z","old":"early"}'));
    await storage.intake.append(stored, first, { arrival: 1n });
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(1);
    await storage.deletions.vacuum(dataset);
    await storage.flush([datasetId]);
    const { columns } = await world.engine.query('SELECT `old#s` FROM millrace.d1', { format: 'JSONCompactColumns' });
    expect(Buffer.from(columns[0]!.values).toString()).toBe('["late"]');
    expect(listedFields(storage, dataset).map(({ name }) => name)).toContain('old');
    await storage.close();
  });

  it('drops unused names of the overflow column, except names of pending events', async () => {
    // The engine's result does not cover the backlog: an event arrives during the search for used
    // names.
    let storage: Storage | undefined;
    const append = (event: string) => {
      const stored = storage!.dataset(datasetId)!;
      return storage!.intake.append(stored, encode(stored, Buffer.from(event)), { arrival: 1n });
    };
    const during: Engine = {
      ...engineThat((sql, options) => world.engine.execute(sql, options)),
      query: async (sql, options) => {
        const answer = await world.engine.query(sql, options);
        if (sql.includes('mapKeys')) await append('{"id":3,"late\\u0000":1,"again\\u0000":1}');
        return answer;
      },
    };
    ({ storage } = await world.open(during));
    // A column name cannot contain a NUL, so these are in the overflow column.
    await append('{"id":1,"_time":"2026-01-01T00:00:00Z","old\\u0000":1,"again\\u0000":1,"kept\\u0000":true}');
    await append('{"id":2,"_time":"2026-01-03T00:00:00Z","kept\\u0000":"x"}');
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(1);
    expect(await storage.deletions.vacuum(dataset)).toEqual(['old\0']);
    const left = [
      { name: 'again\0', type: 'integer' },
      { name: 'id', type: 'integer' },
      { name: 'kept\0', type: 'string' },
      { name: 'late\0', type: 'integer' },
    ];
    expect(listedFields(storage, dataset)).toEqual(left);
    await storage.flush([datasetId]);
    storage.stop();
    const { storage: next } = await world.open();
    expect(listedFields(next, dataset)).toEqual(left);
    await next.close();
  });

  it('knows the columns that are not in the table yet', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    await storage.intake.append(stored, encode(stored, body(1)), { arrival: 1n });
    // As after an insert that the engine rejected before the table got its columns.
    stored.learn({ rows: 1, columns: [{ name: 'never#s', type: 'String', data: new Uint8Array() }] }, []);
    stored.learn({ rows: 1, columns: [{ name: 'rare#s', type: 'String', data: new Uint8Array() }] }, [
      { field: 'rare', type: 'string' },
    ]);
    expect(await storage.deletions.vacuum(dataset)).toEqual(['never', 'rare']);
    expect(listedFields(storage, dataset).map(({ name }) => name)).toEqual(['id']);
    await storage.close();
  });

  it('is not undone: what it took does not come back with the next start', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    const early = encode(stored, Buffer.from('{"id":1,"_time":"2026-01-01T00:00:00Z","old":true}'));
    await storage.intake.append(stored, early, { arrival: 1n });
    const late = encode(stored, Buffer.from('{"id":2,"_time":"2026-01-03T00:00:00Z"}'));
    await storage.intake.append(stored, late, { arrival: 1n });
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(1);
    expect(await storage.deletions.vacuum(dataset)).toEqual(['old']);
    storage.stop();
    const again = await world.open();
    expect(listedFields(again.storage, dataset)).toEqual([{ name: 'id', type: 'integer' }]);
    await again.storage.close();
  });
});

describe('a deletion', () => {
  it('that takes minutes holds up neither new columns nor other datasets; further ones of its dataset run after it', async () => {
    const long = new AbortController();
    const begun: string[] = [];
    const during = engineThat(async (sql, options) => {
      if (sql.startsWith('DELETE')) {
        begun.push('delete');
        const endless = "INSERT INTO FUNCTION null('n UInt64') SELECT sipHash64(number) FROM numbers(1000000000000000)";
        await world.engine.execute(endless, { ...options, signal: long.signal }).catch(() => undefined);
      }
      if (sql.includes('DROP PARTITION')) begun.push('drop');
      return world.engine.execute(sql, options);
    });
    const { storage } = await world.open(during);
    const stored = storage.dataset(datasetId)!;
    const append = (event: string) =>
      storage.intake.append(stored, encode(stored, Buffer.from(event)), { arrival: 1_767_400_000_000_000_000n });
    await append('{"id":1,"_time":"2026-01-01T00:00:00Z"}');
    await append('{"id":2,"_time":"2026-01-01T20:00:00Z"}');
    await append('{"id":3,"_time":"2026-01-03T00:00:00Z"}');
    const morning = storage.deletions.trim(dataset, 1_767_268_800_000_000_000n);
    while (begun.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const day = storage.deletions.trim(dataset, 1_767_312_000_000_000_000n);
    await append('{"id":4,"_time":"2026-01-03T00:00:01Z","new":"column"}');
    await storage.flush([datasetId]);
    expect(await world.ids()).toEqual([1, 2, 3, 4]);
    await storage.createDataset({ datasetId: datasetId + 1, name: 'other' });
    long.abort();
    expect([await morning, await day]).toEqual([1, 1]);
    expect(begun).toEqual(['delete', 'drop']);
    expect(await world.ids()).toEqual([3, 4]);
    await storage.close();
  });

  it.each(['unknown-table', 'internal'] as const)(
    'reports the deletion of a concurrently deleted dataset, though the engine says %s',
    async (code) => {
      let gone: Promise<void> | undefined;
      const during = engineThat(async (sql, options) => {
        if (!sql.startsWith('DELETE')) return world.engine.execute(sql, options);
        gone = storage.deleteDataset(dataset);
        throw new EngineError(code, 'mutation cancelled');
      });
      const { storage } = await world.open(during);
      const stored = storage.dataset(datasetId)!;
      for (const hour of ['00', '20'])
        await storage.intake.append(stored, encode(stored, Buffer.from(`{"_time":"2026-01-01T${hour}:00:00Z"}`)), {
          arrival: 1_767_400_000_000_000_000n,
        });
      await expect(storage.deletions.trim(dataset, 1_767_268_800_000_000_000n)).rejects.toMatchObject({
        code: 'unknown-table',
      });
      await gone;
      expect(await storage.deletions.trim(dataset, 1_767_268_800_000_000_000n)).toBe(0);
      await storage.close();
    },
  );

  it('that fails in the engine for good does not make later ones fail', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    for (const id of [1, 2])
      await storage.intake.append(
        stored,
        encode(stored, Buffer.from(`{"_time":"2026-01-01T0${id}:00:00Z","id":${id}}`)),
        {
          arrival: 1_767_400_000_000_000_000n,
        },
      );
    await storage.flush([datasetId]);
    const fails = world.engine.execute('DELETE FROM millrace.d1 WHERE throwIf(_seq = 2)');
    await expect(fails).rejects.toMatchObject({ code: 'bad-value' });
    // Like a deletion that a crash interrupted: no call in this server waited for it.
    const half = 1_767_231_000_000_000_000n;
    expect(await storage.deletions.trim(dataset, half)).toBe(1);
    expect(await world.ids()).toEqual([2]);
    await storage.close();
  });

  it('that finds nothing left still invalidates remembered results', async () => {
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    await storage.intake.append(stored, encode(stored, body(3)), { arrival: 1n });
    const columns = (['_time', '_seq', '_row'] as const).map((name) => item(column(name), name));
    const query = select({
      columns,
      from: { kind: 'table', database: 'millrace', name: 'd1' },
      where: call('equals', column('_row'), literal(0n)),
    });
    const remove = (commit: boolean) =>
      storage.deletions.countMatching(
        dataset,
        { query, rowId: { time: '_time', seq: '_seq', row: '_row' }, reads: [datasetId] },
        commit,
      );
    const versions = [stored.version];
    for (const [commit, rows] of [
      [false, 1],
      [true, 1],
      [true, 0],
    ] as const) {
      expect(await remove(commit)).toMatchObject({ rows });
      versions.push(stored.version);
    }
    const [start, counted, deleted, again] = versions;
    expect(counted).toBe(start);
    // Greater by more than one if the deletion takes so long that its progress is reported as well.
    expect(deleted).toBeGreaterThan(counted!);
    expect(again).toBeGreaterThan(deleted!);
    await storage.close();
  });

  it('that goes on in the engine after a start invalidates remembered results', async () => {
    const before = await world.open();
    const [first, table] = [before.storage.dataset(datasetId)!, 'millrace.d1'];
    await before.storage.intake.append(first, encode(first, body(3)), { arrival: 1n });
    await before.storage.close();
    await world.engine.execute(`SYSTEM STOP MERGES ${table}`);
    await world.engine.execute(`DELETE FROM ${table} WHERE _row = 0`, { settings: { lightweight_deletes_sync: 0 } });
    const { storage } = await world.open();
    const stored = storage.dataset(datasetId)!;
    const patience = { timeout: 20_000 };
    const { version } = stored;
    await expect.poll(() => stored.version, patience).toBeGreaterThan(version);
    expect(await world.ids()).toEqual([0, 1, 2]);
    await world.engine.execute(`SYSTEM START MERGES ${table}`);
    /** The version of the last result that contained the event. */
    let remembered = stored.version;
    const ids = async (): Promise<readonly number[]> => {
      const versionBefore = stored.version;
      const found = await world.ids();
      if (found.includes(0)) remembered = versionBefore;
      return found;
    };
    await expect.poll(ids, patience).toEqual([1, 2]);
    await expect.poll(() => stored.version, patience).toBeGreaterThan(remembered);
    await storage.close();
  });
});

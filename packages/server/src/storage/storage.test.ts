import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, openEmbedded } from '@millrace/engine';
import { DEFAULT_BUDGET, DEFAULT_LIMITS, encodeJson, nativeBlocks } from '@millrace/events';
import { type Log, openLog } from '@millrace/log';
import { call, column, item, literal, select } from '@millrace/sql';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inMemory } from '../metadata/database.js';
import { type Metadata, openMetadata } from '../metadata/metadata.js';
import { openAnswers } from './answers.js';
import { StoredDataset } from './fields/dataset.js';
import { openFieldStore } from './fields/field-store.js';
import { openRefusedBatches } from './insert/refused.js';
import { writeFrame } from './frame.js';
import { StorageBehind } from './storage-behind.js';
import { Storage } from './storage.js';
import { addColumns, createDatabase, createTable, tableOf } from './tables/table.js';

/** The storage over a real engine and a real log, in a directory of its own. */

const datasetId = 1;
const dataset = { datasetId, name: 'd' };
const limits = {
  flushBytes: 1 << 30,
  flushMilliseconds: 60_000,
  insertBytes: 1 << 20,
  retryMilliseconds: 100,
  pendingBytes: 1 << 20,
  columns: DEFAULT_BUDGET,
  logKeepMilliseconds: 60_000,
  logKeepBytes: 1 << 30,
  mergeAfterMilliseconds: 60_000,
  maxMergeBytes: 1 << 30,
};

let directory: string;
let engine: Engine;
let log: Log;
let metadata: Metadata;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-storage-'));
  metadata = await openMetadata(inMemory);
  log = await openLog({ directory: join(directory, 'log') });
  engine = await openEmbedded({ directory: join(directory, 'engine'), scratchDirectory: join(directory, 'scratch') });
});

afterEach(async () => {
  await engine.close();
  await log.close();
  await metadata.close();
  rmSync(directory, { recursive: true, force: true });
});

const open = async (over: Engine = engine) =>
  Storage.open({
    engine: over,
    log,
    fieldStore: openFieldStore(metadata.database),
    answers: openAnswers(metadata.database, 60_000),
    refused: await openRefusedBatches(metadata.database),
    logger: pino({ level: 'silent' }),
    limits,
    datasets: [datasetId],
  });

/** Events on three days, `n` of them. */
const body = (n: number): Uint8Array =>
  Buffer.from(
    JSON.stringify(Array.from({ length: n }, (_, id) => ({ _time: `2026-01-0${1 + (id % 3)}T00:00:00Z`, id }))),
  );

const encode = (stored: StoredDataset, bytes: Uint8Array) =>
  encodeJson(bytes, {
    arrivalTime: 1_767_225_600_000_000_000n,
    mapFields: new Set(),
    placement: stored.placement,
    limits: DEFAULT_LIMITS,
  });

async function ids(): Promise<readonly number[]> {
  const { body } = await engine.query('SELECT assumeNotNull(`id#i`) FROM millrace.d1 ORDER BY 1', {
    format: 'RowBinary',
  });
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return Array.from({ length: body.byteLength / 8 }, (_, i) => Number(view.getBigInt64(8 * i, true)));
}

const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

describe('recovery', () => {
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
    const { position, durable } = log.append(writeFrame({ datasetId, arrival, overflowed: [], block }));
    await durable;
    await createDatabase(engine);
    await createTable(engine, datasetId);
    await addColumns(engine, datasetId, [{ field: 'id', type: 'integer' }]);
    if (inserted !== 'nothing') {
      const native = nativeBlocks([{ block, seq: position, arrival }]);
      const [where] = inserted === 'all' ? [] : inserted.map((args) => call(...args));
      await engine.insert({
        table: tableOf(datasetId),
        columns: native.columns,
        chunks: native.chunks,
        ...(where !== undefined && { where }),
      });
    }
    const { storage, recovery } = await open();
    await storage.flush([datasetId]);
    expect(await ids()).toEqual(upTo(30));
    expect(recovery).toMatchObject({ frames: 1, stored: inserted === 'all' ? 1 : 0 });
    expect(await storage.verify()).toMatchObject({ batches: 1, events: 30, wrong: [] });
    await storage.close();
  });

  it('does not bring back what was deleted on purpose', async () => {
    const { storage } = await open();
    const stored = storage.dataset(datasetId)!;
    await storage.intake.append(stored, encode(stored, body(30)), { arrival: 1n });
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(10);
    const again = await open();
    await again.storage.flush([datasetId]);
    expect(await ids()).toEqual(upTo(30).filter((id) => id % 3 !== 0));
  });

  it('ignores batches of datasets that are gone', async () => {
    const { block } = encode(new StoredDataset(9, DEFAULT_BUDGET), body(3));
    await log.append(writeFrame({ datasetId: 9, arrival: 1n, overflowed: [], block })).durable;
    const { recovery } = await open();
    expect(recovery).toMatchObject({ orphaned: 1, replayed: 0 });
  });
});

describe('storage', () => {
  it('merges many small batches into one insert and keeps every one apart', async () => {
    const { storage } = await open();
    const stored = storage.dataset(datasetId)!;
    const events = Array.from({ length: 50 }, (_, id) => Buffer.from(JSON.stringify({ id, [`f${id}`]: String(id) })));
    await Promise.all(events.map((event) => storage.intake.append(stored, encode(stored, event), { arrival: 1n })));
    await storage.flush([datasetId]);
    expect(await ids()).toEqual(upTo(50));
    expect(await storage.verify()).toMatchObject({ batches: 50, wrong: [] });
    expect(storage.fields(dataset)).toHaveLength(51);
    await storage.close();
  });

  it('stores large and small batches, whose columns and their types differ, with one insert', async () => {
    const { storage } = await open();
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
    const { body } = await engine.query(
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
    const { storage } = await open();
    const stored = storage.dataset(datasetId)!;
    const large = () => encode(stored, Buffer.from(JSON.stringify({ id: 0, text: 'x'.repeat(900_000) })));
    await storage.intake.append(stored, large(), { arrival: 1n });
    await storage.intake.append(stored, large(), { arrival: 1n });
    await expect(storage.intake.append(stored, large(), { arrival: 1n })).rejects.toBeInstanceOf(StorageBehind);
    await storage.flush([datasetId]);
    await storage.intake.append(stored, large(), { arrival: 1n });
    await storage.close();
  });

  it('a vacuum takes away columns no event uses, and later events bring them back', async () => {
    const { storage } = await open();
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
    expect(storage.fields(dataset).map(({ name }) => name)).toEqual(['id']);
    await storage.intake.append(stored, encode(stored, Buffer.from('{"id":3,"old":"back"}')), { arrival: 1n });
    await storage.flush([datasetId]);
    expect(await ids()).toEqual([2, 3]);
    expect(storage.fields(dataset)).toEqual([
      { name: 'id', type: 'integer' },
      { name: 'old', type: 'string' },
    ]);
    await storage.close();
  });

  it('a vacuum takes no column that events come into meanwhile', async () => {
    let storage: Storage | undefined;
    const meanwhile = async (): Promise<void> => {
      const stored = storage!.dataset(datasetId)!;
      await storage!.intake.append(stored, encode(stored, Buffer.from('{"id":2,"old":"late"}')), { arrival: 1n });
      void storage!.flush([datasetId]);
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const during: Engine = {
      ...engine,
      query: (sql, options) => engine.query(sql, options),
      insert: (insert) => engine.insert(insert),
      onReady: (listener) => engine.onReady(listener),
      health: () => engine.health(),
      execute: async (sql, options) => {
        if (sql.includes('DROP COLUMN')) await meanwhile();
        return engine.execute(sql, options);
      },
    };
    ({ storage } = await open(during));
    const stored = storage.dataset(datasetId)!;
    const first = encode(stored, Buffer.from('{"id":1,"_time":"2026-01-01T00:00:00Z","old":"early"}'));
    await storage.intake.append(stored, first, { arrival: 1n });
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(1);
    await storage.deletions.vacuum(dataset);
    await storage.flush([datasetId]);
    const { columns } = await engine.query('SELECT `old#s` FROM millrace.d1', { format: 'JSONCompactColumns' });
    expect(Buffer.from(columns[0]!.values).toString()).toBe('["late"]');
    expect(storage.fields(dataset).map(({ name }) => name)).toContain('old');
    await storage.close();
  });

  it('a vacuum knows the columns that are not in the table yet, and values that lie in the overflow column', async () => {
    const { storage } = await open();
    const stored = storage.dataset(datasetId)!;
    await storage.intake.append(stored, encode(stored, body(1)), { arrival: 1n });
    // As after an insert that the engine refused before the table got its columns.
    stored.learn({ rows: 1, columns: [{ name: 'never#s', type: 'String', data: new Uint8Array() }] }, []);
    stored.learn({ rows: 1, columns: [{ name: 'rare#s', type: 'String', data: new Uint8Array() }] }, [
      { field: 'rare', type: 'string' },
    ]);
    expect(await storage.deletions.vacuum(dataset)).toEqual(['never']);
    expect(storage.fields(dataset).map(({ name }) => name)).toEqual(['id', 'rare']);
    await storage.close();
  });

  it('what a vacuum took away does not come back with the next start', async () => {
    const { storage } = await open();
    const stored = storage.dataset(datasetId)!;
    const early = encode(stored, Buffer.from('{"id":1,"_time":"2026-01-01T00:00:00Z","old":true}'));
    await storage.intake.append(stored, early, { arrival: 1n });
    const late = encode(stored, Buffer.from('{"id":2,"_time":"2026-01-03T00:00:00Z"}'));
    await storage.intake.append(stored, late, { arrival: 1n });
    expect(await storage.deletions.trim(dataset, 1_767_312_000_000_000_000n)).toBe(1);
    expect(await storage.deletions.vacuum(dataset)).toEqual(['old']);
    storage.stop();
    const again = await open();
    expect(again.storage.fields(dataset)).toEqual([{ name: 'id', type: 'integer' }]);
    await again.storage.close();
  });

  it('a deletion that finds nothing left also ends what was remembered of the events', async () => {
    const { storage } = await open();
    const stored = storage.dataset(datasetId)!;
    await storage.intake.append(stored, encode(stored, body(3)), { arrival: 1n });
    const columns = (['_time', '_seq', '_row'] as const).map((name) => item(column(name), name));
    const query = select({
      columns,
      from: { kind: 'table', database: 'millrace', name: 'd1' },
      where: call('equals', column('_row'), literal(0n)),
    });
    const remove = (commit: boolean) =>
      storage.deletions.matching(dataset, query, { time: '_time', seq: '_seq', row: '_row' }, commit);
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
    // More than once, where a deletion takes so long that it is told of meanwhile.
    expect(deleted).toBeGreaterThan(counted!);
    expect(again).toBeGreaterThan(deleted!);
    await storage.close();
  });

  it('a deletion that goes on in the engine after a start ends what is remembered of the events', async () => {
    const before = await open();
    const [first, table] = [before.storage.dataset(datasetId)!, 'millrace.d1'];
    await before.storage.intake.append(first, encode(first, body(3)), { arrival: 1n });
    await before.storage.close();
    await engine.execute(`SYSTEM STOP MERGES ${table}`);
    await engine.execute(`DELETE FROM ${table} WHERE _row = 0`, { settings: { lightweight_deletes_sync: 0 } });
    const { storage } = await open();
    const stored = storage.dataset(datasetId)!;
    const changes = async (): Promise<void> => {
      const { version } = stored;
      await expect.poll(() => stored.version, { timeout: 20_000 }).toBeGreaterThan(version);
    };
    await changes();
    expect(await ids()).toEqual([0, 1, 2]);
    await engine.execute(`SYSTEM START MERGES ${table}`);
    await expect.poll(ids, { timeout: 20_000 }).toEqual([1, 2]);
    await changes();
    await storage.close();
  });

  it('takes events of very many days at once', async () => {
    const { storage } = await open();
    const stored = storage.dataset(datasetId)!;
    const days = Array.from({ length: 60 }, (_, id) => ({ _time: new Date(id * 86_400_000).toISOString(), id }));
    await storage.intake.append(stored, encode(stored, Buffer.from(JSON.stringify(days))), { arrival: 1n });
    await storage.flush([datasetId]);
    expect(await ids()).toEqual(upTo(60));
    await storage.close();
  }, 30_000);
});

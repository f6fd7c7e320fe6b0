import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, openEmbedded } from '@millrace/engine';
import { type Log, openLog } from '@millrace/log';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Metadata } from '@millrace/metadata/metadata';
import { type Bucket, openBucket } from '../testing/bucket.js';
import { openTestMetadata } from '@millrace/metadata/testing/metadata-stores';
import { Storage } from '../storage.js';
import { body, dataset, datasetId, encode, limits } from '../testing/harness.js';
import { namingColdDays } from './cold-unavailable-error.js';
import { queryRows } from '../tables/query.js';

/**
 * The life of one directory: it begins without a bucket, gets one, loses it and gets it back, and
 * is killed while parts move.
 */

const directory = mkdtempSync(join(tmpdir(), 'millrace-cold-'));
let bucket: Bucket;
let metadata: Metadata;
let log: Log;
let engine: Engine;
let storage: Storage;
let pid = 0;
/** Some days after the events. */
const now = Date.UTC(2026, 0, 20);
const day = 86_400_000;

beforeAll(async () => {
  bucket = await openBucket();
  metadata = await openTestMetadata();
  log = await openLog({ directory: join(directory, 'log') });
});
afterAll(async () => {
  await storage.close().catch(() => undefined);
  await engine.close();
  await log.close();
  await metadata.close();
  await bucket.end();
  rmSync(directory, { recursive: true, force: true });
});

async function open(withBucket: boolean): Promise<void> {
  const keys = { access: 'not-looked-at', secret: 'not-looked-at' };
  engine = await openEmbedded({
    directory: join(directory, 'engine'),
    scratchDirectory: join(directory, 'scratch'),
    ...(withBucket && { cold: { url: bucket.url, keys, cacheBytes: 64 << 20 } }),
    log: (_, __, fields) => void (typeof fields?.['pid'] === 'number' && (pid = fields['pid'])),
  });
  const isResponding = (): Promise<boolean> =>
    fetch(bucket.url, { method: 'HEAD' }).then(
      () => true,
      () => false,
    );
  ({ storage } = await Storage.open({
    engine,
    log,
    database: metadata.database,
    logger: pino({ level: 'silent' }),
    limits,
    retentionClock: () => now,
    // Days before the 3rd.
    ...(withBucket && { cold: { after: 17 * day, every: 100, rest: 0, isResponding } }),
    datasets: [datasetId],
  }));
}

async function close(): Promise<void> {
  await storage.close();
  await engine.close();
}

/** Disks of the rows of each day. */
const places = (): Promise<readonly (readonly [string, string, number])[]> =>
  queryRows(
    engine,
    "SELECT partition_id, disk_name = 'default' ? 'here' : 'bucket' AS place, toInt32(sum(rows)) FROM system.parts " +
      "WHERE active AND table = 'd1' GROUP BY partition_id, place ORDER BY partition_id, place",
  );
const ids = async (where = '1'): Promise<readonly number[]> =>
  (
    await queryRows<[number]>(
      engine,
      `SELECT toInt32(assumeNotNull(\`id#i\`)) FROM millrace.d1 WHERE ${where} ORDER BY 1`,
    )
  ).flat();
const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
const warm = "_time >= '2026-01-03 00:00:00'";

async function send(bytes: Uint8Array): Promise<void> {
  const stored = storage.dataset(datasetId)!;
  await storage.intake.append(stored, encode(stored, bytes), { arrival: 1_767_225_600_000_000_000n });
  await storage.flush([datasetId]);
}

const inBucket = [
  ['20260101', 'bucket', 100],
  ['20260102', 'bucket', 100],
  ['20260103', 'here', 100],
];

test('days of a table that began without a bucket move there when they are old enough', async () => {
  await open(false);
  await storage.createDataset(dataset);
  await send(body(300));
  expect((await places()).map(([, place]) => place)).toEqual(['here', 'here', 'here']);
  await close();
  await open(true);
  await expect.poll(places).toEqual(inBucket);
  expect(await ids()).toEqual(upTo(300));
  await expect.poll(() => storage.coldBytes).toBeGreaterThan(0);
  expect(bucket.keys().length).toBeGreaterThan(10);
  expect(storage.health()).toMatchObject({ ready: true, complete: true, reasons: [] });
});

test('a late event is written here, found, and follows its day', async () => {
  await send(Buffer.from('{"_time":"2026-01-02T12:00:00Z","id":300}'));
  expect(await ids("_time >= '2026-01-02' AND _time < '2026-01-03'")).toContain(300);
  await expect.poll(places).toEqual([inBucket[0], ['20260102', 'bucket', 101], inBucket[2]]);
  expect(await ids()).toEqual(upTo(301));
});

test('while the bucket is away the engine starts, recent events are served, and old ones are refused for now', async () => {
  await close();
  await bucket.stop();
  await open(true);
  await expect.poll(() => storage.health().reasons).toEqual([expect.stringContaining('the cold tier is unavailable')]);
  expect(await ids(warm)).toHaveLength(100);
  await send(Buffer.from('{"_time":"2026-01-03T12:00:00Z","id":301}'));
  expect(await ids(warm)).toHaveLength(101);
  // Cached data is served too, so the whole cache has to go.
  await engine.execute('SYSTEM DROP FILESYSTEM CACHE');
  await expect(ids()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(namingColdDays(storage.coldTier, [datasetId], ids())).rejects.toMatchObject({
    days: { from: '2026-01-01', to: '2026-01-02' },
  });
  await expect(namingColdDays(storage.coldTier, [7], ids())).rejects.not.toHaveProperty('days');
  await bucket.start();
  await expect.poll(() => storage.health().reasons).toEqual([]);
  expect(await ids()).toEqual(upTo(302));
});

/** Objects that belong to a file of a part. */
const ownedObjects = async (): Promise<readonly string[]> =>
  (await queryRows<[string]>(engine, 'SELECT DISTINCT remote_path FROM system.remote_data_paths')).map(
    ([path]) => `bucket/${path}`,
  );
const deadParts = async (): Promise<number> =>
  (
    await queryRows<[number]>(engine, "SELECT toInt32(count()) FROM system.parts WHERE NOT active AND table = 'd1'")
  )[0]![0];

test('deleted data is removed there too, and nothing else', async () => {
  // The engine keeps replaced parts for a minute or two, in case of a power failure.
  const soon =
    'old_parts_lifetime = 0, cleanup_delay_period = 1, cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1';
  await engine.execute(`ALTER TABLE millrace.d1 MODIFY SETTING ${soon}`);
  // The thread that removes them sleeps according to the old settings.
  await close();
  await open(true);
  // Within the second day: the first is dropped as a whole, the second in part.
  await storage.deletions.trim(dataset, BigInt(Date.UTC(2026, 0, 2, 6)) * 1_000_000n);
  const left = [...upTo(300).filter((id) => id % 3 === 2), 300, 301];
  expect(await ids()).toEqual(left);
  await expect.poll(deadParts).toBe(0);
  await expect.poll(async () => bucket.keys().filter((key) => key !== '')).toHaveLength((await ownedObjects()).length);
  expect(bucket.keys().toSorted()).toEqual((await ownedObjects()).toSorted());
  expect(await ids()).toEqual(left);
});

test('a kill while parts move loses nothing and doubles nothing', async () => {
  await send(Buffer.from(JSON.stringify(upTo(200).map((n) => ({ _time: '2026-01-01T00:00:00Z', id: 1000 + n })))));
  const expected = await ids();
  for (let i = 0; i < 3; i++) {
    const killed = pid;
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => engine.health().state === 'ready' && pid !== killed).toBe(true);
    expect(await ids()).toEqual(expected);
  }
  await expect
    .poll(async () => (await places()).filter(([, place]) => place === 'here').map(([name]) => name))
    .toEqual(['20260103']);
  expect(await ids()).toEqual(expected);
});

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_BUDGET, DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inMemory, metadataName } from '@millrace/metadata/sqlite';
import { openMetadata } from '@millrace/metadata/metadata';
import { StoredDataset } from '@millrace/storage/fields/dataset';
import { IdempotencyStore } from '@millrace/storage/idempotency-store';
import { writeFrame } from '@millrace/storage/frame';
import { QuarantinedBatches } from '@millrace/storage/insert/quarantine';
import { openEngineTestServer } from '../testing/engine-test-server.js';
import { hashOfFile } from './file-hash.js';
import { type Manifest, manifestName } from './manifest.js';
import { restoreBackup } from './restore.js';

/**
 * Restores cases that tests/backup.test.ts, which backs up a running server, cannot produce:
 * batches that the engine rejected.
 */

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'millrace-restore-'))));
afterEach(() => rmSync(root, { recursive: true }));

const cut = 7n;
const arrival = BigInt(Date.UTC(2026, 10, 20)) * 1_000_000n;

/** The payload of a batch, as the log had it. */
function payloadOf(datasetId: number, events: readonly object[]): Uint8Array {
  const { placement } = new StoredDataset(datasetId, DEFAULT_BUDGET);
  const options = { arrivalTime: arrival, mapFields: new Set<string>(), placement, limits: DEFAULT_LIMITS };
  const { block } = encodeJson(Buffer.from(JSON.stringify(events)), options);
  return Buffer.concat(writeFrame({ datasetId, arrival, block }));
}

/** A backup of a server whose engine rejected one batch before the position and one after it. */
async function backupWithRefused(): Promise<string> {
  const backup = join(root, 'backup');
  mkdirSync(backup);
  const file = join(backup, metadataName);
  const metadata = await openMetadata(inMemory);
  const { datasetId } = await metadata.datasets.create({ name: 'logs', who: 'me' });
  const refused = await QuarantinedBatches.open(metadata.database);
  const answers = new IdempotencyStore(metadata.database, { idempotencyWindow: 60_000, idempotencyKeys: 1000 });
  for (const position of [cut + 1n, cut + 2n])
    await answers.keep(datasetId, [{ position, idempotency: { key: `key of ${position}`, answer: '{}' } }]);
  await refused.keep(cut - 2n, datasetId, payloadOf(datasetId, [{ n: 1 }, { n: 2, late: 'column' }]));
  await refused.keep(cut + 2n, datasetId, payloadOf(datasetId, [{ n: 3 }]));
  await sql`VACUUM INTO ${file}`.execute(metadata.database);
  await metadata.close();
  const manifest: Manifest = {
    format: 1,
    created: '2026-11-20T00:00:00Z',
    position: String(cut),
    files: [{ name: metadataName, bytes: statSync(file).size, sha256: await hashOfFile(file) }],
  };
  writeFileSync(join(backup, manifestName), JSON.stringify(manifest));
  return backup;
}

test('refused batches come back with a restored directory and go into an engine that takes them, once', async () => {
  const dataDir = join(root, 'restored');
  await restoreBackup({ backup: await backupWithRefused(), dataDir });
  for (const start of [1, 2]) {
    const world = await openEngineTestServer({ dataDir });
    try {
      const answer = await world.send('POST', '/v1/datasets/logs/ingest', [{ n: 10 * start }]);
      expect([answer.status, answer.body]).toMatchObject([200, { ingested: 1 }]);
      const position = BigInt(answer.headers.get('x-millrace-position')!);
      expect(position).toBeGreaterThan(cut + 2n);
      const columns = async (): Promise<unknown> =>
        (await world.apl('logs | sort by n asc | project n, late')).tables[0]!.columns;
      await expect.poll(columns).toEqual(
        start === 1
          ? [
              [1, 2, 3, 10],
              [null, 'column', null, null],
            ]
          : [
              [1, 2, 3, 10, 20],
              [null, 'column', null, null, null],
            ],
      );
      await expect.poll(async () => (await world.send('GET', '/healthz')).body).toEqual({ status: 'ok', reasons: [] });
    } finally {
      await world.close();
    }
  }
}, 120_000);

test('the key of a request is known if its batch came with the metadata, though it was sent after the cut', async () => {
  const dataDir = join(root, 'restored');
  await restoreBackup({ backup: await backupWithRefused(), dataDir });
  const metadata = await openMetadata(join(dataDir, metadataName));
  const answers = new IdempotencyStore(metadata.database, { idempotencyWindow: 60_000, idempotencyKeys: 1000 });
  expect(await answers.find(1, `key of ${cut + 2n}`)).toMatchObject({ position: cut + 2n });
  expect(await answers.find(1, `key of ${cut + 1n}`)).toBeUndefined();
  await metadata.close();
});

test('tables are what they were when the backup began', async () => {
  const text = (n: number) => `${n} `.repeat(60);
  const events = Array.from({ length: 2000 }, (_, n) => ({
    level: `level ${n % 3}`,
    trace: `trace-${n}`,
    text: text(n),
    ...(n % 10 === 0 && { rare: n }),
  }));
  const backup = join(root, 'backup');
  mkdirSync(backup);
  const original = await openEngineTestServer({ dataDir: join(root, 'original') });
  const begin = async (world: typeof original) => {
    const { body } = await world.send<{
      position: string;
      datasets: { id: number; name: string; columns: NonNullable<Manifest['files'][number]['columns']> }[];
    }>('POST', '/v1/backup');
    return body;
  };
  await original.dataset('logs', events);
  await original.ingest('logs', [{ left: 1 }]);
  await original.send('POST', '/v2/datasets/_apl/delete', { apl: 'logs | where left == 1', commit: true });
  // No column has a name with a NUL, so the second lies in the overflow column.
  await original.ingest('logs', [{ brief: 1, 'brief\0': 1 }]);
  const begun = await begin(original);
  // Both arrive during the backup.
  await original.dataset('later', [{ a: 1 }]);
  await original.ingest('logs', [{ late: text(1) }]);
  await begin(original);
  const files: Manifest['files'] = [];
  for (const [name, path, known] of [
    ...begun.datasets.map(({ id, columns }) => {
      return [`d${id}.parquet`, `datasets/${id}?upTo=${begun.position}`, { datasetId: id, columns }] as const;
    }),
    [metadataName, 'metadata', {}] as const,
  ]) {
    // Fields that a vacuum removes between reading the data and the metadata are in the data,
    // except empty columns.
    if (name === metadataName) {
      await original.send('POST', '/v2/datasets/_apl/delete', { apl: 'logs | where brief == 1', commit: true });
      expect((await original.send('POST', '/v2/datasets/logs/vacuum')).body).toEqual({
        fields: ['left', 'brief', 'brief\0'],
      });
    }
    const answer = await fetch(`${original.url}/v1/backup/${path}`, {
      headers: { authorization: `Bearer ${original.owner}` },
    });
    const file = join(backup, name);
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    files.push({ name, bytes: statSync(file).size, sha256: await hashOfFile(file), ...known });
  }
  await original.close();
  /** A server over the directory that a restore builds from these files. */
  const restoredFrom = async (those: Manifest['files'], name: string) => {
    const manifest: Manifest = { format: 1, created: '2026-11-20T00:00:00Z', position: begun.position, files: those };
    writeFileSync(join(backup, manifestName), JSON.stringify(manifest));
    const dataDir = join(root, name);
    await restoreBackup({ backup, dataDir });
    return openEngineTestServer({ dataDir });
  };
  const sums = 'logs | summarize dcount(trace), sum(rare)';
  const restored = await restoredFrom(files, 'restored');
  try {
    // Its log is empty, and still a backup of it is complete, before anything else is stored.
    expect((await begin(restored)).position).toBe(begun.position);
    const logs = begun.datasets.find(({ name }) => name === 'logs')!.columns;
    expect(logs).toEqual(
      expect.arrayContaining([
        { name: 'level#s', dictionary: true },
        { name: 'trace#s' },
        { name: 'text#s', squeezed: true },
        { name: 'rare#i', squeezed: true },
      ]),
    );
    expect((await restored.send('GET', '/v2/datasets/logs/fields')).body).toEqual(
      expect.arrayContaining(['brief', 'brief\0'].map((name) => expect.objectContaining({ name, type: 'integer' }))),
    );
    const again = (await begin(restored)).datasets;
    expect(again.find(({ name }) => name === 'logs')?.columns).toEqual(logs.filter(({ name }) => name !== 'left#i'));
    expect(again.find(({ name }) => name === 'later')?.columns).toEqual([]);
    expect((await restored.apl(sums)).tables[0]!.columns).toEqual([[2000], [199_000]]);
    expect(
      (await restored.send<{ name: string }[]>('GET', '/v2/datasets/logs/fields')).body.map(({ name }) => name),
    ).toEqual(['_sysTime', '_time', 'brief', 'brief\0', 'level', 'rare', 'text', 'trace']);
    await restored.ingest('logs', [{ late: text(2) }]);
    await restored.ingest('later', [{ a: 2 }]);
    expect((await restored.apl('logs | where isnotnull(late) | project late')).tables[0]!.columns).toEqual([[text(2)]]);
    expect((await restored.apl('later | project a')).tables[0]!.columns).toEqual([[2]]);
  } finally {
    await restored.close();
  }

  // Backups of older versions do not list the columns; their events are restored anyway.
  const older = await restoredFrom(
    files.map((file) => {
      const { columns: _, ...rest } = file;
      return rest;
    }),
    'older',
  );
  try {
    expect((await older.apl(sums)).tables[0]!.columns).toEqual([[2000], [199_000]]);
    expect((await older.apl('logs | where isnotnull(late) | count')).tables[0]!.columns).toEqual([[0]]);
  } finally {
    await older.close();
  }
}, 120_000);

test('a restore that fails leaves nothing behind, and the next one works', async () => {
  const backup = await backupWithRefused();
  const manifestFile = join(backup, manifestName);
  const manifest = readFileSync(manifestFile, 'utf8');
  const broken = join(backup, 'd1.parquet');
  writeFileSync(broken, 'no Parquet');
  const { files, ...rest } = JSON.parse(manifest) as Manifest;
  const file = { name: 'd1.parquet', bytes: statSync(broken).size, sha256: await hashOfFile(broken), datasetId: 1 };
  writeFileSync(manifestFile, JSON.stringify({ ...rest, files: [...files, file] }));
  const dataDir = join(root, 'restored');
  await expect(restoreBackup({ backup, dataDir })).rejects.toMatchObject({ name: 'EngineError' });
  expect(readdirSync(root)).toEqual(['backup']);

  writeFileSync(manifestFile, manifest);
  await restoreBackup({ backup, dataDir });
  expect(readdirSync(root)).toEqual(['backup', 'restored']);
  expect(readdirSync(dataDir).sort()).toEqual(['engine', 'metadata.sqlite', 'scratch']);
}, 60_000);

test('nothing is restored from or to where the engine would read other files', async () => {
  const backup = await backupWithRefused();
  const odd = join(root, '{backup}');
  renameSync(backup, odd);
  const dataDir = join(root, 'restored');
  await expect(restoreBackup({ backup: odd, dataDir })).rejects.toThrow('{backup} has * or ? or {');
  renameSync(odd, backup);
  await expect(restoreBackup({ backup, dataDir: `${dataDir}*` })).rejects.toThrow('choose a path without');
  expect(readdirSync(root)).toEqual(['backup']);
});

test('a link to an empty directory is followed', async () => {
  const [disk, dataDir] = [join(root, 'disk'), join(root, 'link')];
  mkdirSync(disk);
  symlinkSync(disk, dataDir);
  await restoreBackup({ backup: await backupWithRefused(), dataDir });
  expect(readdirSync(disk)).toContain('metadata.sqlite');
  expect(readdirSync(dataDir)).toContain('metadata.sqlite');
}, 60_000);

/** Only root may mount. */
function mount(directory: string): boolean {
  mkdirSync(directory);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', directory], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('where a disk is mounted nothing is restored, and that is said before the work', async ({ skip }) => {
  const backup = await backupWithRefused();
  const { files } = JSON.parse(readFileSync(join(backup, manifestName), 'utf8')) as Manifest;
  const dataDir = join(root, 'mounted');
  if (!mount(dataDir)) return skip();
  try {
    // Every file is read only after that.
    for (const { name } of files) writeFileSync(join(backup, name), 'damaged');
    await expect(restoreBackup({ backup, dataDir })).rejects.toThrow('restore into a new directory in it');
    expect(readdirSync(dataDir)).toEqual([]);
  } finally {
    execFileSync('umount', ['-l', dataDir]);
  }
});

test('does not replace an existing file or files added to the directory later', async () => {
  const backup = await backupWithRefused();
  const file = join(root, 'notes.txt');
  writeFileSync(file, 'mine');
  await expect(restoreBackup({ backup, dataDir: file })).rejects.toThrow('notes.txt is a file');
  expect(readFileSync(file, 'utf8')).toBe('mine');

  const dataDir = join(root, 'restored');
  mkdirSync(dataDir);
  const restored = restoreBackup({ backup, dataDir, progress: () => undefined });
  const later = setInterval(() => writeFileSync(join(dataDir, 'events'), 'acknowledged'), 50);
  await expect(restored.finally(() => clearInterval(later))).rejects.toThrow('is not empty');
  expect(readFileSync(join(dataDir, 'events'), 'utf8')).toBe('acknowledged');
});

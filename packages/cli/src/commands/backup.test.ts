import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { run } from '../run.js';
import { memoryIo } from '../testing/memory-io.js';
import { type ScriptedServer, scriptedServer } from '../testing/fake-server.js';
import { commands } from './every-command.js';

/** Cases that tests/backup.test.ts cannot cause on a real server. */

// Loaded up front: compiling it from source takes a while.
beforeAll(() => import('@millrace/server/startup/offline'), 120_000);

let directory: string;
let server: ScriptedServer | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-test-'));
});
afterEach(async () => {
  await server?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Metadata with these quarantined batches. */
async function metadataWith(refused: readonly string[]): Promise<Buffer> {
  const { openMetadata } = await import('@millrace/server/startup/offline');
  const file = join(directory, 'metadata.sqlite');
  const metadata = await openMetadata(file);
  const row = { dataset_id: 1, payload: Buffer.from('events'), not_before: null };
  for (const position of refused)
    await metadata.database
      .insertInto('refused_batches')
      .values({ ...row, position })
      .execute();
  await metadata.close();
  return readFileSync(file);
}

/**
 * Backs up a server that has quarantined these batches at the start and `inTheEnd` at the end, and
 * whose second dataset is deleted during the backup.
 */
async function backedUp(refused: readonly string[], inTheEnd = refused) {
  const metadata = await metadataWith(inTheEnd);
  server = await scriptedServer(({ url: { pathname, searchParams } }) => {
    const datasets = [
      { id: 1, name: 'logs' },
      { id: 2, name: 'gone' },
    ];
    if (pathname === '/v1/backup') return { body: { position: '7', pause: 'this', datasets, refused } };
    if (pathname === '/v1/backup/datasets/1') return { body: Buffer.from('events') };
    if (pathname === '/v1/backup/metadata' && searchParams.get('pause') === 'this') return { body: metadata };
    const body = { code: 404, message: 'dataset not found' };
    return { status: 404, headers: { 'x-millrace-error': 'not-found' }, body };
  });
  const io = memoryIo({ env: { MILLRACE_URL: server.url, MILLRACE_TOKEN: 'xapt-1' } });
  const target = join(directory, 'backup');
  const code = await run(['backup', target], commands, io);
  return { code, ...io.written, target };
}

test('skips a dataset that is deleted during the backup', async () => {
  const { code, err, target } = await backedUp([]);
  expect([code, err]).toEqual([0, '']);
  const { files } = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8')) as { files: { name: string }[] };
  expect(files.map(({ name }) => name)).toEqual(['d1.parquet', 'metadata.sqlite']);
  expect(readdirSync(target).toSorted()).toEqual(['d1.parquet', 'manifest.json', 'metadata.sqlite']);
});

test('includes quarantined batches and reports them', async () => {
  const { code, err, out } = await backedUp(['5', '6']);
  expect(code).toBe(1);
  expect(out).toContain('1 dataset and the metadata');
  expect(err).toMatch(/the engine refuses 2 of the acknowledged batches \(positions 5, 6\).*The backup has them/);
});

test('fails if its metadata lacks a batch that was quarantined at the start: the batch was deleted, or inserted after its dataset was read', async () => {
  const { code, err, target } = await backedUp(['5', '6'], ['5']);
  expect(code).toBe(1);
  expect(err).toMatch(
    /1 of the batches that the engine refused \(positions 6\) went in or were deleted while .* begin again/,
  );
  expect(readdirSync(target)).not.toContain('manifest.json');
});

test('waits for a server that is down for some seconds', async () => {
  const metadata = await metadataWith([]);
  let requests = 0;
  server = await scriptedServer(({ url: { pathname } }) => {
    if (pathname === '/v1/backup') return { body: { position: '7', datasets: [], refused: [] } };
    return requests++ < 5 ? { status: 502, body: '<html>' } : { body: metadata };
  });
  const io = memoryIo({ env: { MILLRACE_URL: server.url, MILLRACE_TOKEN: 'xapt-1' } });
  expect(await run(['backup', join(directory, 'backup')], commands, io)).toBe(0);
  expect(io.written.err).toBe('trying again: the server answered 502 Bad Gateway\n');
});

test('fails if a proxy answers 404 for a dataset, which may still exist', async () => {
  server = await scriptedServer(({ url: { pathname } }) => {
    if (pathname === '/v1/backup') return { body: { position: '7', datasets: [{ id: 1, name: 'logs' }], refused: [] } };
    return pathname === '/v1/backup/datasets/1' ? { status: 404, body: '<html>' } : { body: 'metadata' };
  });
  const io = memoryIo({ env: { MILLRACE_URL: server.url, MILLRACE_TOKEN: 'xapt-1' } });
  expect(await run(['backup', join(directory, 'backup')], commands, io)).toBe(3);
  expect(io.written.err).toBe('millrace: the server answered 404 Not Found\n');
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ['the server refuses it', () => ({ status: 403, body: { code: 403, message: 'no' } }), 4],
  ['there is no server', () => 'hang-up' as const, 5],
])('%s: removes its files', async (_, answer, exit) => {
  server = await scriptedServer(answer);
  const env = { MILLRACE_URL: server.url, MILLRACE_TOKEN: 'xapt-1' };
  expect(await run(['backup', join(directory, 'new', 'backup')], commands, memoryIo({ env }))).toBe(exit);
  expect(readdirSync(directory)).toEqual([]);
  mkdirSync(join(directory, 'made'));
  expect(await run(['backup', join(directory, 'made')], commands, memoryIo({ env }))).toBe(exit);
  expect(readdirSync(directory)).toEqual(['made']);
});

test('stores the metadata unchanged', async () => {
  const { target } = await backedUp(['5']);
  const { files } = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8')) as {
    files: { name: string; sha256: string }[];
  };
  const hash = createHash('sha256')
    .update(readFileSync(join(target, 'metadata.sqlite')))
    .digest('hex');
  expect(files.at(-1)).toMatchObject({ name: 'metadata.sqlite', sha256: hash });
  expect(readdirSync(target).toSorted()).toEqual(['d1.parquet', 'manifest.json', 'metadata.sqlite']);
});

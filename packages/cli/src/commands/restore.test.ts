import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../run.js';
import { memoryIo } from '../testing/memory-io.js';
import { scriptedServer } from '../testing/fake-server.js';
import { commands } from './every-command.js';

/** Messages of a restore; tests/backup.test.ts checks its result. */

let directory: string;
/** A backup without datasets. */
let backup: string;
/** A restore changes the umask of the process. */
let umask: number;
beforeAll(async () => {
  umask = process.umask(0o022);
  directory = mkdtempSync(join(tmpdir(), 'millrace-test-'));
  backup = join(directory, 'backup');
  const { openMetadata } = await import('@millrace/server/startup/offline');
  const file = join(directory, 'metadata.sqlite');
  await (await openMetadata(file)).close();
  const server = await scriptedServer(({ url: { pathname } }) =>
    pathname === '/v1/backup' ? { body: { position: '7', datasets: [], refused: [] } } : { body: readFileSync(file) },
  );
  const io = memoryIo({ env: { MILLRACE_URL: server.url, MILLRACE_TOKEN: 'xapt-1' } });
  const code = await run(['backup', backup], commands, io);
  await server.close();
  expect([code, io.written.err]).toEqual([0, '']);
}, 120_000);
afterAll(() => {
  process.umask(umask);
  rmSync(directory, { recursive: true, force: true });
});

test('into nodes requires the addresses of their shared databases and names missing ones', async () => {
  const io = memoryIo({ env: { MILLRACE_TOKEN: 'xapt-1', MILLRACE_DATABASE_URL: 'postgres://db.example/m' } });
  expect(await run(['restore', backup, '--data-dir', join(directory, 'nodes'), '--nodes'], commands, io)).toBe(2);
  expect(io.written.err).toMatch(/MILLRACE_NODES: several nodes need the addresses of ClickHouse and of PostgreSQL/);
  expect(readdirSync(directory)).not.toContain('nodes');
});

test.each([
  ['here', { MILLRACE_CLICKHOUSE_URL: '' }, '', ''],
  [
    'elsewhere',
    { MILLRACE_CLICKHOUSE_URL: 'https://clickhouse.example.com' },
    'MILLRACE_CLICKHOUSE_URL= ',
    expect.stringMatching(/^warning: MILLRACE_CLICKHOUSE_URL is set, but .* embedded engine: .* without that setting/),
  ],
])(
  'explains how to start the server when the environment says its engine is %s',
  async (name, env, before, stderr) => {
    const io = memoryIo({ env });
    const dataDir = join(directory, name);
    expect(await run(['restore', backup, '--data-dir', dataDir], commands, io)).toBe(0);
    expect(io.written.out).toBe(`${dataDir} is ready: ${before}millrace serve --data-dir ${dataDir}\n`);
    expect(io.written.err).toEqual(stderr);
    const made = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((path) => join(dataDir, path));
    expect(made).toContain(join(dataDir, 'engine', 'owner.json'));
    // Holds all events at any location.
    expect([dataDir, ...made].filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  },
  120_000,
);

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../run.js';
import { memoryIo } from '../testing/memory-io.js';
import { type ScriptedServer, scriptedServer } from '../testing/fake-server.js';
import { commands } from './every-command.js';

/** Exports to files that cannot be written. */

let directory: string;
let server: ScriptedServer;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-test-'));
  const status = { elapsedTime: 1, rowsExamined: 1, rowsMatched: 2 };
  const fields = [{ name: 'id', type: 'integer' }];
  server = await scriptedServer(({ url }) =>
    url.pathname === '/v1/export'
      ? { body: '{"id":2,"_cursor":"2"}\n{"id":1,"_cursor":"1"}\n' }
      : { body: { status, tables: [{ fields, order: [], columns: [[2]] }] } },
  );
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const path = (name: string): string => join(directory, name);

async function runExport(name: string, ...more: readonly string[]) {
  const io = memoryIo({ env: { MILLRACE_URL: server.url, MILLRACE_TOKEN: 'xaat-x' } });
  const code = await run(['export', 'logs', '-o', path(name), ...more], commands, io);
  return { code, err: io.written.err };
}

const full = '/dev/full';

it('rejects a directory before any request', async () => {
  mkdirSync(path('x.csv'));
  const { code, err } = await runExport('x.csv', '--force');
  expect([code, err]).toEqual([2, `millrace: ${path('x.csv')} is a directory; name a file\n`]);
  expect(server.received).toEqual([]);
});

it.each<readonly [string, (path: string) => unknown, string]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'is no regular file, which an export writes; name a file'],
  ['a device', (path) => symlinkSync('/dev/null', path), 'is no regular file, which an export writes; name a file'],
  ['a link to nothing', (path) => symlinkSync('nowhere', path), 'is a link to a missing file; name a file'],
])('%s is rejected before any request, and stays', async (_, make, why) => {
  make(path('x.csv'));
  for (const force of [[], ['--force']]) {
    const { code, err } = await runExport('x.csv', ...force);
    expect([code, err]).toEqual([2, `millrace: ${path('x.csv')} ${why}\n`]);
  }
  expect(lstatSync(path('x.csv')).isFile()).toBe(false);
  expect(server.received).toEqual([]);
});

it('keeps a symbolic link and replaces its target', async () => {
  mkdirSync(path('far'));
  writeFileSync(path('far/x.ndjson'), 'old');
  symlinkSync('far/x.ndjson', path('x.ndjson'));
  expect(await runExport('x.ndjson')).toMatchObject({ code: 2 });
  expect(await runExport('x.ndjson', '--force')).toEqual({ code: 0, err: '' });
  expect(lstatSync(path('x.ndjson')).isSymbolicLink()).toBe(true);
  expect(readFileSync(path('far/x.ndjson'), 'utf8')).toBe('{"id":2}\n{"id":1}\n');
  expect(readdirSync(path('far'))).toEqual(['x.ndjson']);
});

it.runIf(existsSync(full))(
  'names the file when the disk fills up during the download, and removes its files',
  async () => {
    symlinkSync(full, path('x.ndjson.part.json.new'));
    const { code, err } = await runExport('x.ndjson');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^millrace: \S+x\.ndjson cannot be written: the disk is full\n$/),
    ]);
    expect(readdirSync(directory)).toEqual([]);
  },
);

it.runIf(existsSync(full))('keeps the rows when the disk fills up during the conversion', async () => {
  symlinkSync(full, path('x.csv.new'));
  const { code, err } = await runExport('x.csv');
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/x\.csv cannot be written: the disk is full\n2 rows are kept in .*--resume\n$/),
  ]);
  expect(readdirSync(directory).toSorted()).toEqual(['x.csv.part', 'x.csv.part.json']);
  expect(await runExport('x.csv', '--resume')).toEqual({ code: 0, err: '' });
  expect(readFileSync(path('x.csv'), 'utf8')).toMatch(/^id\n2\n1\n/);
});

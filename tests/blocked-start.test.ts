import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { millraceProcess } from './support/command.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from './support/server-process.ts';
import { mountSmallDisk } from './support/small-disk.ts';

/**
 * What a machine lacks is noticed before a start creates a file or an engine: one sentence with
 * what to do, and the exit code for it.
 */

const blockedCode = 6;
const directory = temporaryDirectory();
const place = (name: string): string => join(directory, name);
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer(place('used'), { MILLRACE_LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  await server.stop();
  removeDirectory(directory);
});

/** Starts a server that must be rejected before the engine starts; returns the message. */
async function startRejected(...flags: readonly string[]): Promise<string> {
  const { code, out, err } = await millraceProcess(['serve', ...flags]);
  expect([code, out], err).toEqual([blockedCode, '']);
  expect(err).toMatch(/^millrace: [^\n]+\n$/);
  return err;
}

it('a port of another server', async () => {
  const { port } = new URL(server.url);
  expect(await startRejected('--data-dir', place('new'), '--port', port)).toBe(
    `millrace: port ${port} on 127.0.0.1 is in use by a Millrace server; stop it or use --port (0 picks a free port)\n`,
  );
  expect(existsSync(place('new'))).toBe(false);
});

it('a port of another program', async () => {
  const other = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await startRejected('--data-dir', place('new'), '--port', String(port))).toContain(
    'is already in use; stop the other process or use --port',
  );
  other.close();
  expect(existsSync(place('new'))).toBe(false);
});

it('an address of another machine', async () => {
  expect(await startRejected('--data-dir', place('new'), '--port', '0', '--host', '192.0.2.1')).toBe(
    'millrace: 192.0.2.1 is not a local address; use --host\n',
  );
  expect(existsSync(place('new'))).toBe(false);
});

it('a data directory of another server, which is not changed', async () => {
  const metadata = join(place('used'), 'metadata.sqlite');
  const before = [readFileSync(metadata), statSync(metadata).mtimeMs];
  const names = readdirSync(place('used'), { recursive: true });
  const token = `xapt-${randomUUID()}`;
  expect(await startRejected('--data-dir', place('used'), '--port', '0', '--admin-token', token)).toMatch(
    `in use by process ${server.process.pid} `,
  );
  expect([readFileSync(metadata), statSync(metadata).mtimeMs]).toEqual(before);
  expect(readdirSync(place('used'), { recursive: true })).toEqual(names);
});

it('a file in place of the data directory', async () => {
  const file = place('file');
  writeFileSync(file, '');
  const message = `millrace: ${file} is a file; choose another directory with --data-dir\n`;
  expect(await startRejected('--data-dir', file, '--port', '0')).toBe(message);
  expect(await startRejected('--data-dir', join(file, 'data'), '--port', '0')).toBe(message);
});

/** Runs a program without the right to pass over modes of files, which root has. */
const plainUser = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : ['env'];
const hasPlainUser = spawnSync(plainUser[0]!, [...plainUser.slice(1), 'true']).status === 0;

it.skipIf(!hasPlainUser)('no right to write', () => {
  const other = place('other');
  mkdirSync(other, { mode: 0o500 });
  mkdirSync(join(place('started-as-root'), 'log'), { recursive: true });
  execFileSync('chmod', ['000', join(place('started-as-root'), 'log')]);
  const [program, ...before] = plainUser;
  const command = join(import.meta.dirname, '..', 'packages', 'cli', 'bin', 'millrace.js');
  for (const [path, named] of [
    [join(other, 'data'), other],
    [place('started-as-root'), join(place('started-as-root'), 'log')],
  ] as const) {
    const args = [...before, process.execPath, command, 'serve', '--port', '0', '--data-dir', path];
    const { status, stderr } = spawnSync(program!, args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      blockedCode,
      `millrace: ${named} cannot be used: permission denied; make it writable for this user, or choose another directory with --data-dir\n`,
    ]);
  }
  rmSync(place('started-as-root'), { recursive: true });
  expect(readdirSync(other)).toEqual([]);
});

it('no space for a new server', async ({ skip }) => {
  const disk = mountSmallDisk(place('disk'), 20);
  if (!disk.mounted) skip();
  try {
    expect(await startRejected('--data-dir', join(disk.path, 'data'), '--port', '0')).toMatch(
      /^millrace: the disk of \S+ has 2\d\.\d MB free, and a new server needs 5\d\.\d MB; free some space, or choose another directory with --data-dir\n$/,
    );
    const demo = await millraceProcess(['demo'], { env: { TMPDIR: disk.path } });
    expect([demo.code, demo.err]).toEqual([
      blockedCode,
      expect.stringContaining('choose another directory with TMPDIR'),
    ]);
    expect(readdirSync(disk.path)).toEqual([]);
  } finally {
    disk.end();
  }
});

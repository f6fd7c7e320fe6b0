import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tests/support/free-port.js';
import { run } from '../run.js';
import { scriptedServer } from '../testing/fake-server.js';
import { memoryIo } from '../testing/memory-io.js';
import { commands } from './every-command.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-doctor-'));
let listener: Server;
beforeAll(async () => {
  listener = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(listener, 'listening');
});
afterAll(() => {
  listener.close();
  rmSync(directory, { recursive: true });
});
const usedPort = (): string => String((listener.address() as AddressInfo).port);

/** Lines of the report by title, with the exit code. */
async function runDoctor(...flags: readonly string[]) {
  const io = memoryIo();
  const code = await run(['doctor', '--data-dir', directory, '--port', '0', ...flags], commands, io);
  const found = new Map<string, string>();
  for (const [, state, title, text] of io.written.out.matchAll(/^(ok|warning|problem) +(\S.*?)(?: {2,})(.+)$/gm))
    found.set(title!, `${state}: ${text}`);
  return { code, found, ...io.written };
}

test('all is well', async () => {
  const { code, found, err } = await runDoctor();
  expect([code, err]).toEqual([0, '']);
  expect([...found.keys()]).toEqual(['platform', 'memory', 'data directory', 'disk', 'clock', 'port']);
  expect(found.get('data directory')).toBe(`ok: ${directory}`);
  expect(found.get('port')).toBe('ok: a free one');
});

test('a directory that the first start creates', async () => {
  const path = join(directory, 'a', 'b');
  expect((await runDoctor('--data-dir', path)).found.get('data directory')).toBe(
    `ok: ${path}, which the first start creates`,
  );
});

test('a file in place of the directory, and a port in use, with what to do', async () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  const { code, found, out, err } = await runDoctor('--data-dir', file, '--port', usedPort());
  expect(code).toBe(1);
  expect(found.get('data directory')).toBe(`problem: ${file} is a file`);
  expect(found.get('port')).toBe(`problem: 127.0.0.1:${usedPort()} is in use by another program`);
  expect(out).toContain(' choose another directory with --data-dir\n');
  expect(err).toBe('millrace: 2 problems found; the server would not start\n');
});

test('a server of ours on the port is recognized', async () => {
  const server = await scriptedServer(() => ({ body: {}, headers: { 'x-axiom-trace-id': '1' } }));
  const { found } = await runDoctor('--port', new URL(server.url).port);
  await server.close();
  expect(found.get('port')).toMatch(/^warning: a Millrace server runs on /);
});

test('a clock behind the files of the directory', async () => {
  const file = join(directory, 'written-later');
  writeFileSync(file, '');
  const later = Date.now() / 1000 + 3600;
  utimesSync(file, later, later);
  const { code, found } = await runDoctor();
  rmSync(file);
  expect([code, found.get('clock')]).toEqual([0, expect.stringMatching(/^warning: .* but files were written at /)]);
});

test('servers that the settings name are reached or not', async () => {
  const there = `127.0.0.1:${usedPort()}`;
  const { found } = await runDoctor(
    '--smtp-host',
    '127.0.0.1',
    '--smtp-port',
    usedPort(),
    '--smtp-from',
    'a@example.com',
  );
  expect(found.get('mail server')).toBe(`ok: SMTP accepts connections on ${there}`);
  const away = await runDoctor('--database-url', 'postgres://u:secret@127.0.0.1:1/d');
  expect(away.found.get('PostgreSQL')).toMatch(/^problem: 127\.0\.0\.1:1: .+/);
  expect(away.code).toBe(1);
  expect(away.out + away.err).not.toContain('secret');
});

test('links to the console that do not work yet', async () => {
  const url = `http://127.0.0.1:${await freePort()}/logs`;
  const { code, found } = await runDoctor('--console-url', url);
  expect([code, found.get('console URL')]).toEqual([0, `warning: ${url}/console/icon.svg: connection refused`]);
});

test('files of a certificate that cannot be read', async () => {
  const file = join(directory, 'none.pem');
  const { code, found } = await runDoctor('--tls-cert', file, '--tls-key', file);
  expect([code, found.get('TLS certificate')]).toEqual([1, `problem: ${file}: there is no such file or directory`]);
});

test('a wrong setting is a usage error', async () => {
  const { code, err } = await runDoctor('--port', 'x');
  expect([code, err]).toEqual([2, expect.stringContaining('--port')]);
});

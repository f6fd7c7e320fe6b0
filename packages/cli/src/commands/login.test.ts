import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedRuns } from '../testing/fake-runs.js';
import { memoryIo } from '../testing/memory-io.js';
import type { ReceivedRequest, Reply } from '../testing/fake-server.js';
import { run } from '../run.js';
import { commands } from './every-command.js';

const runs = new ScriptedRuns();
const expires = new Date(Date.now() + 3600_000).toISOString();
const loginStart = { deviceCode: 'secret', userCode: 'BCDF-GHJK', path: '/console/device', expires, interval: 0 };
const file = () => join(runs.directory, 'millrace', 'logins.json');

async function serve(answer: (request: ReceivedRequest) => Reply): Promise<Readonly<Record<string, string>>> {
  const { MILLRACE_URL: url = '' } = await runs.serve(answer);
  return { MILLRACE_URL: url, XDG_CONFIG_HOME: runs.directory };
}

async function call(args: readonly string[], env: Readonly<Record<string, string>>) {
  const io = memoryIo({ env });
  return { code: await run([...args], commands, io), ...io.written };
}

test('waits for the user, stores the token for its owner only, and further commands use it', async () => {
  let polls = 0;
  const env = await serve(({ method, url: { pathname } }) => {
    if (pathname === '/v2/device-codes') return { status: 200, body: loginStart };
    if (pathname === '/v2/device-codes/token')
      return {
        status: 200,
        body: polls++ < 2 ? { state: 'waiting' } : { state: 'approved', id: 't1', token: 'xapt-1', expires },
      };
    return method === 'DELETE' ? { status: 204, body: undefined } : { status: 200, body: [] };
  });
  mkdirSync(join(runs.directory, 'millrace'));
  writeFileSync(file(), 'not JSON', { mode: 0o644 });
  const signedIn = await call(['login', '--for', '1h'], env);
  expect([signedIn.code, signedIn.out]).toEqual([0, '']);
  expect(signedIn.err).toContain(`Open ${env['MILLRACE_URL']}/console/device and type the code BCDF-GHJK`);
  expect(signedIn.err).not.toMatch(/xapt|secret/);
  expect(JSON.parse(runs.received[0]!.body.toString())).toMatchObject({ seconds: 3600 });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect((await call(['token', 'list'], { XDG_CONFIG_HOME: runs.directory })).code).toBe(0);
  expect(runs.received.at(-1)).toMatchObject({ headers: { authorization: 'Bearer xapt-1' } });
  // Not sent to another server.
  expect((await call(['token', 'list', '--url', 'http://127.0.0.1:1'], env)).err).toContain('millrace login');
  expect((await call(['logout'], env)).code).toBe(0);
  expect(runs.received.at(-1)).toMatchObject({ method: 'DELETE', url: { pathname: '/v2/personal-tokens/t1' } });
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual([]);
  expect((await call(['logout'], env)).err).toContain('no login is stored');
});

test('a denied or expired code', async () => {
  const env = await serve(({ url: { pathname } }) =>
    pathname === '/v2/device-codes'
      ? { status: 200, body: loginStart }
      : { status: 404, body: { code: 404, message: 'no' } },
  );
  const { code, err } = await call(['login'], env);
  expect([code === 0, err.includes('denied or has expired')]).toEqual([false, true]);
});

test('an expired login is not used', async () => {
  const env = await serve(() => ({ status: 200, body: [] }));
  mkdirSync(join(runs.directory, 'millrace'));
  const over = { url: env['MILLRACE_URL'], id: 't', token: 'xapt-1', expires: new Date(Date.now() - 1).toISOString() };
  writeFileSync(file(), JSON.stringify([over]));
  expect((await call(['token', 'list'], env)).err).toContain('no token');
});

test('a profile names a login, goes before addresses and tokens of the environment, and sends none to another server', async () => {
  const env = await serve(() => ({ status: 200, body: [] }));
  const url = env['MILLRACE_URL'];
  mkdirSync(join(runs.directory, 'millrace'));
  const logins = [
    { url: 'http://127.0.0.1:1', id: 'a', token: 'xapt-other', expires },
    { url, id: 'b', token: 'xapt-prod', expires, profile: 'prod' },
    { url, id: 'c', token: 'xapt-own', expires },
  ];
  writeFileSync(file(), JSON.stringify(logins));
  const elsewhere = { ...env, MILLRACE_URL: 'http://127.0.0.1:1', MILLRACE_TOKEN: 'xapt-env' };
  expect((await call(['token', 'list', '--profile', 'prod'], elsewhere)).code).toBe(0);
  expect(runs.received.at(-1)).toMatchObject({ headers: { authorization: 'Bearer xapt-prod' } });
  expect((await call(['token', 'list'], { ...elsewhere, MILLRACE_PROFILE: 'prod' })).code).toBe(0);
  expect(runs.received.at(-1)).toMatchObject({ headers: { authorization: 'Bearer xapt-prod' } });
  const wrong = await call(['token', 'list', '--profile', 'prod', '--url', 'http://127.0.0.1:1'], env);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("no login with the profile 'prod'")]);
  expect((await call(['logout', '--profile', 'prod'], env)).code).toBe(0);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual([logins[0], logins[2]]);
});

const mcpMessage = { jsonrpc: '2.0', id: 1, method: 'ping' };

test('login stores an organization, which export, mcp and other commands use; --org and the environment change it', async () => {
  const env = await serve(({ url: { pathname } }) => {
    if (pathname === '/v2/device-codes') return { status: 200, body: loginStart };
    if (pathname === '/v2/device-codes/token')
      return { status: 200, body: { state: 'approved', id: 't1', token: 'xapt-1', expires } };
    if (pathname === '/v1/export') return { status: 403, body: { message: 'no right' } };
    return { status: 200, body: pathname === '/mcp' ? { jsonrpc: '2.0', id: 1, result: {} } : [] };
  });
  expect((await call(['login', '--profile', 'customer', '--org', 'org-2'], env)).code).toBe(0);
  const sentFor = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const before = runs.received.length;
    const io = memoryIo({ env: { ...env, ...more }, input: [`${JSON.stringify(mcpMessage)}\n`] });
    await run([...args], commands, io);
    const sent = runs.received.slice(before);
    expect(sent.length).toBeGreaterThan(0);
    return [...new Set(sent.map(({ headers }) => `${headers['authorization']} ${headers['x-axiom-org-id']}`))];
  };
  const output = join(runs.directory, 'x.ndjson');
  const byCommand: readonly (readonly string[])[] = [
    ['mcp'],
    ['export', 'logs', '-o', output, '--force', '--attempts', '1'],
    ['export', 'logs', '-o', '-', '--format', 'parquet', '--attempts', '1'],
    ['token', 'list'],
    ['query', 'logs'],
  ];
  for (const args of byCommand) {
    expect(await sentFor([...args, '--profile', 'customer'], { MILLRACE_ORG_ID: 'org-1' })).toEqual([
      'Bearer xapt-1 org-2',
    ]);
    expect(await sentFor([...args, '--profile', 'customer', '--org', 'org-3'])).toEqual(['Bearer xapt-1 org-3']);
    expect(await sentFor(args, { MILLRACE_TOKEN: 'xapt-own', MILLRACE_ORG_ID: 'org-1' })).toEqual([
      'Bearer xapt-own org-1',
    ]);
    expect(await sentFor(args)).toEqual(['Bearer xapt-1 org-2']);
  }
  // The token is one of the organization of the sign-in.
  expect(await sentFor(['logout', '--profile', 'customer'])).toEqual(['Bearer xapt-1 undefined']);
});

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '@millrace/engine';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '../testing/engine-test-server.js';

const owner = 'xapt-00000000-0000-4000-8000-000000000001';
let dataDir: string;
let world: EngineTestServer;
let engine: Engine;

const start = async (settings = {}): Promise<void> => {
  world = await openEngineTestServer({ dataDir, adminToken: owner, ...settings }, (opened) => (engine = opened));
};
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'millrace-orgs-'));
  await start({ maxOrgs: 3 });
});
afterAll(async () => {
  await world.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const create = async (name: string): Promise<{ readonly id: string; readonly token: string }> => {
  const { status, text, body } = await world.send<{ id: string; ownerToken: string }>('POST', '/v2/orgs', { name });
  expect(status, text).toBe(200);
  const token = body.ownerToken;
  await world.send('POST', '/v2/datasets', { name: 'logs' }, { token });
  expect((await world.send('POST', '/v1/datasets/logs/ingest', [{ name }], { token })).status).toBe(200);
  return { id: body.id, token };
};

const names = async (token: string): Promise<unknown> => {
  const apl = 'logs | project name';
  const reply = await world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular', { apl }, { token });
  return reply.status === 200 ? reply.body.tables[0]!.columns[0] : reply.status;
};

const databases = async (): Promise<string> => {
  const sql = "SELECT name FROM system.databases WHERE name LIKE 'millrace%' ORDER BY name";
  return Buffer.from((await engine.query(sql, { format: 'TabSeparated' })).body)
    .toString()
    .trim();
};

const directories = (): readonly string[] => readdirSync(join(dataDir, 'orgs'));
const listNames = async (): Promise<readonly string[]> =>
  (await world.send<readonly { name: string }[]>('GET', '/v2/orgs')).body.map(({ name }) => name);

test('organizations live through a restart, and a deleted one leaves nothing', async () => {
  const [a, b] = [await create('a'), await create('b')];
  const third = await world.send('POST', '/v2/orgs', { name: 'c' });
  expect([third.status, third.text]).toEqual([403, expect.stringContaining('MILLRACE_MAX_ORGS')]);
  await world.close();
  await start();
  expect(await listNames()).toEqual(['Millrace', 'a', 'b']);
  expect([await names(a.token), await names(b.token)]).toEqual([['a'], ['b']]);
  expect((await world.send('DELETE', `/v2/orgs/${a.id}`, undefined, { token: b.token })).status).toBe(404);
  expect((await world.send('DELETE', `/v2/orgs/${a.id}`)).status).toBe(204);
  expect(await names(a.token)).toBe(403);
  expect(await databases()).toBe('millrace\nmillrace_2');
  expect(directories()).toEqual([b.id]);
  // Its number is not assigned again, so its tokens lead nowhere.
  const c = await create('c');
  expect(c.token).toMatch(/^xapt-.{14}8003-/);
  expect([await names(a.token), await names(b.token), await names(c.token)]).toEqual([403, ['b'], ['c']]);
});

test('the next start removes organizations that a crash left half created or half deleted', async () => {
  const [deleted, d] = [await create('deleted'), await create('d')];
  await world.close();
  const path = join(dataDir, 'orgs.json');
  const content = JSON.parse(readFileSync(path, 'utf8')) as { last: number; orgs: { id: string; state: string }[] };
  const half = (id: string, number: number) => ({ id, number, state: 'creating', limits: {} });
  // Between any two steps: the entry alone, an empty directory, and complete metadata.
  const unfinished = [half('entry', 11), half('directory', 12), half('metadata', 13)];
  for (const id of ['directory', 'metadata']) mkdirSync(join(dataDir, 'orgs', id));
  cpSync(join(dataDir, 'orgs', d.id), join(dataDir, 'orgs', 'metadata'), { recursive: true });
  const orgs = content.orgs.map((entry) => (entry.id === deleted.id ? { ...entry, state: 'deleting' } : entry));
  writeFileSync(path, JSON.stringify({ last: 13, orgs: [...orgs, ...unfinished] }));
  await start();
  expect(await listNames()).toEqual(['Millrace', 'b', 'c', 'd']);
  expect(directories()).toHaveLength(3);
  expect(await databases()).toBe('millrace\nmillrace_2\nmillrace_3\nmillrace_5');
  expect([await names(deleted.token), await names(d.token)]).toEqual([403, ['d']]);
  expect(existsSync(join(dataDir, 'orgs', deleted.id))).toBe(false);
});

test('an organization with a damaged log: health says so, others work, and it opens when the log is repaired', async () => {
  const [whole, damaged] = [await create('whole'), await create('damaged')];
  await world.close();
  const folder = join(dataDir, 'orgs', damaged.id, 'log');
  const log = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.log'))!,
  );
  const bytes = readFileSync(log);
  writeFileSync(log, bytes.with(10, 255));
  await start();
  const health = async () => (await world.send<{ readonly status: string }>('GET', '/healthz')).body;
  await expect.poll(health).toEqual({
    status: 'incomplete',
    reasons: ['1 of the organizations could not be opened; the server log says why'],
  });
  expect([await names(whole.token), await names(damaged.token)]).toEqual([['whole'], 503]);
  const listed = await listNames();
  expect([listed.includes('whole'), listed.includes('damaged')]).toEqual([true, false]);
  writeFileSync(log, bytes);
  expect(await names(damaged.token)).toEqual(['damaged']);
  expect(await health()).toEqual({ status: 'ok', reasons: [] });
  for (const { id } of [whole, damaged]) await world.send('DELETE', `/v2/orgs/${id}`);
});

test('an owner token from the settings leads to the first organization, whatever number it seems to name', async () => {
  const [{ number } = { number: 0 }] = (
    JSON.parse(readFileSync(join(dataDir, 'orgs.json'), 'utf8')) as { orgs: { number: number }[] }
  ).orgs;
  const chosen = `xapt-00000000-0000-8${number.toString(16).padStart(3, '0')}-8000-000000000001`;
  const first = async (): Promise<unknown> =>
    (await world.send<readonly { name: string }[]>('GET', '/v2/orgs', undefined, { token: chosen })).body[0]?.name;
  await world.close();
  await start({ adminToken: chosen });
  expect(await first()).toBe('Millrace');
  // Without the setting it stays the token of the owner.
  await world.close();
  await start({ adminToken: undefined });
  expect(await first()).toBe('Millrace');
  await world.close();
  await start();
});

test('a creation that fails half-way is undone at once', async () => {
  const before = [directories(), await databases()];
  const execute = engine.execute.bind(engine);
  engine.execute = async (sql, options) => {
    if (sql.startsWith('CREATE TABLE')) throw new Error('injected');
    return execute(sql, options);
  };
  expect((await world.send('POST', '/v2/orgs', { name: 'broken' })).status).toBe(500);
  engine.execute = execute;
  expect([directories(), await databases()]).toEqual(before);
});

test('the list of organizations is not taken for empty when it is damaged or missing', async () => {
  await world.close();
  writeFileSync(join(dataDir, 'orgs.json'), '{');
  await expect(start()).rejects.toThrow(/orgs.json is damaged/);
  rmSync(join(dataDir, 'orgs.json'));
  await expect(start()).rejects.toThrow(/orgs.json is missing/);
  writeFileSync(join(dataDir, 'orgs.json'), '{"last":5,"orgs":[]}');
  await start();
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '../testing/engine-test-server.js';

let world: EngineTestServer;
let other: { readonly id: string; readonly ownerToken: string };

beforeAll(async () => {
  world = await openEngineTestServer();
  await world.dataset('logs', [{ a: 1 }]);
  const created = await world.send<typeof other>('POST', '/v2/orgs', { name: 'Other' });
  expect(created.status, created.text).toBe(200);
  other = created.body;
});
afterAll(() => world.close());

const rows = async (token: string, apl = 'logs'): Promise<unknown> => {
  const reply = await world.send<Tabular>(
    'POST',
    '/v1/datasets/_apl?format=tabular',
    { apl: `${apl} | project a` },
    { token },
  );
  return reply.status === 200 ? reply.body.tables[0]!.columns : reply.status;
};

test('two organizations have datasets of the same name with their own events', async () => {
  const token = other.ownerToken;
  expect(await rows(token)).toBe(400);
  expect((await world.send('POST', '/v2/datasets', { name: 'logs' }, { token })).status).toBe(200);
  const sent = await world.send('POST', '/v1/datasets/logs/ingest', [{ a: 2 }, { a: 3 }], { token });
  expect(sent.body).toMatchObject({ ingested: 2 });
  expect(await rows(token, 'logs | sort by a asc')).toEqual([[2, 3]]);
  expect(await rows(world.owner)).toEqual([[1]]);
});

test('a token leads to its organization, whatever the header says', async () => {
  expect(other.ownerToken).toMatch(/^xapt-.{14}8001-/);
  const own = await world.send<{ id: string }[]>('GET', '/v2/orgs', undefined, { token: other.ownerToken });
  expect(own.body.map(({ id }) => id)).toEqual([other.id]);
  const sendToOrg = (id: string, token: string) =>
    world.send('GET', '/v2/datasets', undefined, { token, headers: { 'x-axiom-org-id': id } });
  expect((await sendToOrg(other.id, other.ownerToken)).status).toBe(200);
  expect((await sendToOrg('any', other.ownerToken)).status).toBe(200);
  expect((await sendToOrg('any', world.owner)).status).toBe(200);
  expect((await sendToOrg(other.id, world.owner)).status).toBe(403);
  const unknown = `xapt-${randomUUID().slice(0, 14)}8001${randomUUID().slice(18)}`;
  expect((await sendToOrg('any', unknown)).status).toBe(403);
});

test('its monitors run', async () => {
  const { ownerToken: token } = other;
  const monitor = {
    name: 'Any',
    type: 'Threshold',
    aplQuery: 'logs | summarize count()',
    operator: 'Above',
    threshold: 1,
    intervalMinutes: 1,
    rangeMinutes: 60,
  };
  expect((await world.send('POST', '/v2/monitors', monitor, { token })).status).toBe(200);
  const incidents = async (of: string): Promise<number> => {
    const path = '/v2/monitors/_incidents?startTime=2020-01-01T00:00:00Z';
    return (await world.send<readonly unknown[]>('GET', path, undefined, { token: of })).body.length;
  };
  await expect.poll(() => incidents(token), { timeout: 10_000 }).toBe(1);
  expect(await incidents(world.owner)).toBe(0);
});

test('its limits reject ingest and queries, and those of the first organization stay', async () => {
  const { id, ownerToken: token } = other;
  const limit = (limits: object, by = world.owner) => world.send('PUT', `/v2/orgs/${id}`, { limits }, { token: by });
  expect((await limit({ ingestBytesPerDay: 1 }, token)).status).toBe(403);
  expect((await limit({ ingestBytesPerDay: 1 })).status).toBe(200);
  const ingest = (of: string) => world.send('POST', '/v1/datasets/logs/ingest', [{ a: 4 }], { token: of });
  const rejected = await ingest(token);
  expect([rejected.status, rejected.headers.get('x-millrace-error')]).toEqual([429, 'org-quota-reached']);
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ingest(world.owner)).status).toBe(200);
  await limit({ queryMemoryBytes: 1000 });
  const costly = "logs | extend b = strcat(tostring(a), 'x') | summarize make_list(b) by b";
  const memory = await world.send('POST', '/v1/datasets/_apl?format=tabular', { apl: costly }, { token });
  expect(memory.status, memory.text).toBeGreaterThanOrEqual(400);
  await limit({ concurrentQueries: 1 });
  const tail = new AbortController();
  const running = world
    .send('POST', '/v1/tail', { apl: 'logs' }, { token, signal: tail.signal })
    .catch(() => undefined);
  await expect.poll(() => rows(token)).toBe(429);
  expect(await rows(world.owner, 'logs | take 1')).toHaveLength(1);
  tail.abort();
  await running;
  await limit({});
  await expect.poll(() => rows(token, 'logs | sort by a asc')).toEqual([[2, 3]]);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '@millrace/server/testing/engine-test-server';
import { orgResources } from '@millrace/api/schemas/capabilities';

/** Results of a token that could outlive it, or grant more than the token's rights. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer();
  await world.dataset('logs', [{ n: 5 }]);
  await world.dataset('secret', [{ n: 5 }]);
});
afterAll(() => world.close());

const query = { logs: { query: ['read' as const] } };

/** A token, and a function that ends it. */
async function createEndingToken(): Promise<{ readonly token: string; readonly end: () => Promise<unknown> }> {
  const { body } = await world.send<{ id: string; token: string }>('POST', '/v2/tokens', {
    name: 'ends',
    datasetCapabilities: query,
  });
  return { token: body.token, end: () => world.send('DELETE', `/v2/tokens/${body.id}`) };
}

test('a backup needs the right to read everything that is in it', async () => {
  const begin = async (rights: object) =>
    (await world.send('POST', '/v1/backup', undefined, { token: await world.token(rights) })).status;
  const all = { '*': { query: ['read'] } };
  expect(await begin({ orgCapabilities: { rbac: ['create'] } })).toBe(403);
  expect(await begin({ orgCapabilities: { rbac: ['create'] }, datasetCapabilities: all })).toBe(403);
  expect(await begin({ orgCapabilities: { rbac: ['create'], auditLog: ['read'] }, datasetCapabilities: query })).toBe(
    403,
  );
  expect(await begin({ orgCapabilities: { rbac: ['create'], auditLog: ['read'] }, datasetCapabilities: all })).toBe(
    200,
  );
  const token = await world.token({ orgCapabilities: orgResources });
  for (const path of ['/v1/backup/metadata', '/v1/backup/datasets/1?upTo=1'])
    expect((await world.send('GET', path, undefined, { token })).status).toBe(403);
});

test('a request that is held ends with its token', async () => {
  const { token, end } = await createEndingToken();
  const response = world.send(
    'POST',
    '/v1/datasets/_apl?format=tabular&streaming-duration=5m',
    { apl: 'logs | where n > 100' },
    { token },
  );
  await sleep(200);
  await end();
  expect((await response).status).toBe(403);
});

test('an export ends with its token, however much of it is left', async () => {
  const { token, end } = await createEndingToken();
  const apl = 'logs | mv-expand k = range(1, 1000000, 1) | extend text = strrep("x", 1000)';
  const answer = await fetch(`${world.url}/v1/export?apl=${encodeURIComponent(apl)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  const reader = answer.body!.getReader();
  await reader.read();
  await end();
  const rest = (async () => {
    while (!(await reader.read()).done);
  })();
  await expect(rest).rejects.toBeInstanceOf(Error);
});

test('the later queries of a batch are not answered when the token has ended', async () => {
  const { token, end } = await createEndingToken();
  const batch = Array.from({ length: 500 }, (_, i) => ({
    queryId: `${i}`,
    aplRequest: { apl: `logs | where n == ${i}` },
  }));
  const answer = await fetch(`${world.url}/v1/query/batch?maxConcurrency=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(batch),
  });
  let ended: Promise<unknown> | undefined;
  let text = '';
  for await (const piece of answer.body!) {
    ended ??= end();
    text += Buffer.from(piece as Uint8Array).toString();
  }
  await ended;
  const statuses = [...text.matchAll(/"status":(\d+),/g)].map(([, status]) => status);
  expect([statuses[0], statuses.at(-1)]).toEqual(['200', '403']);
});

test('a view shows the same whether it or a virtual field on its dataset was stored first', async () => {
  const storer = await world.token({ orgCapabilities: { views: ['create'] }, datasetCapabilities: query });
  const store = (name: string) => world.send('POST', '/v2/views', { name, aplQuery: 'logs' }, { token: storer });
  const field = { dataset: 'logs', name: 'known', expression: 'n in ((secret | project n))' };
  expect((await store('before')).status).toBe(200);
  expect((await world.send('POST', '/v2/vfields', field)).status).toBe(200);
  expect((await store('after')).status).toBe(200);
  const reader = await world.token({ viewCapabilities: { before: { query: ['read'] }, after: { query: ['read'] } } });
  const queryKnown = async (view: string, token: string): Promise<unknown> => {
    const { body } = await world.send<Tabular>(
      'POST',
      '/v1/datasets/_apl?format=tabular',
      { apl: `${view} | project known` },
      { token },
    );
    return body.tables[0]?.columns[0];
  };
  for (const view of ['before', 'after']) {
    expect(await queryKnown(view, reader)).toEqual([null]);
    expect(await queryKnown(view, world.owner)).toEqual([true]);
  }
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Mutex } from '@millrace/runtime/async/mutex';
import { createTestServer, type Reply, type TestServer } from '../../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
  await world.send('POST', '/v2/datasets', { name: 'logs' });
});
afterEach(() => world.close());

const vacuum = { vacuum: ['update'] } as const;
const rightsBody = { name: 'old', datasetCapabilities: { logs: vacuum } };
const ofLogs = async (path: string): Promise<unknown> =>
  ((await world.send('GET', path)).body as readonly { datasetCapabilities: object }[]).filter(
    ({ datasetCapabilities }) => 'logs' in datasetCapabilities,
  );

/** Starts a request while rights are being changed, runs an action, and returns the response. */
async function overtaken(request: () => Promise<Reply>, meanwhile: () => Promise<unknown>): Promise<Reply> {
  let answer: Promise<Reply> | undefined;
  await world.metadata.rightsChanges.run(async () => {
    answer = request();
    await sleep(20);
    await meanwhile();
  });
  return answer!;
}

describe('rights on a dataset that is deleted concurrently', () => {
  test('do not come back with the successor of a token', async () => {
    const { id } = (await world.send('POST', '/v2/tokens', rightsBody)).body as { id: string };
    const { tokens } = world.metadata;
    const get = tokens.get.bind(tokens);
    let deletion: Promise<Reply> | undefined;
    tokens.get = async (...args) => {
      const found = await get(...args);
      deletion ??= world.send('DELETE', '/v2/datasets/logs');
      // The deletion should not complete before the token has its successor; if it could, it would
      // within this time.
      await Promise.race([deletion, sleep(100)]);
      return found;
    };
    const body = { existingTokenExpiresAt: '2027-01-01T00:00:00Z' };
    expect((await world.send('POST', `/v2/tokens/${id}/regenerate`, body)).status).toBe(200);
    expect((await deletion)!.status).toBe(204);
    expect(await ofLogs('/v2/tokens')).toEqual([]);
  });

  test('cannot be granted through the right itself', async () => {
    const rights = { datasetCapabilities: { logs: vacuum }, orgCapabilities: { apiTokens: ['create'] as const } };
    const token = await world.token(rights);
    const role = await world.token({ ...rights, orgCapabilities: { rbac: ['create'] } });
    const { datasets } = world.metadata;
    const forget = () => datasets.delete('logs', 'forget');
    const given = await overtaken(() => world.send('POST', '/v2/tokens', rightsBody, token), forget);
    expect([given.status, given.body]).toEqual([403, expect.objectContaining({ message: expect.any(String) })]);
    expect((await world.send('POST', '/v2/rbac/roles', rightsBody, role)).status).toBe(403);
    expect([await ofLogs('/v2/tokens'), await ofLogs('/v2/rbac/roles')]).toEqual([[], []]);
  });
});

test('a token that is deleted while its request is on its way leaves no other behind', async () => {
  const secret = await world.token({ orgCapabilities: { apiTokens: ['create'] } });
  const [{ id }] = (await world.send('GET', '/v2/tokens')).body as [{ id: string }];
  const make = () =>
    world.send('POST', '/v2/tokens', { name: 'heir', orgCapabilities: { apiTokens: ['create'] } }, secret);
  const { status } = await overtaken(make, () => world.metadata.tokens.delete('api', id));
  expect(status).toBe(403);
  expect((await world.send('GET', '/v2/tokens')).body).toEqual([]);
});

test('every route that gives or takes rights waits for the others', () => {
  const tags = ['Tokens', 'Personal tokens', 'Roles', 'Groups', 'Users'];
  const writes = world.routes.filter(({ tag, method }) => tags.includes(tag) && method !== 'GET');
  expect(writes.filter(({ changesRights }) => changesRights !== true).map(({ operation }) => operation)).toEqual([
    'updateCurrentUser',
    'updateUser',
  ]);
  // A view grants access to its data to users who may read the view.
  const views = world.routes.filter(({ tag, method }) => tag === 'Views' && method !== 'GET');
  expect(views.map(({ changesRights }) => changesRights)).toEqual([true, true, true]);
});

test('work one by one goes on after work that fails', async () => {
  const works = new Mutex();
  const order: string[] = [];
  const failing = works.run(async () => {
    await sleep(1);
    order.push('first');
    throw new Error('no');
  });
  const next = works.run(async () => order.push('second'));
  await expect(failing).rejects.toThrow('no');
  await next;
  expect(order).toEqual(['first', 'second']);
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '@millrace/server/testing/test-server';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
  await world.send('POST', '/v2/datasets', { name: 'logs' });
  await world.send('POST', '/v2/datasets', { name: 'other' });
});
afterEach(() => world.close());

const vacuum = ['update'] as const;
/** Whether a token may vacuum a dataset, according to a real request. */
const mayVacuum = async (dataset: string, token: string): Promise<boolean> =>
  (await world.send('POST', `/v2/datasets/${dataset}/vacuum`, undefined, token)).status !== 403;

describe('a dataset re-created under a deleted name', () => {
  const recreateDataset = async (): Promise<void> => {
    await world.send('DELETE', '/v2/datasets/logs');
    await world.send('POST', '/v2/datasets', { name: 'logs' });
  };

  test('is closed to tokens that were given the old one, and nothing else is', async () => {
    const token = await world.token({ datasetCapabilities: { logs: { vacuum }, other: { vacuum } } });
    const every = await world.token({ datasetCapabilities: { '*': { vacuum } } });
    expect([await mayVacuum('logs', token), await mayVacuum('other', token)]).toEqual([true, true]);
    await recreateDataset();
    expect([await mayVacuum('logs', token), await mayVacuum('other', token)]).toEqual([false, true]);
    expect(await mayVacuum('logs', every)).toBe(true);
    const { body } = await world.send('GET', '/v2/tokens');
    expect(body).toContainEqual(expect.objectContaining({ datasetCapabilities: { other: { vacuum } } }));
  });

  test('is closed to users whose role gave them the old one', async () => {
    const user = await world.metadata.users.create({ email: 'a@b.c', name: 'A', role: 'none' });
    const rights = { datasetCapabilities: { logs: { vacuum }, other: { vacuum } } };
    const role = await world.send('POST', '/v2/rbac/roles', { name: 'keepers', members: [user.id], ...rights });
    const { secret } = await world.metadata.tokens.create({ kind: 'personal', name: 'n', userId: user.id });
    expect([await mayVacuum('logs', secret), await mayVacuum('other', secret)]).toEqual([true, true]);
    await recreateDataset();
    expect([await mayVacuum('logs', secret), await mayVacuum('other', secret)]).toEqual([false, true]);
    const { id } = role.body as { id: string };
    expect((await world.send('GET', `/v2/rbac/roles/${id}`)).body).toMatchObject({
      members: [user.id],
      datasetCapabilities: { other: { vacuum } },
    });
    expect((await world.send('GET', '/v2/rbac/roles')).body).toContainEqual(
      expect.objectContaining({ id, datasetCapabilities: { other: { vacuum } } }),
    );
  });

  test('rights may be given before the dataset exists, and survive a failure to make it', async () => {
    const token = await world.token({ datasetCapabilities: { later: { vacuum } } });
    world.data.failure = new Error('the engine is gone');
    expect((await world.send('POST', '/v2/datasets', { name: 'later' })).status).toBe(500);
    world.data.failure = undefined;
    expect((await world.send('POST', '/v2/datasets', { name: 'later' })).status).toBe(200);
    expect(await mayVacuum('later', token)).toBe(true);
  });
});

describe('a view that is deleted or renamed', () => {
  const query = { query: ['read'] } as const;
  const rightsOf = async (): Promise<unknown> =>
    ((await world.send('GET', '/v2/tokens')).body as readonly { viewCapabilities: unknown }[])[0]!.viewCapabilities;

  test.each([
    ['DELETE', undefined],
    ['PUT', { name: 'renamed', aplQuery: 'logs' }],
  ] as const)('%s takes the rights on its name along', async (method, body) => {
    const { id } = (await world.send('POST', '/v2/views', { name: 'v', aplQuery: 'logs' })).body as { id: string };
    await world.token({ viewCapabilities: { v: query, w: query, '*': query } });
    await world.send('PUT', `/v2/views/${id}`, { name: 'v', aplQuery: 'other' });
    expect(await rightsOf()).toEqual({ v: query, w: query, '*': query });
    await world.send(method, `/v2/views/${id}`, body);
    expect(await rightsOf()).toEqual({ w: query, '*': query });
  });

  test('one named like the sign for all takes no rights along', async () => {
    const { id } = (await world.send('POST', '/v2/views', { name: '*', aplQuery: 'logs' })).body as { id: string };
    await world.token({ viewCapabilities: { '*': query } });
    await world.send('DELETE', `/v2/views/${id}`);
    expect(await rightsOf()).toEqual({ '*': query });
  });
});

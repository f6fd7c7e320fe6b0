import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
});
afterEach(() => world.close());

const url = '/v2/notification-routes';
const notifier = async (name: string): Promise<string> => {
  const properties = { webhook: { url: `https://${name}.example` } };
  return ((await world.send('POST', '/v2/notifiers', { name, properties })).body as { id: string }).id;
};

test('the table is replaced as a whole, and has a version', async () => {
  expect((await world.send('GET', url)).body).toEqual({ routes: [], version: 0 });
  const routes = [{ name: 'all', notifierIds: [await notifier('a')] }];
  const { body } = await world.send('PUT', url, { routes, version: 0 });
  expect(body).toMatchObject({ routes, version: 1, updatedAt: expect.any(String), updatedBy: expect.any(String) });
  expect((await world.send('GET', url)).body).toEqual(body);
  expect((await world.send('PUT', url, { routes: [], version: 0 })).status).toBe(412);
  expect((await world.send('PUT', url, { routes: [] })).body).toMatchObject({ routes: [], version: 2 });
});

test('a notifier has to exist, and leaves the table when it is deleted', async () => {
  const wrong = await world.send('PUT', url, { routes: [{ name: 'x', notifierIds: ['nobody'] }] });
  expect([wrong.status, wrong.text]).toEqual([
    400,
    expect.stringContaining("'x' names 'nobody', which is no notifier"),
  ]);
  const [a, b] = [await notifier('a'), await notifier('b')];
  await world.send('PUT', url, { routes: [{ name: 'x', notifierIds: [a, b] }] });
  await world.send('DELETE', `/v2/notifiers/${a}`);
  expect((await world.send('GET', url)).body).toMatchObject({ routes: [{ name: 'x', notifierIds: [b] }], version: 2 });
});

test('receivers by monitor, by labels, and by a draft of the table', async () => {
  const [a, b] = [await notifier('a'), await notifier('b')];
  const made = await world.send('POST', '/v2/monitors', {
    name: 'm',
    type: 'Threshold',
    aplQuery: 'logs | count',
    operator: 'Above',
    labels: { team: 'payments' },
    notifierIds: [b],
  });
  await world.send('PUT', url, { routes: [{ name: 'team', labels: { team: 'payments' }, notifierIds: [a] }] });
  const testRoutes = async (body: object) => (await world.send('POST', `${url}/test`, body)).body;
  const route = { index: 0, name: 'team', notifierIds: [a] };
  expect(await testRoutes({ monitorId: (made.body as { id: string }).id })).toEqual({
    notifierIds: [b, a],
    own: [b],
    routes: [route],
  });
  expect(await testRoutes({ labels: { team: 'payments' } })).toEqual({ notifierIds: [a], own: [], routes: [route] });
  expect(await testRoutes({ labels: { team: 'search' } })).toEqual({ notifierIds: [], own: [], routes: [] });
  const routes = [{ name: 'draft', severities: ['critical'], notifierIds: [b] }];
  expect(await testRoutes({ severity: 'critical', routes })).toMatchObject({ notifierIds: [b] });
  expect((await world.send('POST', `${url}/test`, { monitorId: 'mon_none' })).status).toBe(404);
});

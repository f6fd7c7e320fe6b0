import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer, type Reply, type TestServer } from '../testing/test-server.js';

/**
 * Resources written elsewhere name owners, notifiers, datasets and IDs that are unknown here. What
 * is created, its creator can read; a rejection leaves nothing behind; and an ID that is said to be
 * missing is not said to be taken.
 */

let world: TestServer;
beforeAll(async () => {
  world = await createTestServer({});
  await world.send('POST', '/v2/datasets', { name: 'logs' });
});
afterAll(() => world.close());

const monitor = {
  name: 'm',
  type: 'Threshold',
  aplQuery: 'logs | summarize count()',
  operator: 'Above',
  threshold: 1,
  intervalMinutes: 1,
  rangeMinutes: 1,
};
const properties = { webhook: { url: 'https://a.example' } };
const starredQuery = { kind: 'apl', name: 'q', query: { apl: 'logs' } };
const foreign = { id: 'foreign', createdAt: '2020-01-01T00:00:00Z', createdBy: 'usr_elsewhere' };

/** Resource, body, and whether it is created; a dataset may be created later. */
const bodies: readonly (readonly [path: string, says: string, body: object, isCreated: boolean])[] = [
  ['monitors', 'an ID and an author', { ...monitor, ...foreign }, true],
  ['monitors', 'an unknown notifier', { ...monitor, notifierIds: ['elsewhere'] }, false],
  ['monitors', 'an unknown dataset', { ...monitor, aplQuery: 'elsewhere | summarize count()' }, true],
  ['monitors', 'an unknown monitor that inhibits it', { ...monitor, inhibitedBy: ['mon_elsewhere'] }, false],
  ['notifiers', 'an ID and an author', { name: 'n', properties, ...foreign }, true],
  ['apl-starred-queries', 'an ID and an author', { ...starredQuery, dataset: 'logs', ...foreign }, true],
  ['apl-starred-queries', 'an unknown owner', { ...starredQuery, dataset: 'logs', who: 'usr_elsewhere' }, false],
  ['apl-starred-queries', 'an unknown dataset', { ...starredQuery, dataset: 'elsewhere' }, true],
  ['views', 'an ID and an author', { name: 'v', aplQuery: 'logs', datasets: ['logs'], ...foreign }, true],
  ['views', 'an unknown dataset', { name: 'w', aplQuery: 'logs', datasets: ['elsewhere'] }, true],
];

const lists = {
  monitors: '/v2/monitors',
  notifiers: '/v2/notifiers',
  'apl-starred-queries': '/v2/apl-starred-queries?who=all',
  views: '/v2/views',
} as const;
const listIds = async (resource: string): Promise<readonly string[]> => {
  const { body } = await world.send('GET', lists[resource as keyof typeof lists]);
  return (body as readonly { readonly id: string }[]).map(({ id }) => id);
};
const idOf = ({ body }: Reply): string => (body as { readonly id: string }).id;

test.each(bodies)('%s with %s', async (resource, _, body, isCreated) => {
  const before = await listIds(resource);
  const reply = await world.send('POST', `/v2/${resource}`, body);
  expect([reply.status < 300, reply.text]).toEqual([isCreated, expect.any(String)]);
  if (!isCreated) {
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(await listIds(resource)).toEqual(before);
    return;
  }
  const id = idOf(reply);
  expect(await listIds(resource)).toContain(id);
  expect((await world.send('GET', `/v2/${resource}/${id}`)).status).toBe(200);
  // An ID from elsewhere is not taken over, so nothing of another server is overwritten.
  expect(id).not.toBe('foreign');
  expect((await world.send('DELETE', `/v2/${resource}/${id}`)).status).toBeLessThan(300);
});

test.each(bodies.filter(([, , , isCreated]) => isCreated))(
  '%s with %s: missing values are rejected',
  async (resource, _, body) => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const reply = await world.send(method, `/v2/${resource}/foreign`, method === 'PUT' ? body : undefined);
      expect([method, reply.status]).toEqual([method, 404]);
    }
    const reply = await world.send('POST', `/v2/${resource}`, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    const id = idOf(reply);
    const again = await world.send('POST', `/v2/${resource}`, body);
    // A conflict is about something that the creator can read.
    if (again.status === 409) expect(await listIds(resource)).toContain(id);
    else expect(again.status, again.text).toBeLessThan(300);
    for (const made of await listIds(resource)) await world.send('DELETE', `/v2/${resource}/${made}`);
  },
);

import { expect, test } from 'vitest';
import { createTestServer } from '../testing/test-server.js';

/**
 * Queries name datasets and views alike. Looking at the query of a view takes time, in which a
 * dataset may come.
 */
test.each(['POST', 'PUT'] as const)(
  'a name is a dataset or a view, also when both come at once (%s)',
  async (method) => {
    const world = await createTestServer();
    const view = { name: 'errors', aplQuery: "['http-logs'] | take 1" };
    const { id } = (await world.send('POST', '/v2/views', { ...view, name: 'before' })).body as { id: string };
    const statuses: number[] = [];
    Object.assign(world.deps.checks, {
      view: async () => void statuses.push((await world.send('POST', '/v2/datasets', { name: 'errors' })).status),
    });
    statuses.push((await world.send(method, method === 'PUT' ? `/v2/views/${id}` : '/v2/views', view)).status);
    expect(statuses).toEqual([200, 409]);
    expect((await world.metadata.views.list()).map(({ name }) => name)).toEqual(['before']);
    await world.close();
  },
);

/**
 * SQLite's client truncates text at its first NUL when it reads it, so such text is either rejected
 * or stored escaped.
 */
test.each([
  ['POST', '/v2/datasets', { name: 'a' }, 'description'],
  ['POST', '/v2/datasets', { name: 'a' }, 'edgeDeployment'],
  ['PUT', '/v2/datasets/http-logs', {}, 'description'],
  ['PUT', '/v2/datasets/http-logs/fields/a', {}, 'unit'],
  ['PUT', '/v2/datasets/http-logs/fields/a', {}, 'description'],
  ['POST', '/v1/datasets', { name: 'a' }, 'region'],
  ['POST', '/v2/users', { email: 'a@b', role: 'user' }, 'name'],
  ['POST', '/v2/users', { name: 'a', role: 'user' }, 'email'],
  ['PUT', '/v2/user', {}, 'name'],
  ['POST', '/v2/tokens', {}, 'name'],
  ['POST', '/v2/tokens', { name: 'a' }, 'description'],
  ['POST', '/v2/personal-tokens', { name: 'a' }, 'description'],
  ['PUT', '/v2/orgs/{org}', {}, 'name'],
] as const)('%s %s %j refuses a NUL in %s', async (method, path, body, member) => {
  const world = await createTestServer();
  await world.metadata.datasets.create({ name: 'http-logs', who: 'me' });
  const url = path.replace('{org}', (await world.metadata.org.get()).id);
  const { status, text } = await world.send(method, url, { ...body, [member]: 'a\0@b' });
  expect([status, text]).toEqual([400, expect.stringContaining(`body '${member}' must be `)]);
  await world.close();
});

test('errors about a field with a NUL in its name name that field', async () => {
  const world = await createTestServer();
  await world.metadata.datasets.create({ name: 'http-logs', who: 'me' });
  const url = '/v2/datasets/http-logs/fields';
  const said = await world.send('PUT', `${url}/a%00b`, { unit: 'ms' });
  expect(said.body).toMatchObject({ name: 'a\0b', unit: 'ms' });
  expect((await world.send('GET', url)).body).toContainEqual(said.body);
  await world.close();
});

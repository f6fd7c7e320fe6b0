import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '@millrace/server/testing/test-server';

/** Limits of a right: it must not affect users with more rights. */

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
  for (const name of ['http-logs', 'secret']) await world.send('POST', '/v2/datasets', { name });
});
afterEach(() => world.close());

const createResource = async (path: string, body: object, token?: string): Promise<Record<string, string>> => {
  const { status, body: answer } = await world.send('POST', path, body, token);
  expect([200, 201]).toContain(status);
  return answer as Record<string, string>;
};

test('a token that has a right the caller lacks is not deleted; a weaker one and the caller’s own are', async () => {
  const strong = await createResource('/v2/tokens', { name: 'strong', orgCapabilities: { users: ['create'] } });
  const weak = await createResource('/v2/tokens', { name: 'weak', orgCapabilities: { apiTokens: ['delete'] } });
  const deleter = await world.token({ orgCapabilities: { apiTokens: ['delete'] } });
  expect((await world.send('DELETE', `/v2/tokens/${strong['id']}`, undefined, deleter)).status).toBe(403);
  expect((await world.send('DELETE', `/v2/tokens/${weak['id']}`, undefined, deleter)).status).toBe(204);
  expect((await world.send('DELETE', `/v2/tokens/${strong['id']}`)).status).toBe(204);
});

test.each([
  'Owner',
  'OWNER',
  ' admin ',
  'Ｏwner',
  'Read-Only',
  'own\u200ber',
  '\u202eowner',
  'o\u0301wner',
  'us\u00ader',
  'оwnеr',
  'admın',
])('no role is named %j', async (name) => {
  expect((await world.send('POST', '/v2/rbac/roles', { name })).status).toBe(409);
});

test('users:update cannot rename a user with more rights', async () => {
  const updater = await world.token({ orgCapabilities: { users: ['update'] } });
  const { id: owner } = await world.metadata.users.owner();
  const { id } = await createResource('/v2/users', { email: 'a@b.example', name: 'A', role: 'none' });
  const rename = (user: string, token?: string) => world.send('PUT', `/v2/users/${user}`, { name: 'Root' }, token);
  expect((await rename(owner, updater)).status).toBe(403);
  expect((await rename(id!, updater)).status).toBe(200);
  expect((await rename(owner)).status).toBe(200);
});

test('a personal token created by another user never exceeds its creator, however its user is promoted', async () => {
  const { id: userId } = await createResource('/v2/users', { email: 'a@b.example', name: 'A', role: 'read-only' });
  const updater = await world.token({
    orgCapabilities: { users: ['update'], ...readable },
    datasetCapabilities: {
      '*': { query: ['read'], starredQueries: ['read'], virtualFields: ['read'], share: ['read'] },
    },
    viewCapabilities: { '*': { query: ['read'], share: ['read'] } },
  });
  const { token } = await createResource(
    '/v2/personal-tokens',
    { name: 'kept by its maker', userId: userId! },
    updater,
  );
  await world.send('PUT', `/v2/users/${userId}/role`, { role: 'admin' });
  expect((await world.send('GET', '/v2/tokens', undefined, token)).status).toBe(403);
  expect((await world.send('GET', '/v2/datasets', undefined, token)).status).toBe(200);
  expect((await world.send('POST', '/v2/personal-tokens', { name: 'with it' }, token)).status).toBe(403);
  // A token created by a user who has these rights has all rights of its user.
  const { token: newToken } = await createResource('/v2/personal-tokens', { name: 'asked again', userId: userId! });
  expect((await world.send('GET', '/v2/tokens', undefined, newToken)).status).toBe(200);
  // And it loses the rights that the user loses.
  await world.send('PUT', `/v2/users/${userId}/role`, { role: 'none' });
  expect((await world.send('GET', '/v2/users', undefined, newToken)).status).toBe(403);
});

/** Organization rights of the role read-only. */
const readable = Object.fromEntries(
  [
    'annotations',
    'dashboards',
    'datasets',
    'endpoints',
    'flows',
    'integrations',
    'labels',
    'monitors',
    'notifiers',
    'views',
  ].map((resource) => [resource, ['read']]),
);

test('a saved query without a dataset is its owner’s, unless it is the team’s', async () => {
  const star = { kind: 'apl', name: 'n', query: { apl: "['secret'] | where password == 'x'" }, metadata: {} };
  const own = await createResource('/v2/apl-starred-queries', star);
  const shared = await createResource('/v2/apl-starred-queries', { ...star, who: 'team' });
  const { id } = await createResource('/v2/users', { email: 'a@b.example', name: 'A', role: 'user' });
  const { token } = await createResource('/v2/personal-tokens', { name: 't', userId: id! });
  const ids = async (secret?: string): Promise<readonly string[]> => {
    const { body } = await world.send('GET', '/v2/apl-starred-queries?who=all', undefined, secret);
    return (body as { id: string }[]).map((query) => query.id);
  };
  expect(await ids()).toEqual([own['id'], shared['id']]);
  expect(await ids(token)).toEqual([shared['id']]);
  expect((await world.send('GET', `/v2/apl-starred-queries/${own['id']}`, undefined, token)).status).toBe(404);
});

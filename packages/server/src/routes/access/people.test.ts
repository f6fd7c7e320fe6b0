import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
});
afterEach(() => world.close());

const idOf = ({ body }: { readonly body: unknown }): string => (body as { id: string }).id;
const addUser = async (role: string, email = 'b@example.com') =>
  idOf(await world.send('POST', '/v2/users', { name: 'B', email, role }));
const loginAs = async (userId: string) =>
  ((await world.send('POST', '/v2/personal-tokens', { name: 't', userId })).body as { token: string }).token;

describe('users', () => {
  test('create = get = list element; rename, change role, remove', async () => {
    const { body, status } = await world.send('POST', '/v2/users', { name: 'B', email: 'b@example.com', role: 'user' });
    const id = idOf({ body });
    expect([status, body]).toEqual([
      200,
      { id, name: 'B', email: 'b@example.com', role: { id: 'user', name: 'user' } },
    ]);
    expect((await world.send('GET', `/v2/users/${id}`)).body).toEqual(body);
    expect((await world.send('GET', '/v2/users')).body).toContainEqual(body);
    expect((await world.send('PUT', `/v2/users/${id}`, { name: 'C' })).body).toMatchObject({ name: 'C' });
    expect((await world.send('PUT', `/v2/users/${id}/role`, { role: 'read-only' })).body).toMatchObject({
      role: { id: 'read-only' },
    });
    expect((await world.send('DELETE', `/v2/users/${id}`)).status).toBe(204);
    expect((await world.send('GET', `/v2/users/${id}`)).status).toBe(404);
  });

  test('mistakes', async () => {
    await addUser('user');
    expect((await world.send('POST', '/v2/users', { name: 'B', email: 'b@example.com', role: 'user' })).status).toBe(
      409,
    );
    expect((await world.send('POST', '/v2/users', { name: 'B', email: 'B@Example.com', role: 'user' })).status).toBe(
      409,
    );
    expect((await world.send('POST', '/v2/users', { name: 'B', email: 'nobody', role: 'user' })).status).toBe(400);
    expect(
      (await world.send('POST', '/v2/users', { name: 'B', email: 'c@example.com', role: 'king' })).body,
    ).toMatchObject({ message: "role 'king' not found" });
    expect((await world.send('PUT', '/v2/users/nobody/role', { role: 'user' })).status).toBe(404);
  });

  test('the current user, also with an API token', async () => {
    const { body } = await world.send('GET', '/v2/user', undefined, world.owner, { 'x-axiom-org-id': 'any' });
    expect(body).toMatchObject({ name: 'Owner', role: { id: 'owner', name: 'owner' } });
    const api = await world.token({ datasetCapabilities: { logs: { ingest: ['create'] } } });
    expect((await world.send('GET', '/v2/user', undefined, api)).body).toEqual(body);
    expect((await world.send('GET', '/v1/user', undefined, api)).body).toMatchObject({
      role: 'owner',
      emails: [(body as { readonly email: string }).email],
      permissions: ['CanIngest'],
    });
    expect((await world.send('GET', '/v1/user')).body).toMatchObject({
      permissions: ['CanIngest', 'CanQuery', 'ManageDatasets'],
    });
    expect((await world.send('PUT', '/v2/user', { name: 'Me' })).body).toMatchObject({ name: 'Me' });
    expect((await world.send('PUT', '/v2/user', { name: 'Not me' }, api)).status).toBe(403);
  });

  test('a user cannot raise their rights or those of others', async () => {
    const admin = await addUser('admin');
    const token = await loginAs(admin);
    const owner = idOf(await world.send('GET', '/v2/user'));
    expect((await world.send('PUT', `/v2/users/${admin}/role`, { role: 'owner' }, token)).status).toBe(403);
    expect(
      (await world.send('POST', '/v2/users', { name: 'C', email: 'c@example.com', role: 'owner' }, token)).status,
    ).toBe(403);
    expect((await world.send('DELETE', `/v2/users/${owner}`, undefined, token)).status).toBe(403);
    expect((await world.send('PUT', `/v2/users/${owner}/role`, { role: 'none' }, token)).status).toBe(403);
    const tokens = (await world.send('GET', '/v2/personal-tokens')).body as readonly { id: string; userId: string }[];
    const ownersToken = tokens.find(({ userId }) => userId === owner)!.id;
    expect((await world.send('DELETE', `/v2/personal-tokens/${ownersToken}`, undefined, token)).status).toBe(403);
    expect((await world.send('PUT', `/v2/users/${admin}/role`, { role: 'user' }, token)).status).toBe(200);
    expect((await world.send('GET', '/v2/users', undefined, token)).status).toBe(403);
  });

  test('the last owner stays', async () => {
    const owner = idOf(await world.send('GET', '/v2/user'));
    expect((await world.send('DELETE', `/v2/users/${owner}`)).body).toMatchObject({
      code: 403,
      message: expect.stringContaining('last owner'),
    });
    expect((await world.send('PUT', `/v2/users/${owner}/role`, { role: 'user' })).status).toBe(403);
  });
});

describe('roles and groups', () => {
  const readLogs = { datasetCapabilities: { logs: { query: ['read'] } } };

  test('a role gives its members its rights, as long as it lasts', async () => {
    const user = await addUser('none');
    const token = await loginAs(user);
    const readViews = async () => (await world.send('GET', '/v2/views', undefined, token)).status;
    expect(await readViews()).toBe(403);
    const role = await world.send('POST', '/v2/rbac/roles', {
      name: 'viewers',
      members: [user],
      orgCapabilities: { views: ['read'] },
    });
    expect(await readViews()).toBe(200);
    expect((await world.send('GET', `/v2/rbac/roles/${idOf(role)}`)).body).toEqual(role.body);
    expect((await world.send('GET', '/v2/rbac/roles')).body).toContainEqual(role.body);
    expect(
      (
        await world.send('PUT', `/v2/rbac/roles/${idOf(role)}`, {
          name: 'viewers',
          orgCapabilities: { views: ['read'] },
          members: [],
        })
      ).body,
    ).toMatchObject({ members: [] });
    expect(await readViews()).toBe(403);

    const group = await world.send('POST', '/v2/rbac/groups', { name: 'guests', members: [user], roles: [idOf(role)] });
    expect(group.body).toMatchObject({ isManaged: false, description: '' });
    expect(await readViews()).toBe(200);
    expect((await world.send('DELETE', `/v2/rbac/roles/${idOf(role)}`)).status).toBe(204);
    expect(await readViews()).toBe(403);
    expect(
      (
        await world.send('PUT', `/v2/rbac/groups/${idOf(group)}`, {
          name: 'guests',
          members: [user],
          roles: ['read-only'],
        })
      ).status,
    ).toBe(200);
    expect(await readViews()).toBe(200);
    expect((await world.send('DELETE', `/v2/rbac/groups/${idOf(group)}`)).status).toBe(204);
    expect(await readViews()).toBe(403);
  });

  test('a role that is replaced keeps its members if they are left out, and nothing else', async () => {
    const user = await addUser('none');
    const role = { name: 'viewers', description: 'May look', members: [user], orgCapabilities: { views: ['read'] } };
    const url = `/v2/rbac/roles/${idOf(await world.send('POST', '/v2/rbac/roles', role))}`;
    for (const members of [undefined, null]) {
      const { body } = await world.send('PUT', url, { name: 'lookers', members });
      expect(body).toMatchObject({ name: 'lookers', description: '', members: [user], orgCapabilities: {} });
    }
  });

  test('roles and groups forget users and roles that are gone, and take back what they answered', async () => {
    const user = await addUser('none');
    const role = idOf(await world.send('POST', '/v2/rbac/roles', { name: 'viewers', members: [user] }));
    const group = { name: 'guests', members: [user], roles: [role, 'read-only'] };
    const url = `/v2/rbac/groups/${idOf(await world.send('POST', '/v2/rbac/groups', group))}`;
    await world.send('DELETE', `/v2/users/${user}`);
    expect((await world.send('GET', `/v2/rbac/roles/${role}`)).body).toMatchObject({ members: [] });
    await world.send('DELETE', `/v2/rbac/roles/${role}`);
    const { body } = await world.send('GET', url);
    expect(body).toMatchObject({ members: [], roles: ['read-only'] });
    expect(await world.send('PUT', url, body as object)).toMatchObject({ status: 200, body: body as object });
  });

  test('a user whose role was deleted has no role', async () => {
    const role = await world.send('POST', '/v2/rbac/roles', { name: 'viewers', orgCapabilities: { views: ['read'] } });
    const user = await addUser('viewers');
    const token = await loginAs(user);
    await world.send('DELETE', `/v2/rbac/roles/${idOf(role)}`);
    expect((await world.send('GET', '/v2/views', undefined, token)).status).toBe(403);
    expect((await world.send('GET', '/v2/user', undefined, token)).body).toMatchObject({
      role: { id: 'none', name: 'none' },
    });
  });

  test('a user can have a role made by users as the own one', async () => {
    const role = idOf(await world.send('POST', '/v2/rbac/roles', { name: 'analyst', ...readLogs }));
    const user = await addUser('analyst');
    expect((await world.send('GET', `/v2/users/${user}`)).body).toMatchObject({ role: { id: role, name: 'analyst' } });
  });

  test('built-in roles are listed and stay as they are', async () => {
    const list = (await world.send('GET', '/v2/rbac/roles')).body as readonly { id: string }[];
    expect(list.map(({ id }) => id)).toEqual(['owner', 'admin', 'user', 'read-only', 'none']);
    expect((await world.send('GET', '/v2/rbac/roles/admin')).body).toEqual(list[1]);
    expect((await world.send('PUT', '/v2/rbac/roles/none', { name: 'none', ...readLogs })).status).toBe(403);
    expect((await world.send('DELETE', '/v2/rbac/roles/owner')).status).toBe(403);
    expect((await world.send('POST', '/v2/rbac/roles', { name: 'owner' })).status).toBe(409);
  });

  test('members and roles must exist, names are unique', async () => {
    expect((await world.send('POST', '/v2/rbac/roles', { name: 'r', members: ['nobody'] })).body).toMatchObject({
      message: "user 'nobody' not found",
    });
    expect((await world.send('POST', '/v2/rbac/groups', { name: 'g', roles: ['none of those'] })).body).toMatchObject({
      message: "role 'none of those' not found",
    });
    await world.send('POST', '/v2/rbac/groups', { name: 'g' });
    expect((await world.send('POST', '/v2/rbac/groups', { name: 'g' })).status).toBe(409);
  });

  test('a role or group never extends the rights of its editor', async () => {
    const token = await world.token({ orgCapabilities: { rbac: ['create', 'read'] } });
    const strong = idOf(await world.send('POST', '/v2/rbac/roles', { name: 'strong', ...readLogs }));
    const group = idOf(await world.send('POST', '/v2/rbac/groups', { name: 'strong', roles: [strong] }));
    const attempts: readonly (readonly ['POST' | 'PUT' | 'DELETE', string, object | undefined])[] = [
      ['POST', '/v2/rbac/roles', { name: 'r', ...readLogs }],
      ['PUT', `/v2/rbac/roles/${strong}`, { name: 'strong', members: [] }],
      ['DELETE', `/v2/rbac/roles/${strong}`, undefined],
      ['PUT', `/v2/rbac/groups/${group}`, { name: 'strong', roles: [] }],
      ['DELETE', `/v2/rbac/groups/${group}`, undefined],
      ['POST', '/v2/rbac/groups', { name: 'g', roles: ['owner'] }],
      ['POST', '/v2/rbac/groups', { name: 'g', roles: [strong] }],
    ];
    for (const [method, url, body] of attempts)
      expect(await world.send(method, url, body, token)).toMatchObject({ status: 403 });
    const weak = await world.send('POST', '/v2/rbac/groups', { name: 'g', roles: ['none'] }, token);
    expect(weak.status).toBe(200);
    expect((await world.send('DELETE', `/v2/rbac/groups/${idOf(weak)}`, undefined, token)).status).toBe(204);
  });
});

test('the organization', async () => {
  const [org] = (await world.send('GET', '/v2/orgs')).body as readonly { id: string }[];
  expect(org).toMatchObject({ name: 'Millrace', role: 'owner', paymentStatus: 'na', primaryEmail: 'owner@localhost' });
  expect((await world.send('GET', `/v2/orgs/${org!.id}`)).body).toEqual(org);
  for (const member of ['member', 'limits', 'usage']) expect(org).not.toHaveProperty(member);
  expect((await world.send('GET', `/v2/orgs/${org!.id}?include=member`)).body).toEqual({ ...org, member: true });
  world.advance(1000);
  const renamed = (await world.send('PUT', `/v2/orgs/${org!.id}`, { name: 'Ours' })).body;
  expect(renamed).toMatchObject({
    id: org!.id,
    name: 'Ours',
    license: { issuedTo: 'Ours' },
    metaModified: '2026-11-20T10:00:01.000Z',
  });
  expect((await world.send('GET', '/v2/orgs')).body).toEqual([renamed]);
  expect((await world.send('GET', '/v2/orgs/other')).status).toBe(404);
  // A server has one organization: creating another is rejected, and the response lists the allowed
  // methods.
  const second = await world.send('POST', '/v2/orgs', { name: 'Theirs' });
  expect([second.status, second.headers.allow]).toEqual([403, undefined]);
});

import { requestBounds } from '@millrace/api/limits';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ada, asConsole, cookieOf, openSignInWorld, problemOf, signIn } from '../testing/sign-in-world.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

/** Requests as the documentation of Okta and Entra shows them, in their order. */

let server: TestServer;
let token: string;
const rights = { orgCapabilities: { users: ['read'], rbac: ['update'] } } as const;

beforeEach(async () => {
  server = await createTestServer();
  token = await server.token(rights);
});
afterEach(() => server.close());

interface Resource {
  readonly id: string;
  readonly active: boolean;
  readonly displayName: string;
  readonly members: readonly { readonly value: string }[];
  readonly Resources: readonly Resource[];
  readonly totalResults: number;
}

async function scim(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const reply = await server.send(
    method,
    `/scim/v2${path}`,
    body === undefined ? undefined : JSON.stringify(body),
    token,
    {
      'content-type': 'application/scim+json',
    },
  );
  return { status: reply.status, body: (reply.text === '' ? undefined : JSON.parse(reply.text)) as Resource };
}

const patchOp = (...Operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const byName = (name: string) => `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}&startIndex=1&count=100`;

const oktaUser = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ primary: true, value: 'ada@example.com', type: 'work' }],
  displayName: 'Ada Lovelace',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
};

/** A personal token of a user, with a session. */
async function tokenAndSession(userId: string): Promise<{ readonly secret: string; readonly cookie: string }> {
  const { secret } = await server.metadata.tokens.create({ kind: 'personal', name: 'own', userId });
  const begun = await server.send('POST', '/console/api/session', undefined, secret, {
    'x-millrace-console': '1',
    'sec-fetch-site': 'same-origin',
  });
  return { secret, cookie: cookieOf(begun) };
}

test('Okta: a user is looked up, created, read, changed, deactivated and activated again', async () => {
  expect(await scim('GET', byName('ada@example.com'))).toMatchObject({
    status: 200,
    body: { totalResults: 0, Resources: [], startIndex: 1, itemsPerPage: 0 },
  });
  const created = await scim('POST', '/Users', oktaUser);
  expect(created).toMatchObject({
    status: 201,
    body: {
      userName: 'ada@example.com',
      active: true,
      externalId: oktaUser.externalId,
      meta: { resourceType: 'User' },
    },
  });
  const { id } = created.body;
  expect((await scim('GET', byName('ADA@example.com'))).body.Resources.map((user) => user.id)).toEqual([id]);
  const put = { ...oktaUser, id, name: { givenName: 'Ada', familyName: 'King' }, displayName: 'Ada King' };
  expect(await scim('PUT', `/Users/${id}`, put)).toMatchObject({ status: 200, body: { displayName: 'Ada King' } });

  const { secret, cookie } = await tokenAndSession(id);
  expect((await server.send('GET', '/v2/user', undefined, secret)).status).toBe(200);
  expect((await asConsole(server, cookie)).status).toBe(200);
  const off = await scim('PATCH', `/Users/${id}`, patchOp({ op: 'replace', value: { active: false } }));
  expect(off).toMatchObject({ status: 200, body: { active: false } });
  expect((await server.send('GET', '/v2/user', undefined, secret)).status).toBe(403);
  expect((await asConsole(server, cookie)).status).toBe(403);
  // Not even a token that an administrator makes works.
  const late = (await server.metadata.tokens.create({ kind: 'personal', name: 'late', userId: id })).secret;
  expect((await server.send('GET', '/v2/user', undefined, late)).status).toBe(403);
  const on = await scim('PATCH', `/Users/${id}`, patchOp({ op: 'replace', value: { active: true } }));
  expect(on).toMatchObject({ status: 200, body: { active: true } });
  expect((await server.send('GET', '/v2/user', undefined, secret)).status).toBe(403);
});

test('Okta: a group is pushed, and its members change', async () => {
  const [a, b] = await Promise.all(
    ['a', 'b'].map(async (name) => (await scim('POST', '/Users', { userName: `${name}@example.com` })).body.id),
  );
  const made = await scim('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Operators',
    members: [{ value: a, display: 'a@example.com' }],
  });
  expect(made).toMatchObject({ status: 201, body: { displayName: 'Operators', members: [{ value: a }] } });
  const { id } = made.body;
  const members = async () => (await scim('GET', `/Groups/${id}`)).body.members.map(({ value }) => value);
  await scim(
    'PATCH',
    `/Groups/${id}`,
    patchOp(
      { op: 'remove', path: `members[value eq "${a}"]` },
      { op: 'add', path: 'members', value: [{ value: b, display: 'b@example.com' }] },
    ),
  );
  expect(await members()).toEqual([b]);
  await scim(
    'PATCH',
    `/Groups/${id}`,
    patchOp({ op: 'replace', path: 'members', value: [{ value: a }, { value: b }] }),
  );
  expect(await members()).toEqual([a, b]);
  await scim('PATCH', `/Groups/${id}`, patchOp({ op: 'replace', value: { id, displayName: 'Ops' } }));

  // An administrator gives the group a role once; from then on the provider decides who has it.
  const group = { name: 'Ops', roles: ['read-only'], members: [a, b] };
  expect((await server.send('PUT', `/v2/rbac/groups/${id}`, group)).status).toBe(200);
  const { secret } = await tokenAndSession(a!);
  expect((await server.send('GET', '/v2/monitors', undefined, secret)).status).toBe(200);
  await scim('PUT', `/Groups/${id}`, { displayName: 'Ops', members: [{ value: b }] });
  expect((await server.send('GET', '/v2/monitors', undefined, secret)).status).toBe(403);
  expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
  expect((await scim('GET', `/Groups/${id}`)).status).toBe(404);
});

test('Entra: the connection is tested, a user created, renamed and disabled, in its own forms', async () => {
  expect(await scim('GET', byName('5dd64e2c-not-there'))).toMatchObject({ status: 200, body: { totalResults: 0 } });
  const created = await scim('POST', '/Users', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Test_User_ab6490ee',
    active: true,
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@example.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  });
  expect(created).toMatchObject({ status: 201, body: { displayName: 'givenName familyName' } });
  const { id } = created.body;
  const renamed = await scim(
    'PATCH',
    `/Users/${id}`,
    patchOp(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@example.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'IT' },
    ),
  );
  expect(renamed).toMatchObject({
    status: 200,
    body: {
      emails: [{ value: 'updated@example.com' }],
      name: { givenName: 'givenName', familyName: 'updatedFamilyName' },
      displayName: 'givenName updatedFamilyName',
    },
  });
  const disabled = await scim('PATCH', `/Users/${id}`, patchOp({ op: 'Replace', path: 'active', value: 'False' }));
  expect(disabled.body.active).toBe(false);
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
});

test('Entra: a group is found by its name, gets members and loses them', async () => {
  const { id: user } = (await scim('POST', '/Users', { userName: 'u@example.com' })).body;
  const { id } = (await scim('POST', '/Groups', { externalId: '8aa1a0c0', displayName: 'displayName', meta: {} })).body;
  const query = `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "displayName"')}`;
  expect((await scim('GET', query)).body.Resources.map((group) => group.id)).toEqual([id]);
  const members = async () => (await scim('GET', `/Groups/${id}`)).body.members.length;
  await scim('PATCH', `/Groups/${id}`, patchOp({ op: 'Add', path: 'members', value: [{ $ref: null, value: user }] }));
  expect(await members()).toBe(1);
  await scim(
    'PATCH',
    `/Groups/${id}`,
    patchOp({ op: 'Remove', path: 'members', value: [{ $ref: null, value: user }] }),
  );
  expect(await members()).toBe(0);
  await scim('PATCH', `/Groups/${id}`, patchOp({ op: 'Replace', path: 'displayName', value: 'Other name' }));
  expect((await scim('GET', `/Groups/${id}`)).body.displayName).toBe('Other name');
});

describe('bounds', () => {
  test('owners and groups made by hand are out of reach', async () => {
    const owner = await server.metadata.users.owner();
    for (const [method, body] of [['PATCH', patchOp({ op: 'replace', value: { active: false } })], ['DELETE']] as const)
      expect((await scim(method, `/Users/${owner.id}`, body)).status).toBe(403);
    const hand = await server.metadata.groups.create({
      name: 'hand',
      description: '',
      members: [],
      roles: ['admin'],
      isManaged: false,
    });
    expect((await scim('PATCH', `/Groups/${hand.id}`, patchOp({ op: 'add', path: 'members', value: [] }))).status).toBe(
      404,
    );
    expect((await scim('POST', '/Groups', { displayName: 'hand' })).status).toBe(409);
    expect((await scim('GET', '/Groups')).body.totalResults).toBe(0);
  });

  test('a token needs the rights, and errors have the form of SCIM', async () => {
    token = await server.token({ orgCapabilities: { users: ['read'] } });
    expect((await scim('GET', '/Users')).status).toBe(200);
    expect((await scim('POST', '/Users', oktaUser)).status).toBe(403);
    token = 'xaat-00000000-0000-4000-8000-000000000000';
    expect(await scim('GET', '/Users')).toMatchObject({
      status: 401,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401', detail: expect.any(String) },
    });
    token = await server.token(rights);
    await scim('POST', '/Users', oktaUser);
    expect(await scim('POST', '/Users', oktaUser)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect((await scim('GET', '/Users?filter=userName%20sw%20%22a%22')).status).toBe(400);
    expect((await scim('PATCH', '/Users/none', patchOp({ op: 'move' }))).status).toBe(404);
  });

  test(`a page has at most ${requestBounds.scimPage.max}; bodies have bounds, too`, async () => {
    const { users } = server.metadata;
    for (let i = 0; i < requestBounds.scimPage.max + 5; i++)
      await users.create({ email: `u${i}@example.com`, name: `u${i}`, role: 'none' });
    const all = requestBounds.scimPage.max + 6;
    const first = await scim('GET', '/Users?startIndex=1&count=100000');
    expect([first.body.totalResults, first.body.Resources.length]).toEqual([all, requestBounds.scimPage.max]);
    const rest = await scim('GET', `/Users?startIndex=${requestBounds.scimPage.max + 1}`);
    expect(rest.body.Resources).toHaveLength(6);
    expect((await scim('GET', '/Users?count=0')).body.Resources).toEqual([]);
    const { id } = (await scim('POST', '/Groups', { displayName: 'g' })).body;
    const changes = Array.from({ length: requestBounds.scimChanges.max + 1 }, () => ({
      op: 'add',
      path: 'x',
      value: 1,
    }));
    expect((await scim('PATCH', `/Groups/${id}`, patchOp(...changes))).status).toBe(400);
    const members = Array.from({ length: requestBounds.scimMembers.max + 1 }, (_, i) => ({ value: `${i}` }));
    expect((await scim('PUT', `/Groups/${id}`, { displayName: 'g', members })).status).toBe(400);
  });

  test('changes are in the audit log', async () => {
    const { id } = (await scim('POST', '/Users', oktaUser)).body;
    await scim('PATCH', `/Users/${id}`, patchOp({ op: 'replace', value: { active: false } }));
    expect(server.audits.map(({ operation }) => operation)).toEqual(['scimCreateUser', 'scimPatchUser']);
  });

  test('a provider learns what is supported', async () => {
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({ patch: { supported: true } });
    expect((await scim('GET', '/ResourceTypes')).body.Resources.map(({ id }) => id)).toEqual(['User', 'Group']);
    expect((await scim('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User')).body).toMatchObject({
      name: 'User',
    });
  });
});

test('a pushed user signs in with the provider by the claim of the settings, unless deactivated', async () => {
  const world = await openSignInWorld();
  try {
    const own = await world.open({ createUsers: false, scimClaim: 'email' });
    const pushed = await own.metadata.users.create({ email: ada.email, name: 'Ada', role: 'user' });
    world.one.account = { sub: 'ada', claims: ada };
    expect(problemOf(await signIn(own))).toBe('unknown-user');
    const state = { email: ada.email, name: 'Ada', provisioned: { userName: ada.email } };
    await own.metadata.users.provision(pushed.id, { ...state, active: true });
    world.one.account = { sub: 'ada', claims: { ...ada, email_verified: false } };
    expect(problemOf(await signIn(own))).toBe('unknown-user');
    world.one.account = { sub: 'ada', claims: ada };
    const cookie = cookieOf(await signIn(own));
    expect((await asConsole(own, cookie)).body).toMatchObject({ id: pushed.id });
    await own.metadata.users.provision(pushed.id, { ...state, active: false });
    expect((await asConsole(own, cookie)).status).toBe(403);
    expect(problemOf(await signIn(own))).toBe('unknown-user');
  } finally {
    await world.close();
  }
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, type HttpReply, openEngineTestServer } from '../testing/engine-test-server.js';
import { followProvider, openTestProvider, type TestProvider } from '../testing/sign-in-provider.js';

/** One person, by an account at a provider, in several organizations of a server. */

const directory = mkdtempSync(join(tmpdir(), 'millrace-people-'));
let provider: TestProvider;
let world: EngineTestServer;
interface Org {
  readonly id: string;
  readonly ownerToken: string;
}
let other: Org;
let mappedOrg: Org;
let first: string;
const consoleHeaders = { 'x-millrace-console': '1', 'sec-fetch-site': 'same-origin' };
const bearer = (token: string, org?: string) => ({
  token,
  headers: org === undefined ? {} : { 'x-axiom-org-id': org },
});

const writeSignIn = (organizations: object): void =>
  writeFileSync(
    join(directory, 'sign-in.json'),
    JSON.stringify({
      providers: [
        {
          id: 'test',
          name: 'Test',
          issuer: provider.issuer,
          clientId: 'millrace',
          clientSecretFile: 'secret',
          createUsers: true,
          roles: [{ claim: 'department', equals: 'it', role: 'user' }],
          organizations,
        },
      ],
    }),
  );

const open = async (): Promise<void> => {
  world = await openEngineTestServer({
    dataDir: join(directory, 'data'),
    adminToken: 'xapt-00000000-0000-4000-8000-000000000001',
    consoleUrl: 'http://localhost/console',
    signInFile: join(directory, 'sign-in.json'),
  });
};

beforeAll(async () => {
  const redirectUri = 'http://localhost/sign-in/test/callback';
  provider = await openTestProvider({ clientId: 'millrace', clientSecret: 'hush', redirectUri });
  writeFileSync(join(directory, 'secret'), 'hush');
  writeSignIn({});
  await open();
  const create = async (name: string): Promise<Org> => (await world.send<Org>('POST', '/v2/orgs', { name })).body;
  [other, mappedOrg] = [await create('Other'), await create('Mapped')];
  [first] = (await world.send<{ id: string }[]>('GET', '/v2/orgs')).body.map(({ id }) => id) as [string];
  await world.close();
  writeSignIn({
    [mappedOrg.id]: { createUsers: true, roles: [{ claim: 'department', equals: 'ops', role: 'admin' }] },
  });
  await open();
  for (const [name, token] of [
    ['of-first', world.owner],
    ['of-other', other.ownerToken],
  ] as const)
    expect((await world.send('POST', '/v2/datasets', { name }, { token })).status).toBe(200);
});
afterAll(async () => {
  await world.close();
  await provider.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Signs in, and returns the cookie of the session; undefined if the sign-in failed. */
async function signIn(): Promise<string | undefined> {
  const begun = await fetch(`${world.url}/sign-in/test`, { redirect: 'manual' });
  const answer = await followProvider(begun.headers.get('location')!);
  const finished = await fetch(`${world.url}${answer.pathname}${answer.search}`, {
    redirect: 'manual',
    headers: { cookie: begun.headers.get('set-cookie')!.split(';')[0]! },
  });
  expect(finished.status).toBe(303);
  return finished.headers
    .getSetCookie()
    .map((each) => each.split(';')[0]!)
    .find((each) => !each.includes('oidc') && !each.endsWith('='));
}

async function asConsole<Body>(cookie: string, path: string, org?: string, body?: unknown) {
  const answer = await fetch(`${world.url}/console/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...consoleHeaders,
      cookie,
      ...(org !== undefined && { 'x-axiom-org-id': org }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Body };
}

const datasetNames = (
  reply: Pick<HttpReply<readonly { name: string }[]>, 'status' | 'body'>,
): readonly string[] | number =>
  reply.status === 200 ? reply.body.map(({ name }) => name).filter((name) => name.startsWith('of-')) : reply.status;

const link = (org: Org, user: string, subject?: string) =>
  world.send(
    'POST',
    `/v2/users/${user}/identities`,
    { provider: 'test', ...(subject !== undefined && { subject }) },
    bearer(org.ownerToken),
  );

const invite = async (org: Org, email: string, role: string): Promise<string> => {
  const user = await world.send<{ id: string }>(
    'POST',
    '/v2/users',
    { name: email, email, role },
    bearer(org.ownerToken),
  );
  expect((await link(org, user.body.id)).status).toBe(200);
  return user.body.id;
};

test('a session and tokens of a person lead to each organization that the person is a member of', async () => {
  const user = await invite(other, 'ada@example.com', 'admin');
  provider.account = {
    sub: 'ada',
    claims: { email: 'ada@example.com', email_verified: true, name: 'Ada', department: 'it' },
  };
  const cookie = (await signIn())!;
  const orgs = await asConsole<{ id: string; role: string; member: boolean }[]>(cookie, '/v2/orgs?include=member');
  expect(orgs.body.map(({ id, role, member }) => [id, role, member])).toEqual([
    [first, 'user', true],
    [other.id, 'admin', true],
    [mappedOrg.id, 'none', true],
  ]);
  expect((await asConsole<{ name: string }>(cookie, `/v2/orgs/${other.id}`)).body.name).toBe('Other');
  const visibleDatasets = async (org?: string) => datasetNames(await asConsole(cookie, '/v2/datasets', org));
  expect(await visibleDatasets()).toEqual(['of-first']);
  expect(await visibleDatasets(other.id)).toEqual(['of-other']);
  expect((await asConsole<{ id: string }>(cookie, '/v2/user', other.id)).body.id).toBe(user);
  expect(await visibleDatasets(first)).toEqual(['of-first']);

  // Tokens that the session makes are of the person, too, in the organization where they were made.
  const make = async (org?: string): Promise<string> => {
    const made = await asConsole<{ token: string }>(cookie, '/v2/personal-tokens', org, { name: 'mine' });
    return made.body.token;
  };
  for (const [token, home] of [
    [await make(), first],
    [await make(other.id), other.id],
  ] as const) {
    const of = async (org?: string) =>
      datasetNames(await world.send('GET', '/v2/datasets', undefined, bearer(token, org)));
    expect([await of(first), await of(other.id)]).toEqual([['of-first'], ['of-other']]);
    expect(await of()).toEqual(home === first ? ['of-first'] : ['of-other']);
    const listed = await world.send<{ id: string }[]>('GET', '/v2/orgs', undefined, bearer(token));
    expect(listed.body.map(({ id }) => id).toSorted()).toEqual([first, other.id, mappedOrg.id].toSorted());
    // A session in one organization does not begin with a token of another.
    const begun = await world.send('POST', '/console/api/session', undefined, {
      token,
      headers: { ...consoleHeaders, 'x-axiom-org-id': home === first ? other.id : first },
    });
    expect(begun.status).toBe(403);
  }
  const audited = await world.send(
    'POST',
    '/v1/datasets/_apl?format=tabular',
    { apl: `['millrace-audit'] | where operation == 'createPersonalToken' | count` },
    bearer(other.ownerToken),
  );
  expect(audited.text).toContain('[[1]]');

  // Whoever leaves an organization loses it at once, and keeps the others.
  expect((await world.send('DELETE', `/v2/users/${user}`, undefined, bearer(other.ownerToken))).status).toBe(204);
  expect(await visibleDatasets(other.id)).toBe(403);
  expect(await visibleDatasets()).toEqual(['of-first']);
});

test('an administrator who links an account of another person gets nothing of other organizations', async () => {
  provider.account = { sub: 'bea', claims: { email: 'bea@example.com', email_verified: true, department: 'it' } };
  await signIn();
  const [{ id: owner } = { id: '' }] = [
    (await world.send<{ id: string }>('GET', '/v2/user', undefined, bearer(other.ownerToken))).body,
  ];
  expect((await link(other, owner, 'bea')).status).toBe(200);
  const made = await world.send<{ token: string }>(
    'POST',
    '/v2/personal-tokens',
    { name: 'x' },
    bearer(other.ownerToken),
  );
  for (const token of [other.ownerToken, made.body.token]) {
    expect((await world.send('GET', '/v2/datasets', undefined, bearer(token, first))).status).toBe(403);
    const orgs = await world.send<{ id: string }[]>('GET', '/v2/orgs', undefined, bearer(token));
    expect(orgs.body.map(({ id }) => id)).toEqual([other.id]);
  }
  // Also not after the person has signed in there.
  const cookie = (await signIn())!;
  expect((await asConsole(cookie, '/v2/datasets', other.id)).status).toBe(200);
  expect((await world.send('GET', '/v2/datasets', undefined, bearer(made.body.token, first))).status).toBe(403);
});

test('the settings of the provider give users and roles to each organization on its own', async () => {
  provider.account = { sub: 'cy', claims: { email: 'cy@example.com', email_verified: true, department: 'ops' } };
  const cookie = (await signIn())!;
  const orgs = await asConsole<{ id: string; role: string }[]>(cookie, '/v2/orgs');
  // The session begins where the person has a role.
  expect(orgs.body.map(({ id, role }) => [id, role])).toEqual([
    [mappedOrg.id, 'admin'],
    [first, 'none'],
  ]);
  expect((await asConsole(cookie, '/v2/datasets', other.id)).status).toBe(403);

  // Each of them records the sign-in, as of its own user; others do not.
  const apl = `['millrace-audit'] | where operation == 'finishSignIn' and subject has 'cy' | project ['actor.userId'], ['actor.sessionId']`;
  const recordedIn = async (token: string): Promise<readonly unknown[][]> => {
    const query = { apl };
    const { body } = await world.send<{ tables: { columns: unknown[][] }[] }>(
      'POST',
      '/v1/datasets/_apl?format=tabular',
      query,
      bearer(token),
    );
    return body.tables[0]!.columns;
  };
  const userIn = async (org: string) => (await asConsole<{ id: string }>(cookie, '/v2/user', org)).body.id;
  await expect
    .poll(() => recordedIn(mappedOrg.ownerToken), { timeout: 15_000 })
    .toEqual([[await userIn(mappedOrg.id)], [expect.any(String)]]);
  await expect.poll(() => recordedIn(world.owner), { timeout: 15_000 }).toEqual([[await userIn(first)], [null]]);
  expect((await recordedIn(other.ownerToken))[0] ?? []).toEqual([]);
});

test('the provider ends the sessions of a person in each organization', async () => {
  provider.account = { sub: 'cy', claims: { email: 'cy@example.com', email_verified: true, department: 'ops' } };
  const cookie = (await signIn())!;
  expect((await asConsole(cookie, '/v2/user')).status).toBe(200);
  const token = await provider.sign(
    {
      aud: 'millrace',
      sub: 'cy',
      jti: 'one',
      iat: Math.floor(Date.now() / 1000),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    },
    { typ: 'logout+jwt' },
  );
  const answer = await fetch(`${world.url}/sign-in/test/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `logout_token=${token}`,
  });
  expect(answer.status).toBe(200);
  expect((await asConsole(cookie, '/v2/user')).status).toBe(403);
});

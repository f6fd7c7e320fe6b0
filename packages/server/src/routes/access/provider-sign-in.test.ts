import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ada,
  asConsole,
  consoleAddress,
  cookieOf,
  newGroup,
  openSignInWorld,
  problemOf,
  signIn,
  type SignInWorld,
} from '../../testing/sign-in-world.js';
import type { TestProvider } from '../../testing/sign-in-provider.js';

let world: SignInWorld;
let one: TestProvider;
let two: TestProvider;
const open: SignInWorld['open'] = (...options) => world.open(...options);
beforeAll(async () => {
  world = await openSignInWorld();
  ({ one, two } = world);
});
afterAll(() => world.close());

describe('signing in with a provider', () => {
  test('creates the user, with role and groups of the claims, and a session that ends after 12 hours', async () => {
    const server = await open({
      groups: { ops: 'operators' },
      roles: [{ claim: 'department', equals: 'it', role: 'user' }],
    });
    await newGroup(server, 'operators');
    one.account = { sub: 'ada', claims: { ...ada, groups: ['ops', 'unknown'], department: 'it' } };
    const signedIn = await signIn(server, 'one', '?to=/console/query%3Fq%3D1');
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, `${consoleAddress}/query?q=1`]);
    const cookie = cookieOf(signedIn);
    expect((await asConsole(server, cookie)).body).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada',
      role: { id: 'user' },
    });
    const user = (await server.metadata.users.list()).find(({ name }) => name === 'Ada');
    expect((await server.metadata.groups.list()).map(({ members }) => members)).toEqual([[user!.id]]);
    expect(server.audits.at(-1)).toMatchObject({
      outcome: 'changed',
      operation: 'finishSignIn',
      subject: 'subject ada of one',
      actor: { kind: 'personal-token', userId: user!.id },
    });
    server.advance(11.9 * 3600_000);
    expect((await asConsole(server, cookie)).status).toBe(200);
    server.advance(0.2 * 3600_000);
    expect((await asConsole(server, cookie)).status).toBe(403);
    expect(server.logLines.join('\n')).not.toMatch(/secret-of-the-client|code=|id_token|eyJ/);
  });

  test('a second sign-in finds the same user, whatever the address is now', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    await signIn(server);
    one.account = { sub: 'ada', claims: { ...ada, email: 'lovelace@example.com' } };
    const again = cookieOf(await signIn(server));
    expect((await asConsole(server, again)).body).toMatchObject({ email: 'ada@example.com' });
    expect(await server.metadata.users.list()).toHaveLength(2);
  });

  test('the list of methods has no secrets', async () => {
    const server = await open({ autoStart: true }, { signInTokens: 'owner' });
    const { body, text } = await server.send('GET', '/v2/sign-in-methods', undefined, null);
    expect(body).toMatchObject({ tokens: 'owner', providers: [{ id: 'one', autoStart: true }, { id: 'two' }] });
    expect(text).not.toContain('secret');
  });

  test('only owners sign in with a token if the operator says so, and they still do when no provider responds', async () => {
    const server = await open({}, { signInTokens: 'owner' });
    one.up = false;
    expect(problemOf(await server.send('GET', '/sign-in/one', undefined, null))).toBe('provider-down');
    const { id } = await server.metadata.users.create({ email: 'bob@example.com', name: 'Bob', role: 'admin' });
    const { secret } = await server.metadata.tokens.create({ kind: 'personal', name: 'bob', userId: id });
    const sign = (token: string) =>
      server.send('POST', '/console/api/session', undefined, token, {
        'x-millrace-console': '1',
        'sec-fetch-site': 'same-origin',
      });
    expect([(await sign(secret)).status, (await sign(server.owner)).status]).toEqual([403, 200]);
    expect((await server.send('GET', '/v2/user', undefined, secret)).status).toBe(200);
  });

  test('claims that are required, and domains of verified addresses', async () => {
    const server = await open({ require: { department: 'it' }, emailDomains: ['example.com'] });
    const attempts = [
      { ...ada, department: 'sales' },
      { ...ada, department: 'it', email_verified: false },
      { ...ada, department: 'it', email: 'ada@example.com.evil.net' },
    ];
    for (const claims of attempts) {
      one.account = { sub: 'ada', claims };
      expect(problemOf(await signIn(server))).toBe('claims');
    }
    expect(server.audits.at(-1)).toMatchObject({
      outcome: 'refused',
      code: 'unauthenticated',
      operation: 'finishSignIn',
    });
    expect(server.audits.filter(({ outcome }) => outcome === 'changed')).toEqual([]);
    one.account = { sub: 'ada', claims: { ...ada, department: 'it', email: 'Ada@EXAMPLE.com' } };
    expect(problemOf(await signIn(server))).toBeUndefined();
  });
});

describe('signing out', () => {
  test('ends the session, and leads to the provider if it is to', async () => {
    const server = await open({ logout: 'provider' });
    one.account = { sub: 'ada', claims: ada };
    const cookie = cookieOf(await signIn(server));
    const { body } = await asConsole(server, cookie, '/v2/sessions/current/sign-out', 'POST');
    const url = new URL((body as { url: string }).url);
    expect([url.origin, url.searchParams.get('post_logout_redirect_uri')]).toEqual([one.issuer, `${consoleAddress}/`]);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect((await asConsole(server, cookie)).status).toBe(403);
  });

  test('the provider ends sessions of a user by a signed token, once', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    const cookies = [cookieOf(await signIn(server)), cookieOf(await signIn(server))];
    const now = Math.floor(server.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const claims = { aud: 'millrace', iat: now, exp: now + 120, jti: 'a', sub: 'ada', events };
    const post = (token: string, id = 'one') =>
      server.send('POST', `/sign-in/${id}/logout`, `logout_token=${token}`, null, {
        'content-type': 'application/x-www-form-urlencoded',
      });
    const sign = (changes: object = {}) => one.sign({ ...claims, ...changes }, { typ: 'logout+jwt' });
    const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    for (const bad of [
      await sign({ aud: 'other' }),
      await sign({ iat: now - 151 }),
      await sign({ events: {} }),
      await sign({ nonce: 'x' }),
      await sign({ jti: undefined }),
      await sign({ iss: two.issuer }),
      await one.sign(claims, { key: foreign }),
      'nonsense',
      '',
    ])
      expect((await post(bad)).status).toBe(400);
    expect((await post(await sign(), 'two')).status).toBe(400);
    expect((await asConsole(server, cookies[0]!)).status).toBe(200);
    const token = await sign();
    expect((await post(token)).status).toBe(200);
    expect(await Promise.all(cookies.map(async (cookie) => (await asConsole(server, cookie)).status))).toEqual([
      403, 403,
    ]);
    expect((await post(token)).status).toBe(400);
    expect(
      server.audits.some(({ operation, outcome }) => operation === 'endProviderSession' && outcome === 'changed'),
    ).toBe(true);
  });

  test('the provider ends one session by its ID', async () => {
    const server = await open();
    const { id } = await server.metadata.users.owner();
    const { identities, sessions } = server.metadata;
    const ids = await Promise.all(
      [one, two].map(({ issuer }, i) =>
        identities.create({ userId: id, provider: `p${i}`, issuer, subject: 's', email: '' }),
      ),
    );
    const limits = { idle: 1e9, longest: 1e9 };
    const begin = (identity: string, providerSession: string) =>
      sessions.begin({ tokenId: `sso_${identity}`, address: '', agent: '' }, limits, undefined, {
        expires: server.now() + 1e6,
        providerSession,
      });
    await begin(ids[0]!.id, 'x');
    const left = [await begin(ids[0]!.id, 'y'), await begin(ids[1]!.id, 'x')];
    const now = Math.floor(server.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const token = await one.sign({ aud: 'millrace', iat: now, jti: 'b', sid: 'x', events });
    const answer = await server.send('POST', '/sign-in/one/logout', `logout_token=${token}`, null, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(answer.status).toBe(200);
    expect((await sessions.list(limits)).map((session) => session.id).toSorted()).toEqual(
      left.map(({ session }) => session.id).toSorted(),
    );
  });
});

describe('linking', () => {
  test('an invitation is for the provider and the verified address of the user, once', async () => {
    const server = await open({ createUsers: false });
    const { id } = await server.metadata.users.create({ email: 'Ada@Example.com', name: 'Ada L.', role: 'user' });
    one.account = { sub: 'ada', claims: ada };
    expect(problemOf(await signIn(server))).toBe('unknown-user');
    expect((await server.send('POST', `/v2/users/${id}/identities`, { provider: 'one' })).status).toBe(200);
    two.account = one.account;
    expect(problemOf(await signIn(server, 'two'))).toBe('unknown-user');
    one.account = { sub: 'mallory', claims: { ...ada, email_verified: false } };
    expect(problemOf(await signIn(server))).toBe('unknown-user');
    one.account = { sub: 'ada', claims: ada };
    expect((await asConsole(server, cookieOf(await signIn(server)))).body).toMatchObject({ id });
    one.account = { sub: 'mallory', claims: ada };
    expect(problemOf(await signIn(server))).toBe('unknown-user');
    const list = (await server.send('GET', `/v2/users/${id}/identities`)).body as readonly { id: string }[];
    expect(list).toMatchObject([{ provider: 'one', subject: 'ada' }]);
    expect((await server.send('DELETE', `/v2/users/${id}/identities/${list[0]!.id}`)).status).toBe(204);
  });

  test('an administrator links no owner, and no subject twice', async () => {
    const server = await open();
    const { id } = await server.metadata.users.owner();
    const admin = await server.token({ orgCapabilities: { users: ['read', 'update'] } });
    const link = (token?: string) =>
      server.send('POST', `/v2/users/${id}/identities`, { provider: 'one', subject: 'x' }, token);
    expect([(await link(admin)).status, (await link()).status, (await link()).status]).toEqual([403, 200, 409]);
  });
});

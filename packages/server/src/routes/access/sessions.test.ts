import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestServer, type Reply, type TestServer } from '../../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
});
afterEach(() => world.close());

type Headers = Readonly<Record<string, string>>;
type Method = 'GET' | 'POST' | 'DELETE' | 'OPTIONS';

/** Headers that the console's page sends. */
const fromPage: Headers = { 'sec-fetch-site': 'same-origin', 'x-millrace-console': '1' };

const ask = (method: Method, url: string, headers: Headers, remoteAddress = '127.0.0.1'): Promise<Reply> =>
  world.inject({ method, url, headers, remoteAddress });

const signIn = (token: string, headers: Headers = {}): Promise<Reply> =>
  ask('POST', '/console/api/session', { ...fromPage, authorization: `Bearer ${token}`, ...headers });

/** `name=value` of the cookie in a response. */
const cookieOf = ({ headers }: Reply): string => String(headers['set-cookie']).split(';')[0]!;

/** The cookie of a new session. */
const session = async (token = world.owner): Promise<string> => cookieOf(await signIn(token));

const page = (method: Method, path: string, cookie: string, headers: Headers = {}): Promise<Reply> =>
  ask(method, `/console/api${path}`, { ...fromPage, cookie, ...headers });

const errorOf = ({ status, headers }: Reply): readonly unknown[] => [status, headers['x-millrace-error']];
const unauthenticatedError = [403, 'unauthenticated'];
const notFromConsole = [403, 'not-from-console'];

describe('signing in', () => {
  test('a token becomes a cookie that pages cannot read and that counts below the mount only', async () => {
    const reply = await signIn(world.owner, { 'user-agent': 'Mozilla/5.0' });
    expect(reply).toMatchObject({ status: 200, body: { tokenId: 'owner', tokenName: 'Owner' } });
    const [, ...attributes] = String(reply.headers['set-cookie']).split('; ');
    expect(attributes).toEqual(['Path=/console/api', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict']);
    const cookie = cookieOf(reply);
    expect(cookie).toMatch(/^millrace=[\w-]{43}$/);
    expect(await page('GET', '/v2/user', cookie)).toMatchObject({ status: 200, body: { email: 'owner@localhost' } });
    expect(await page('GET', '/v2/sessions', cookie)).toMatchObject({
      body: [{ tokenId: 'owner', address: '127.0.0.1', userAgent: 'Mozilla/5.0', current: true }],
    });
  });

  test('over HTTPS, as a proxy that is trusted says, the cookie is for HTTPS alone', async () => {
    await world.close();
    world = await createTestServer({ settings: { trustedProxies: ['127.0.0.1'] } });
    const proxied = { host: 'logs.example.com', 'x-forwarded-proto': 'https' };
    const reply = await signIn(world.owner, proxied);
    expect(reply.headers['set-cookie']).toMatch(/^__Secure-millrace=.*; SameSite=Strict; Secure$/);
    const headers = { ...fromPage, ...proxied, cookie: cookieOf(reply), origin: 'https://logs.example.com' };
    expect((await ask('GET', '/console/api/v2/user', headers)).status).toBe(200);
  });

  test('nodes on other ports of the machine share them', async () => {
    const cookie = cookieOf(await signIn(world.owner, { host: '127.0.0.1:8080' }));
    const there = { ...fromPage, cookie, host: '127.0.0.1:8081' };
    expect((await ask('GET', '/console/api/v2/user', there)).status).toBe(200);
  });

  test('over plain HTTP from elsewhere it is refused, unless the operator allows it', async () => {
    const remote = { host: 'logs.example.com:8080' };
    expect(errorOf(await signIn(world.owner, remote))).toEqual([403, 'plain-http']);
    await world.close();
    world = await createTestServer({ settings: { consolePlainHttp: true } });
    // Browsers send no Sec-Fetch-Site there.
    const headers = { ...remote, 'x-millrace-console': '1' };
    const reply = await ask('POST', '/console/api/session', { ...headers, authorization: `Bearer ${world.owner}` });
    expect(reply.status).toBe(200);
    const cookie = cookieOf(reply);
    expect((await ask('GET', '/console/api/v2/user', { ...headers, cookie })).status).toBe(200);
  });

  test.each([
    ['an unknown token', 'xapt-00000000-0000-4000-8000-000000000000'],
    ['an unknown code', 'xotc-00000000-0000-4000-8000-000000000000'],
    ['the secret of a session', 'a'.repeat(43)],
    ['nothing', ''],
  ])('%s gives no session', async (_, token) => {
    const reply = await signIn(token);
    expect(errorOf(reply)).toEqual(unauthenticatedError);
    expect(reply.headers).not.toHaveProperty('set-cookie');
  });

  test('wrong codes are counted like wrong tokens', async () => {
    await world.close();
    world = await createTestServer({ settings: { failedLoginsPerMinute: 2 } });
    const wrong = 'xotc-00000000-0000-4000-8000-000000000000';
    const statuses = [await signIn(wrong), await signIn(wrong), await signIn(wrong)].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 429]);
  });

  test('only hashes are stored', async () => {
    const secret = (await session()).split('=')[1]!;
    const { code } = await world.metadata.sessions.createCode('owner');
    const rows = [
      await world.metadata.database.selectFrom('sessions').selectAll().execute(),
      await world.metadata.database.selectFrom('sign_in_codes').selectAll().execute(),
    ];
    expect(rows.map(({ length }) => length)).toEqual([1, 1]);
    expect(JSON.stringify([rows, world.logLines, world.audits])).not.toContain(secret);
    expect(JSON.stringify([rows, world.logLines, world.audits])).not.toContain(code);
  });
});

describe('a sign-in link', () => {
  const link = async (token = world.owner) =>
    (await world.send('POST', '/v2/sign-in-codes', undefined, token)).body as { code: string; path: string };

  test('signs one browser in, with the rights of the token it was made with', async () => {
    const { code, path } = await link(await world.token({ orgCapabilities: { users: ['read'] } }));
    expect(path).toBe(`/console/#code=${code}`);
    const reply = await signIn(code);
    expect(reply).toMatchObject({ status: 200, body: { tokenName: 'test' } });
    expect((await page('GET', '/v2/users', cookieOf(reply))).status).toBe(200);
    expect(errorOf(await page('GET', '/v2/tokens', cookieOf(reply)))).toEqual([403, 'forbidden']);
    expect(errorOf(await signIn(code))).toEqual(unauthenticatedError);
  });

  test('works for one of two that use it at the same time', async () => {
    const { code } = await link();
    const statuses = (await Promise.all([signIn(code), signIn(code), signIn(code)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 403, 403]);
  });

  test('works for ten minutes', async () => {
    const [first, second] = [await link(), await link()];
    world.advance(10 * 60_000 - 1);
    expect((await signIn(first.code)).status).toBe(200);
    world.advance(1);
    expect(errorOf(await signIn(second.code))).toEqual(unauthenticatedError);
  });

  test('goes with its token, and is no token itself', async () => {
    const secret = await world.token({});
    const { code } = await link(secret);
    expect(errorOf(await world.send('GET', '/v2/datasets', undefined, code))).toEqual(unauthenticatedError);
    const [token] = await world.metadata.tokens.list('api');
    await world.metadata.tokens.delete('api', token!.id);
    expect(errorOf(await signIn(code))).toEqual(unauthenticatedError);
  });
});

describe('what other pages can send', () => {
  const attacks: readonly (readonly [string, Headers])[] = [
    ['a page of another origin', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a page of another port of this host', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }],
    ['a page whose browser tells the origin alone', { origin: 'http://localhost:3000' }],
    ['a page of no origin, such as a sandboxed frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['somebody who opens the address', { 'sec-fetch-site': 'none' }],
    ['a client that does not say where it comes from', { 'sec-fetch-site': '' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a form of plain text', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['a page that cannot ask for more than forms can', { 'x-millrace-console': '' }],
    ['a page that adds a token', { authorization: 'Bearer xapt-00000000-0000-4000-8000-000000000000' }],
  ];
  test.each(attacks)('%s: refused, though the browser sends the cookie', async (_, headers) => {
    const cookie = await session();
    const reply = await page('POST', '/v2/sign-in-codes', cookie, headers);
    expect(errorOf(reply)).toEqual(notFromConsole);
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test.each(attacks.slice(0, 6))('%s: signs no user in', async (_, headers) => {
    const reply = await signIn(world.owner, headers);
    expect(errorOf(reply)).toEqual(notFromConsole);
    expect(reply.headers).not.toHaveProperty('set-cookie');
  });

  test('origins that may call the interface may not call the mount', async () => {
    await world.close();
    world = await createTestServer({ settings: { corsOrigins: ['*'] } });
    const cookie = await session();
    const origin = { origin: 'https://app.example' };
    expect((await world.send('GET', '/v2/datasets', undefined, world.owner, origin)).headers).toHaveProperty(
      'access-control-allow-origin',
    );
    const preflight = { ...origin, 'access-control-request-method': 'POST' };
    const preflightResponse = await ask('OPTIONS', '/console/api/v2/datasets', preflight);
    expect([preflightResponse.status, preflightResponse.headers['access-control-allow-origin']]).toEqual([
      405,
      undefined,
    ]);
    expect(errorOf(await page('GET', '/v2/datasets', cookie, origin))).toEqual(notFromConsole);
  });

  test('no page may frame the console or an answer', async () => {
    const cookie = await session();
    for (const reply of [await ask('GET', '/console/', {}), await page('GET', '/v2/datasets', cookie)]) {
      expect(reply.headers['x-frame-options']).toBe('DENY');
      expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });
});

describe('a cookie', () => {
  test('that was stolen does nothing on the other paths', async () => {
    const cookie = await session();
    for (const path of ['/v2/datasets', '/v2/tokens', '/api/v1/datasets', '/console/api/session'])
      expect(errorOf(await ask(path.endsWith('session') ? 'POST' : 'GET', path, { ...fromPage, cookie }))).toEqual(
        unauthenticatedError,
      );
  });

  test('that was planted before is not taken over by a sign-in', async () => {
    const planted = `millrace=${'a'.repeat(43)}`;
    const reply = await signIn(world.owner, { cookie: planted });
    expect(cookieOf(reply)).not.toBe(planted);
    expect(errorOf(await page('GET', '/v2/user', planted))).toEqual(unauthenticatedError);
  });

  test('beside which another page planted a second one counts as none', async () => {
    const [mine, theirs] = [await session(), await session(await world.token({}))];
    expect(errorOf(await page('GET', '/v2/user', `${theirs}; ${mine}`))).toEqual(unauthenticatedError);
  });

  test('with the secret of a token in it counts as none', async () => {
    expect((await world.send('GET', '/v2/user')).status).toBe(200);
    expect(errorOf(await page('GET', '/v2/user', `millrace=${world.owner}`))).toEqual(unauthenticatedError);
  });

  test('ends after half a day without use, and after a month in any case', async () => {
    const hour = 3_600_000;
    const idle = await session();
    const used = await session();
    for (let hours = 0; hours < 30 * 24 - 6; hours += 6) {
      expect((await page('GET', '/v2/user', used)).status).toBe(200);
      world.advance(6 * hour);
    }
    expect(errorOf(await page('GET', '/v2/user', idle))).toEqual(unauthenticatedError);
    expect((await page('GET', '/v2/user', used)).status).toBe(200);
    world.advance(6 * hour);
    expect(errorOf(await page('GET', '/v2/user', used))).toEqual(unauthenticatedError);
    // The next sign-in deletes expired sessions.
    await session();
    expect(await world.metadata.database.selectFrom('sessions').select('id').execute()).toHaveLength(1);
  });

  test('is known after a restart to have been used', async () => {
    const { sessions } = world.metadata;
    const cookie = await session();
    world.advance(11 * 3_600_000);
    await page('GET', '/v2/user', cookie);
    const storedUse = () => world.metadata.database.selectFrom('sessions').select('used').executeTakeFirstOrThrow();
    await expect.poll(storedUse).toEqual({ used: new Date(world.now()).toISOString() });
    expect((await sessions.list({ idle: 3_600_000, longest: 30 * 24 * 3_600_000 })).length).toBe(1);
  });
});

describe('rights', () => {
  test('equal the rights of the token at each request', async () => {
    const { id } = (await world.send('POST', '/v2/users', { name: 'B', email: 'b@example.com', role: 'admin' }))
      .body as { id: string };
    const made = await world.send('POST', '/v2/personal-tokens', { name: 't', userId: id });
    const cookie = await session((made.body as { token: string }).token);
    expect((await page('GET', '/v2/tokens', cookie)).status).toBe(200);
    await world.send('PUT', `/v2/users/${id}/role`, { role: 'read-only' });
    expect(errorOf(await page('POST', '/v2/tokens', cookie, {}))).not.toEqual([200, undefined]);
    await world.send('DELETE', `/v2/personal-tokens/${(made.body as { id: string }).id}`);
    expect(errorOf(await page('GET', '/v2/user', cookie))).toEqual(unauthenticatedError);
  });

  test('a session ends when its token is over', async () => {
    const token = await world.token(
      { orgCapabilities: { apiTokens: ['read'] } },
      new Date(world.now() + 60_000).toISOString(),
    );
    const cookie = await session(token);
    expect((await page('GET', '/v2/tokens', cookie)).status).toBe(200);
    world.advance(60_000);
    expect(errorOf(await page('GET', '/v2/tokens', cookie))).toEqual(unauthenticatedError);
  });

  test('limits count a session separately, so a script with the same token keeps its share', async () => {
    await world.close();
    world = await createTestServer({ settings: { requestsPerMinute: 3 } });
    const cookie = await session();
    for (let i = 0; i < 3; i++) expect((await page('GET', '/v2/user', cookie)).status).toBe(200);
    expect((await page('GET', '/v2/user', cookie)).status).toBe(429);
    expect((await world.send('GET', '/v2/user')).status).toBe(200);
  });
});

describe('sessions', () => {
  const idsOf = ({ body }: Reply): readonly string[] => (body as readonly { id: string }[]).map(({ id }) => id);

  test('are listed for their owner and users with the right to see users', async () => {
    const api = await world.token({});
    await session();
    await session(api);
    expect(idsOf(await world.send('GET', '/v2/sessions'))).toHaveLength(2);
    expect(idsOf(await world.send('GET', '/v2/sessions', undefined, api))).toHaveLength(1);
    expect(idsOf(await world.send('GET', '/v2/sessions', undefined, await world.token({})))).toHaveLength(0);
  });

  test('beyond the limit the longest idle of the token ends, and those of others stay', async () => {
    await world.close();
    world = await createTestServer({ settings: { tokenSessions: 2 } });
    const other = await session(await world.token({}));
    const [first, second] = [await session(), await session()];
    world.advance(60 * 60_000);
    expect((await page('GET', '/v2/user', first)).status).toBe(200);
    await expect
      .poll(
        async () =>
          new Set(
            (await world.metadata.database.selectFrom('sessions').select('used').execute()).map(({ used }) => used),
          ).size,
      )
      .toBe(2);
    const third = await session();
    const statuses = [first, second, third, other].map(
      async (cookie) => (await page('GET', '/v2/sessions', cookie)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 403, 200, 200]);
  });

  test('of all tokens are as many as the server keeps', async () => {
    await world.close();
    world = await createTestServer({ settings: { maxSessions: 3 } });
    for (let made = 0; made < 5; made++) {
      world.advance(1000);
      await session(await world.token({}));
    }
    expect(idsOf(await world.send('GET', '/v2/sessions'))).toHaveLength(3);
  });

  test('are listed in pages of what the caller may see', async () => {
    const api = await world.token({});
    for (const token of [world.owner, api, world.owner, api]) {
      world.advance(1000);
      await session(token);
    }
    const all = idsOf(await world.send('GET', '/v2/sessions'));
    expect(idsOf(await world.send('GET', '/v2/sessions?limit=2&offset=1'))).toEqual(all.slice(1, 3));
    expect(idsOf(await world.send('GET', '/v2/sessions?limit=1&offset=1', undefined, api))).toEqual([all[3]]);
  });

  test('unused sign-in codes are bounded per token and in total', async () => {
    await world.close();
    world = await createTestServer({ settings: { tokenSignInCodes: 2, maxSignInCodes: 3 } });
    const tokens = [world.owner, await world.token({}), await world.token({})];
    const kept = [];
    for (const token of tokens)
      for (let made = 0; made < 4; made++) {
        world.advance(1000);
        expect(await world.send('POST', '/v2/sign-in-codes', undefined, token)).toMatchObject({ status: 200 });
        kept.push((await world.metadata.database.selectFrom('sign_in_codes').select('hash').execute()).length);
      }
    expect(kept).toEqual([1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
  });

  test('signing out ends the session at once, and takes the cookie away', async () => {
    const [cookie, other] = [await session(), await session()];
    const reply = await page('DELETE', '/v2/sessions/current', cookie);
    expect(reply.status).toBe(204);
    expect(reply.headers['set-cookie']).toMatch(/^millrace=; Path=\/console\/api; Max-Age=0/);
    expect(errorOf(await page('GET', '/v2/user', cookie))).toEqual(unauthenticatedError);
    expect((await page('GET', '/v2/user', other)).status).toBe(200);
    expect(errorOf(await world.send('DELETE', '/v2/sessions/current'))).toEqual([404, 'not-found']);
  });

  test('can be ended by users with the right to change users', async () => {
    const cookie = await session();
    const [id] = idsOf(await world.send('GET', '/v2/sessions'));
    const stranger = await world.token({});
    expect(errorOf(await world.send('DELETE', `/v2/sessions/${id}`, undefined, stranger))).toEqual([403, 'forbidden']);
    const manager = await world.token({ orgCapabilities: { users: ['update'] } });
    expect((await world.send('DELETE', `/v2/sessions/${id}`, undefined, manager)).status).toBe(204);
    expect(errorOf(await page('GET', '/v2/user', cookie))).toEqual(unauthenticatedError);
  });

  test('sign-in, sign-out and actions in between are in the audit log', async () => {
    const cookie = await session();
    await page('DELETE', '/v2/sessions/current', cookie);
    const [id] = world.audits.map(({ subject }) => subject);
    expect(world.audits).toMatchObject([
      { operation: 'createSession', outcome: 'changed', actor: { tokenId: 'owner' }, address: '127.0.0.1' },
      { operation: 'endSession', outcome: 'changed', actor: { tokenId: 'owner', sessionId: id } },
    ]);
  });
});

test('without a console there is neither a page nor a mount', async () => {
  await world.close();
  world = await createTestServer({ settings: { console: false } });
  expect((await ask('GET', '/', { accept: 'text/html' })).status).toBe(404);
  expect((await ask('GET', '/console/', { accept: 'text/html' })).status).toBe(404);
  expect((await signIn(world.owner)).status).toBe(404);
  expect((await page('GET', '/v2/user', 'millrace=a')).status).toBe(404);
});

import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProxyConfig, WorkloadRule } from '../../sign-in/sign-in-file.js';
import type { TestProvider } from '../../testing/sign-in-provider.js';
import { ada, asConsole, cookieOf, openSignInWorld, signIn, type SignInWorld } from '../../testing/sign-in-world.js';
import type { TestServer } from '../../testing/test-server.js';

let world: SignInWorld;
let one: TestProvider;
let two: TestProvider;
beforeAll(async () => {
  world = await openSignInWorld();
  ({ one, two } = world);
});
afterAll(() => world.close());

describe('a program that a person allows', () => {
  const begin = async (server: TestServer) =>
    (await server.send('POST', '/v2/device-codes', { name: 'millrace on laptop', seconds: 3600 }, null)).body as {
      readonly deviceCode: string;
      readonly userCode: string;
    };
  const ask = (server: TestServer, deviceCode: string) =>
    server.send('POST', '/v2/device-codes/token', { deviceCode }, null);
  const answer = (server: TestServer, userCode: string, approve: boolean, token?: string) =>
    server.send('POST', '/v2/device-codes/answer', { userCode, approve }, token);

  test('gets one token of the user, which ends', async () => {
    const server = await world.open();
    one.account = { sub: 'ada', claims: ada };
    const cookie = cookieOf(await signIn(server));
    const { deviceCode, userCode } = await begin(server);
    expect((await ask(server, deviceCode)).body).toEqual({ state: 'waiting' });
    const typed = userCode.toLowerCase().replace('-', ' ');
    const found = await asConsole(server, cookie, '/v2/device-codes/find', 'POST', { userCode: typed });
    expect(found.body).toMatchObject({ name: 'millrace on laptop', seconds: 3600 });
    const allowed = await asConsole(server, cookie, '/v2/device-codes/answer', 'POST', {
      userCode: typed,
      approve: true,
    });
    expect(allowed.status).toBe(204);
    expect(server.audits.at(-1)).toMatchObject({ operation: 'answerDevice', subject: 'allowed millrace on laptop' });
    const { state, token } = (await ask(server, deviceCode)).body as { state: string; token: string };
    expect(state).toBe('approved');
    expect((await ask(server, deviceCode)).status).toBe(404);
    expect((await server.send('GET', '/v2/user', undefined, token)).body).toMatchObject({ name: 'Ada' });
    server.advance(3600_000);
    expect((await server.send('GET', '/v2/user', undefined, token)).status).toBe(403);
    expect(server.logLines.join('\n')).not.toContain(deviceCode);
  });

  test('gets none if the user denies it, after ten minutes, or with a code that was answered', async () => {
    const server = await world.open();
    const denied = await begin(server);
    expect((await answer(server, denied.userCode, false)).status).toBe(204);
    expect((await ask(server, denied.deviceCode)).status).toBe(404);
    const late = await begin(server);
    server.advance(10 * 60_000);
    expect((await answer(server, late.userCode, true)).status).toBe(404);
    expect((await ask(server, late.deviceCode)).status).toBe(404);
    const twice = await begin(server);
    expect((await answer(server, twice.userCode, true)).status).toBe(204);
    expect((await answer(server, twice.userCode, true)).status).toBe(404);
  });

  test('codes cannot be guessed, tokens without a person allow nothing, and waiting programs are limited', async () => {
    const server = await world.open({}, { maxDeviceCodes: 2 });
    const programs = [await begin(server), await begin(server), await begin(server)];
    const waiting = await Promise.all(programs.map(async ({ deviceCode }) => (await ask(server, deviceCode)).status));
    expect(waiting.filter((status) => status === 404)).toHaveLength(1);
    const api = await server.token({ orgCapabilities: { users: ['update'] } });
    expect((await answer(server, programs[2]!.userCode, true, api)).status).toBe(403);
    const tries: number[] = [];
    for (let i = 0; i < 12; i++) tries.push((await answer(server, 'BBBB-BBBB', true)).status);
    expect([tries[0], tries.at(-1)]).toEqual([404, 429]);
  });
});

describe('a workload', () => {
  const rule = (issuer: string, changes: Partial<WorkloadRule> = {}): WorkloadRule => ({
    name: 'ci',
    issuer,
    audience: 'https://logs.example',
    match: { repository_id: '42', sub: 'repo:acme/shop:ref:refs/heads/*' },
    capabilities: { datasetCapabilities: { builds: { ingest: ['create'] } } },
    ...changes,
  });
  const now = () => Math.floor(Date.now() / 1000);
  const claims = (changes: object = {}) => ({
    aud: 'https://logs.example',
    sub: 'repo:acme/shop:ref:refs/heads/main',
    repository_id: '42',
    iat: now(),
    exp: now() + 300,
    jti: String(Math.random()),
    ...changes,
  });
  const exchange = (server: TestServer, token: string) => server.send('POST', '/v2/token-exchange', { token }, null);

  test('gets a token with the rights of its rule, which ends, for each token of the platform once', async () => {
    const server = await world.open({}, {}, { workloads: [rule(one.issuer)] });
    const given = await one.sign(claims());
    const { status, body } = await exchange(server, given);
    const { token } = body as { token: string };
    expect([status, body]).toMatchObject([200, { rule: 'ci' }]);
    expect(server.audits.at(-1)).toMatchObject({
      operation: 'exchangeToken',
      subject: 'rule ci',
      actor: { tokenName: 'workload:ci' },
    });
    expect((await exchange(server, given)).status).toBe(403);
    expect((await server.send('GET', '/v2/user', undefined, token)).status).toBe(200);
    expect((await server.send('GET', '/v2/tokens', undefined, token)).status).toBe(403);
    server.advance(900_000);
    expect((await server.send('GET', '/v2/user', undefined, token)).status).toBe(403);
    expect((await exchange(server, await one.sign(claims({ exp: now() + 2000 })))).status).toBe(200);
    // Expired tokens of the rule go.
    expect((await server.metadata.tokens.list('api')).filter(({ name }) => name === 'workload:ci')).toHaveLength(1);
    expect(server.logLines.join('\n')).not.toMatch(/eyJ|xaat-[0-9a-f]/);
  });

  test.each<[string, () => Promise<string>]>([
    ['a fork', () => one.sign(claims({ repository_id: '43' }))],
    ['a pull request', () => one.sign(claims({ sub: 'repo:acme/shop:pull_request' }))],
    ['another audience', () => one.sign(claims({ aud: 'https://github.com/acme' }))],
    ['an old token', () => one.sign(claims({ exp: now() - 60 }))],
    ['a token without an end', () => one.sign(claims({ exp: undefined }))],
    ['another issuer', () => two.sign(claims())],
    ['a key of another issuer', () => two.sign(claims({ iss: one.issuer }))],
    [
      'a key of its own',
      () => one.sign(claims(), { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
    ],
    ['no JWT', async () => 'letmein'],
  ])('with %s gets none', async (_, token) => {
    const server = await world.open({}, {}, { workloads: [rule(one.issuer)] });
    expect((await exchange(server, await token())).status).toBe(403);
    expect(server.audits.at(-1)).toMatchObject({ outcome: 'refused', operation: 'exchangeToken' });
    expect(await server.metadata.tokens.list('api')).toEqual([]);
  });

  test('of a platform without discovery is checked with keys at an address', async () => {
    const issuer = 'https://kubernetes.default.svc';
    const server = await world.open(
      {},
      {},
      {
        workloads: [rule(issuer, { keys: `${one.issuer}/jwks`, match: { sub: 'system:serviceaccount:shop:shipper' } })],
      },
    );
    const token = await one.sign(claims({ iss: issuer, sub: 'system:serviceaccount:shop:shipper' }));
    expect((await exchange(server, token)).status).toBe(200);
  });
});

describe('a proxy that signs people in', () => {
  const base: ProxyConfig = { id: 'front', name: 'Front', addresses: ['10.0.0.7'], createUsers: true };
  const byHeader = {
    ...base,
    headers: { user: 'X-Forwarded-User', email: 'X-Forwarded-Email', groups: 'X-Forwarded-Groups' },
  };
  const send = (
    server: TestServer,
    headers: Readonly<Record<string, string | readonly string[]>>,
    remoteAddress = '10.0.0.7',
  ) =>
    server.inject({
      method: 'POST',
      url: '/console/api/session/proxy',
      remoteAddress,
      headers: {
        ...(headers as Record<string, string>),
        'x-millrace-console': '1',
        'sec-fetch-site': 'same-origin',
      },
    });

  test('by its headers, on connections from its address only', async () => {
    const server = await world.open({}, {}, { proxies: [byHeader] });
    const headers = { 'x-forwarded-user': 'ada', 'x-forwarded-email': 'ada@example.com' };
    expect((await send(server, headers, '10.0.0.8')).status).toBe(403);
    expect((await send(server, { ...headers, 'x-forwarded-for': '10.0.0.7' }, '10.0.0.8')).status).toBe(403);
    const signedIn = await send(server, headers);
    expect(signedIn.status).toBe(200);
    expect((await asConsole(server, cookieOf(signedIn))).body).toMatchObject({ email: 'ada@example.com' });
    expect(server.audits.at(-1)).toMatchObject({ operation: 'createProxySession', subject: 'subject ada of front' });
    // The headers sign in to the console only.
    expect((await server.inject({ method: 'GET', url: '/v2/user', headers, remoteAddress: '10.0.0.7' })).status).toBe(
      403,
    );
  });

  test.each<[string, Readonly<Record<string, string | readonly string[]>>]>([
    ['no header', {}],
    ['an empty header', { 'x-forwarded-user': '' }],
    ['two headers', { 'x-forwarded-user': ['ada', 'root'] }],
    ['a second spelling', { 'x-forwarded-user': 'ada', x_forwarded_user: 'root' }],
    ['another spelling', { x_forwarded_user: 'root' }],
    [
      'another spelling of the address',
      { 'x-forwarded-user': 'ada', 'x-forwarded-email': 'a@example.com', x_forwarded_email: 'b@example.com' },
    ],
  ])('refuses %s', async (_, headers) => {
    const server = await world.open({}, {}, { proxies: [byHeader] });
    expect((await send(server, headers)).status).toBe(403);
    expect(await server.metadata.users.list()).toHaveLength(1);
  });

  test('by a signed assertion', async () => {
    const jwt = { header: 'Cf-Access-Jwt-Assertion', issuer: one.issuer, audience: 'tag', keys: `${one.issuer}/jwks` };
    const server = await world.open({}, {}, { proxies: [{ ...base, jwt }] });
    const exp = Math.floor(Date.now() / 1000) + 60;
    const status = async (claims: object, key?: Parameters<TestProvider['sign']>[1]) =>
      (
        await send(server, {
          'cf-access-jwt-assertion': await one.sign({ sub: 'ada', aud: 'tag', exp, ...claims }, key),
        })
      ).status;
    const foreign = { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey };
    expect(
      await Promise.all([
        status({ aud: 'other' }),
        status({ exp: exp - 120 }),
        status({}, foreign),
        status({ iss: two.issuer }),
      ]),
    ).toEqual([403, 403, 403, 403]);
    expect(await status({})).toBe(200);
  });

  test('is off by default', async () => {
    const server = await world.open();
    expect((await send(server, { 'x-forwarded-user': 'ada' }, '127.0.0.1')).status).toBe(403);
  });
});

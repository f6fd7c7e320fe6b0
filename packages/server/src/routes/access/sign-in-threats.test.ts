import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ada,
  asConsole,
  consoleAddress,
  cookieOf,
  finishSignIn,
  newGroup,
  openSignInWorld,
  problemOf,
  signIn,
  type SignInWorld,
  startSignIn,
} from '../../testing/sign-in-world.js';
import { followProvider, type TestProvider } from '../../testing/sign-in-provider.js';

let world: SignInWorld;
let one: TestProvider;
let two: TestProvider;
const open: SignInWorld['open'] = (...options) => world.open(...options);
beforeAll(async () => {
  world = await openSignInWorld();
  ({ one, two } = world);
});
afterAll(() => world.close());

describe('threats', () => {
  test.each(
    [
      '//evil.example/x',
      '/\\evil.example',
      '/console//evil.example',
      '/console/%2f%2fevil.example',
      'https://evil.example/console/',
      '/console/../v2/datasets',
      '/console/api/v2/datasets',
      '/console/%61pi/x',
      '/console/%5cevil',
      '/console/%0d%0aset-cookie:x',
      '/console/%',
      `/console/${'x'.repeat(2000)}`,
    ].map((to) => [to.slice(0, 40), to] as const),
  )('open redirect: %s leads to the start page', async (_, to) => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    expect((await signIn(server, 'one', `?to=${encodeURIComponent(to)}`)).headers.location).toBe(`${consoleAddress}/`);
  });

  test('an answer is worth nothing in another browser, a second time, or after ten minutes', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    const stolen = await startSignIn(server);
    expect(problemOf(await server.send('GET', stolen.callback, undefined, null))).toBe('attempt');
    const other = await startSignIn(server);
    expect(problemOf(await finishSignIn(server, { ...stolen, cookie: other.cookie }))).toBe('attempt');
    expect(problemOf(await finishSignIn(server, stolen))).toBeUndefined();
    expect(problemOf(await finishSignIn(server, stolen))).toBe('attempt');
    server.advance(10 * 60_000);
    expect(problemOf(await finishSignIn(server, other))).toBe('attempt');
    expect(server.audits.map(({ outcome }) => outcome)).toContain('refused');
  });

  test('a cookie that was changed, and a state that was', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    const begun = await startSignIn(server);
    const flipped = begun.cookie.slice(0, -3) + (begun.cookie.endsWith('AAA') ? 'BBB' : 'AAA');
    expect(problemOf(await finishSignIn(server, { ...begun, cookie: flipped }))).toBe('attempt');
    expect(
      problemOf(await finishSignIn(server, { ...begun, callback: begun.callback.replace('state=', 'state=1') })),
    ).toBe('attempt');
    expect(problemOf(await finishSignIn(server, { ...begun, cookie: `${begun.cookie}; ${begun.cookie}` }))).toBe(
      'attempt',
    );
  });

  test('four tabs sign in at once', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    const jar: string[] = [];
    const callbacks: string[] = [];
    for (let tab = 0; tab < 4; tab++) {
      const begun = await server.send('GET', '/sign-in/one', undefined, null, { cookie: jar.join('; ') });
      jar.push(cookieOf(begun));
      const answer = await followProvider(String(begun.headers.location));
      callbacks.push(`${answer.pathname}${answer.search}`);
    }
    for (const callback of callbacks)
      expect(problemOf(await finishSignIn(server, { cookie: jar.join('; '), callback }))).toBeUndefined();
  });

  test('mix-up: the answer of one provider at the callback of another, and a foreign or missing issuer', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    const mixed = await startSignIn(server);
    expect(
      problemOf(await finishSignIn(server, { ...mixed, callback: mixed.callback.replace('/one/', '/two/') })),
    ).toBe('attempt');
    const foreign = await startSignIn(server);
    const swapped = foreign.callback.replace(encodeURIComponent(one.issuer), encodeURIComponent(two.issuer));
    expect(swapped).not.toBe(foreign.callback);
    expect(problemOf(await finishSignIn(server, { ...foreign, callback: swapped }))).toBe('answer');
    const missing = await startSignIn(server);
    const without = missing.callback.replace(/&iss=[^&]*/, '');
    expect(problemOf(await finishSignIn(server, { ...missing, callback: without }))).toBe('answer');
  });

  test('the code of another attempt: nonce and PKCE do not fit', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    const [mine, theirs] = [await startSignIn(server), await startSignIn(server)];
    const code = /code=[^&]*/.exec(theirs.callback)![0];
    expect(
      problemOf(await finishSignIn(server, { ...mine, callback: mine.callback.replace(/code=[^&]*/, code) })),
    ).toBe('answer');
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  test.each<[string, string | undefined, (claims: Readonly<Record<string, unknown>>) => Promise<string>]>([
    ['correct', undefined, (claims) => one.sign(claims)],
    ['another audience', 'answer', (claims) => one.sign({ ...claims, aud: 'other' })],
    [
      'two audiences, for another party',
      'answer',
      (claims) => one.sign({ ...claims, aud: ['millrace', 'other'], azp: 'other' }),
    ],
    ['another issuer', 'answer', (claims) => one.sign({ ...claims, iss: two.issuer })],
    ['another nonce', 'answer', (claims) => one.sign({ ...claims, nonce: 'replayed' })],
    ['no nonce', 'answer', (claims) => one.sign({ ...claims, nonce: undefined })],
    ['over for 25 seconds', undefined, (claims) => one.sign({ ...claims, iat: seconds() - 100, exp: seconds() - 25 })],
    ['over for 35 seconds', 'answer', (claims) => one.sign({ ...claims, iat: seconds() - 100, exp: seconds() - 35 })],
    ['not valid for 25 seconds', undefined, (claims) => one.sign({ ...claims, nbf: seconds() + 25 })],
    ['not valid for 40 seconds', 'answer', (claims) => one.sign({ ...claims, nbf: seconds() + 40 })],
    [
      'a key of somebody else',
      'answer',
      (claims) => one.sign(claims, { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
    ],
    ['a key of another provider', 'answer', (claims) => two.sign({ ...claims, iss: one.issuer })],
    ['no signature', 'answer', async (claims) => `${text({ alg: 'none' })}.${text(claims)}.`],
    [
      'the client secret as the key',
      'answer',
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('secret-of-the-client')),
    ],
  ])('an ID token with %s', async (_, problem, forge) => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    one.forge = forge;
    expect(problemOf(await signIn(server))).toBe(problem);
  });

  test('rotated keys: the sign-in after the next one works', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    await signIn(server);
    await one.rotateKeys();
    server.advance(6000);
    const problems = [problemOf(await signIn(server)), problemOf(await signIn(server))];
    expect(problems.at(-1)).toBeUndefined();
  });

  test('the same address at another provider, in any case, is another person', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    two.account = { sub: 'ada', claims: { ...ada, email: 'ADA@Example.com' } };
    await signIn(server);
    expect(problemOf(await signIn(server, 'two'))).toBe('address-taken');
    one.account = { sub: 'ADA', claims: { ...ada, email: 'other@example.com' } };
    await signIn(server);
    expect(await server.metadata.users.list()).toHaveLength(3);
  });

  test('an owner keeps the role, and claims make no owner', async () => {
    const server = await open({ roles: [{ claim: 'department', equals: 'it', role: 'owner' }] });
    one.account = { sub: 'ada', claims: { ...ada, department: 'it' } };
    expect((await asConsole(server, cookieOf(await signIn(server)))).body).toMatchObject({ role: { id: 'none' } });
    const { id } = await server.metadata.users.owner();
    await server.metadata.identities.create({
      userId: id,
      provider: 'two',
      issuer: two.issuer,
      subject: 'root',
      email: '',
    });
    two.account = { sub: 'root', claims: {} };
    expect((await asConsole(server, cookieOf(await signIn(server, 'two')))).body).toMatchObject({
      role: { id: 'owner' },
    });
  });

  test('a removed user is signed out at once, and is not created again unless users are', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    const cookie = cookieOf(await signIn(server));
    const { id } = (await asConsole(server, cookie)).body as { id: string };
    expect((await server.send('DELETE', `/v2/users/${id}`)).status).toBe(204);
    expect((await asConsole(server, cookie)).status).toBe(403);
    expect(await server.metadata.identities.findBySubject(one.issuer, 'ada')).toBeUndefined();
  });

  test('a removed group disappears from all sessions at the next sign-in; one assigned by hand stays', async () => {
    const server = await open({ groups: { ops: 'operators', dev: 'developers' } });
    one.account = { sub: 'ada', claims: { ...ada, groups: ['ops'] } };
    const operators = await newGroup(server, 'operators');
    const cookie = cookieOf(await signIn(server));
    const { id } = (await asConsole(server, cookie)).body as { id: string };
    const byHand = await newGroup(server, 'developers', [id]);
    const members = async () =>
      Promise.all([operators, byHand].map(async (group) => (await server.metadata.groups.get(group.id)).members));
    expect([await members(), (await asConsole(server, cookie, '/v2/datasets')).status]).toEqual([[[id], [id]], 200]);
    one.account = { sub: 'ada', claims: { ...ada, groups: [] } };
    await signIn(server);
    expect(await members()).toEqual([[], [id]]);
    one.account = { sub: 'ada', claims: { ...ada, groups: 'ops' } };
    await signIn(server);
    // Entra leaves out the groups of users who have too many.
    one.account = { sub: 'ada', claims: { ...ada, _claim_names: { groups: 'src1' } } };
    await signIn(server);
    one.account = { sub: 'ada', claims: { ...ada, groups: ['dev'] } };
    await signIn(server);
    expect(await members()).toEqual([[], [id]]);
  });

  test('pauses tokens of a user who has not signed in for long until the next sign-in', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    const { id } = (await asConsole(server, cookieOf(await signIn(server)))).body as { id: string };
    const { secret } = await server.metadata.tokens.create({ kind: 'personal', name: 'laptop', userId: id });
    const status = async () => (await server.send('GET', '/v2/user', undefined, secret)).status;
    expect(await status()).toBe(200);
    server.advance(31 * 24 * 3600_000);
    expect(await status()).toBe(403);
    await server.metadata.identities.noteSignIn({
      id: (await server.metadata.identities.list(id))[0]!.id,
      email: ada.email,
    });
    expect(await status()).toBe(200);
    expect((await server.send('GET', '/v2/user')).status).toBe(200);
  });

  test('a session of a provider makes no sign-in link, which would outlast it', async () => {
    const server = await open();
    one.account = { sub: 'ada', claims: ada };
    const cookie = cookieOf(await signIn(server));
    expect((await asConsole(server, cookie, '/v2/sign-in-codes', 'POST')).status).toBe(403);
  });
});

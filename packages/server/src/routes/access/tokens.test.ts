import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
});
afterEach(() => world.close());

interface CreatedToken {
  readonly id: string;
  readonly token: string;
}
const ingestOnly = { datasetCapabilities: { logs: { ingest: ['create'] } } };
async function create(body: object, token?: string): Promise<CreatedToken> {
  const reply = await world.send('POST', '/v2/tokens', body, token);
  expect(reply.status).toBe(200);
  return reply.body as CreatedToken;
}

describe('API tokens', () => {
  test('the secret is in the first answer and nowhere else', async () => {
    const { token, ...rest } = await create({ name: 'n', description: 'd', ...ingestOnly });
    expect(token).toMatch(/^xaat-/);
    expect(rest).toEqual({
      id: rest.id,
      name: 'n',
      description: 'd',
      expiresAt: null,
      ...ingestOnly,
      orgCapabilities: {},
      samlAuthenticated: false,
    });
    expect((await world.send('GET', `/v2/tokens/${rest.id}`)).body).toEqual(rest);
    expect((await world.send('GET', '/v2/tokens')).body).toEqual([rest]);
    expect(world.logLines.join('')).not.toContain(token.slice(5));
    expect(JSON.stringify(world.audits)).not.toContain(token.slice(5));
  });

  test('a token that was used says when, and one that was not says nothing', async () => {
    const [used, unused] = [
      await create({ name: 'used', ...ingestOnly }),
      await create({ name: 'unused', ...ingestOnly }),
    ];
    await world.send('GET', '/v2/datasets', undefined, used.token);
    const lastUsed = async (id: string): Promise<unknown> =>
      ((await world.send('GET', `/v2/tokens/${id}?include=lastUsed`)).body as { readonly lastUsed?: string }).lastUsed;
    expect(Date.parse(String(await lastUsed(used.id)))).toBeLessThanOrEqual(Date.now());
    expect(await lastUsed(unused.id)).toBeUndefined();
    const { tokenUses, database } = world.metadata;
    expect((await tokenUses.all()).get(used.id)).toBe(await lastUsed(used.id));
    const countUses = (): Promise<number> =>
      database
        .selectFrom('token_uses')
        .selectAll()
        .where('token_id', '=', used.id)
        .execute()
        .then((rows) => rows.length);
    await expect.poll(countUses).toBe(1);
    await world.send('DELETE', `/v2/tokens/${used.id}`);
    expect(await countUses()).toBe(0);
  });

  test('unset members of other clients', async () => {
    const body = {
      name: 'n',
      description: null,
      expiresAt: '0001-01-01T00:00:00Z',
      datasetCapabilities: { logs: { ingest: ['create'], query: null } },
      orgCapabilities: null,
      viewCapabilities: null,
    };
    expect(await create(body)).toMatchObject({ expiresAt: null, ...ingestOnly, orgCapabilities: {} });
  });

  test.each([
    ['no name', {}],
    ['unknown action', { name: 'n', orgCapabilities: { users: ['fly'] } }],
    ['a time that is none', { name: 'n', expiresAt: 'tomorrow' }],
    ['capabilities that are no lists', { name: 'n', datasetCapabilities: { logs: { ingest: 'create' } } }],
  ])('%s', async (_, body) => expect((await world.send('POST', '/v2/tokens', body)).status).toBe(400));

  test.each([
    [
      { datasetCapabilities: { logs: { ingest: ['create'], quary: ['read'] } } },
      "body 'datasetCapabilities.logs.quary' is not known; expected one of ingest, query, starredQueries, virtualFields, trim, vacuum, data, share",
    ],
    [
      { viewCapabilities: { v: { trim: ['update'] } } },
      "body 'viewCapabilities.v.trim' is not known; expected one of query, share",
    ],
    [{ orgCapabilities: { auditLog: ['delete'] } }, "body 'orgCapabilities.auditLog[0]' must be read"],
  ])('a right that does not exist is not silently left out: %j', async (capabilities, message) =>
    expect((await world.send('POST', '/v2/tokens', { name: 'n', ...capabilities })).body).toEqual({
      code: 400,
      message,
    }),
  );

  test.each([
    ['none', {}],
    ['empty ones', { datasetCapabilities: {}, orgCapabilities: {}, viewCapabilities: {} }],
    ['none for a dataset', { datasetCapabilities: { logs: {} } }],
    ['no actions', { datasetCapabilities: { logs: { ingest: [] } }, orgCapabilities: { users: [] } }],
    ['null', { datasetCapabilities: null, orgCapabilities: { users: null } }],
  ])('a token that may do nothing is refused: %s', async (_, capabilities) => {
    const { id } = await create({ name: 'n', ...ingestOnly });
    const body = { name: 'n', ...capabilities };
    const regenerate = { existingTokenExpiresAt: '2027-01-01T00:00:00Z', newToken: body };
    for (const reply of [
      await world.send('POST', '/v2/tokens', body),
      await world.send('POST', `/v2/tokens/${id}/regenerate`, regenerate),
    ])
      expect(reply).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('at least one capability must be set') },
      });
    expect((await world.send('GET', '/v2/tokens')).body).toHaveLength(1);
  });

  test('a metrics token reads metrics, but no events or settings', async () => {
    const { token } = await create({ name: 'prometheus', orgCapabilities: { metrics: ['read'] } });
    const status = async (path: string) => (await world.send('GET', path, undefined, token)).status;
    expect(await status('/metrics')).toBe(200);
    for (const path of ['/v2/tokens', '/v2/users', '/v2/monitors', '/v2/dashboards', '/v1/export?apl=logs'])
      expect([path, await status(path)]).toEqual([path, expect.toBeOneOf([403, 404])]);
    expect((await world.send('GET', '/v2/datasets', undefined, token)).body).toEqual([]);
  });

  test('one that would never work is refused', async () => {
    const past = new Date(world.now() - 1).toISOString();
    const { id } = await create({ name: 'n', ...ingestOnly, expiresAt: new Date(world.now() + 1).toISOString() });
    const rejectedReply = (member: string) => ({
      status: 400,
      body: {
        message: `body '${member}' must be in the future; leave it out for a token that works until it is deleted`,
      },
    });
    const personal = { name: 'n', expiresAt: past };
    const body = { ...personal, ...ingestOnly };
    for (const [url, sent] of [['/v2/tokens', body] as const, ['/v2/personal-tokens', personal] as const])
      expect(await world.send('POST', url, sent)).toMatchObject(rejectedReply('expiresAt'));
    const regenerate = (of: object) => world.send('POST', `/v2/tokens/${id}/regenerate`, of);
    const now = { existingTokenExpiresAt: past };
    expect(await regenerate({ ...now, newTokenExpiresAt: past })).toMatchObject(rejectedReply('newTokenExpiresAt'));
    expect(await regenerate({ ...now, newToken: body })).toMatchObject(rejectedReply('newToken.expiresAt'));
    expect((await world.send('GET', '/v2/tokens')).body).toHaveLength(1);
    // The current token may be revoked at once, which a user who lost it needs.
    expect(await regenerate(now)).toMatchObject({ status: 200 });
  });

  test('a deleted one no longer works', async () => {
    const { id, token } = await create({ name: 'n', ...ingestOnly });
    expect((await world.send('GET', '/v2/datasets', undefined, token)).status).toBe(200);
    expect((await world.send('DELETE', `/v2/tokens/${id}`)).status).toBe(204);
    expect((await world.send('GET', '/v2/datasets', undefined, token)).status).toBe(403);
    expect((await world.send('DELETE', `/v2/tokens/${id}`)).status).toBe(404);
  });

  test('regenerated: a new id and secret, both work until the old one expires', async () => {
    const old = await create({ name: 'n', ...ingestOnly });
    const before = (await world.send('GET', `/v2/tokens/${old.id}`)).body;
    const existingTokenExpiresAt = new Date(world.now() + 60_000).toISOString();
    const reply = await world.send('POST', `/v2/tokens/${old.id}/regenerate`, {
      existingTokenExpiresAt,
      newTokenExpiresAt: null,
      newToken: null,
    });
    const next = reply.body as CreatedToken;
    expect(next).toMatchObject({ name: 'n', ...ingestOnly, expiresAt: null });
    expect([next.id === old.id, next.token === old.token]).toEqual([false, false]);
    expect((await world.send('GET', '/v2/tokens')).body).not.toContainEqual(before);
    expect((await world.send('GET', `/v2/tokens/${old.id}`)).body).toMatchObject({ expiresAt: existingTokenExpiresAt });
    const works = async ({ token }: CreatedToken) => (await world.send('GET', '/v2/datasets', undefined, token)).status;
    expect([await works(old), await works(next)]).toEqual([200, 200]);
    world.advance(60_000);
    expect([await works(old), await works(next)]).toEqual([403, 200]);
  });

  test('regenerated after it expired: the old secret does not work again', async () => {
    const old = await create({ name: 'n', ...ingestOnly, expiresAt: '2026-11-20T10:00:01Z' });
    world.advance(1000);
    const existingTokenExpiresAt = '2026-11-21T10:00:00Z';
    const next = await world.send('POST', `/v2/tokens/${old.id}/regenerate`, { existingTokenExpiresAt });
    const works = async (token: string) => (await world.send('GET', '/v2/datasets', undefined, token)).status;
    expect([next.status, await works(old.token), await works((next.body as CreatedToken).token)]).toEqual([
      200, 403, 200,
    ]);
  });

  test('regenerated with another name and other rights', async () => {
    const { id } = await create({ name: 'n', ...ingestOnly });
    const newToken = { name: 'm', orgCapabilities: { users: ['read'] }, expiresAt: '2027-01-01T00:00:00Z' };
    const reply = await world.send('POST', `/v2/tokens/${id}/regenerate`, {
      existingTokenExpiresAt: '2026-11-20T11:00:00.123456789Z',
      newToken,
    });
    expect(reply.body).toMatchObject({ ...newToken, datasetCapabilities: {} });
    const later = await world.send('POST', `/v2/tokens/${id}/regenerate`, {
      existingTokenExpiresAt: '2026-11-20T11:00:00Z',
      newTokenExpiresAt: '2028-01-01T00:00:00Z',
      newToken,
    });
    expect(later.body).toMatchObject({ expiresAt: '2028-01-01T00:00:00Z' });
  });

  test('a token cannot create a stronger token in any way', async () => {
    const strong = await create({ name: 'strong', ...ingestOnly });
    const { token: weak } = await create({
      name: 'weak',
      orgCapabilities: { apiTokens: ['create', 'read', 'update', 'delete'] },
    });
    const refused = {
      status: 403,
      body: { message: expect.stringContaining('you cannot grant permissions you do not have') },
    };
    expect(await world.send('POST', '/v2/tokens', { name: 'n', ...ingestOnly }, weak)).toMatchObject(refused);
    expect(
      await world.send('POST', '/v2/tokens', { name: 'n', datasetCapabilities: { '*': { query: ['read'] } } }, weak),
    ).toMatchObject(refused);
    const existingTokenExpiresAt = '2030-01-01T00:00:00Z';
    expect(
      await world.send('POST', `/v2/tokens/${strong.id}/regenerate`, { existingTokenExpiresAt }, weak),
    ).toMatchObject(refused);
    const own = await create({ name: 'n', orgCapabilities: { apiTokens: ['read'] } }, weak);
    expect(
      await world.send(
        'POST',
        `/v2/tokens/${own.id}/regenerate`,
        { existingTokenExpiresAt, newToken: { name: 'n', ...ingestOnly } },
        weak,
      ),
    ).toMatchObject(refused);
    // Not even for one as weak as their own, since the strong one would end.
    const newToken = { name: 'n', orgCapabilities: { apiTokens: ['read'] } };
    expect(
      await world.send('POST', `/v2/tokens/${strong.id}/regenerate`, { existingTokenExpiresAt, newToken }, weak),
    ).toMatchObject(refused);
    expect((await world.send('GET', '/v2/tokens')).body).toHaveLength(3);
  });
});

describe('personal tokens', () => {
  test('a user makes one, uses it, deletes it', async () => {
    const { id, token } = (await world.send('POST', '/v2/personal-tokens', { name: 'laptop' })).body as CreatedToken;
    expect(token).toMatch(/^xapt-/);
    expect((await world.send('GET', '/v2/user', undefined, token)).body).toMatchObject({ name: 'Owner' });
    expect((await world.send('GET', '/v2/personal-tokens')).body).toHaveLength(2);
    expect((await world.send('DELETE', `/v2/personal-tokens/${id}`, undefined, token)).status).toBe(204);
    expect((await world.send('GET', '/v2/user', undefined, token)).status).toBe(403);
  });

  test('for another user: with the right, and never for a stronger one', async () => {
    const user = (await world.send('POST', '/v2/users', { name: 'B', email: 'b@example.com', role: 'read-only' }))
      .body as { id: string };
    const { token } = (await world.send('POST', '/v2/personal-tokens', { name: 'first', userId: user.id }))
      .body as CreatedToken;
    expect((await world.send('GET', '/v2/user', undefined, token)).body).toMatchObject({
      name: 'B',
      role: { id: 'read-only', name: 'read-only' },
    });
    expect((await world.send('GET', '/v2/personal-tokens', undefined, token)).body).toHaveLength(1);

    const owner = (await world.send('GET', '/v2/user')).body as { id: string };
    expect((await world.send('POST', '/v2/personal-tokens', { name: 'n', userId: owner.id }, token)).status).toBe(403);
    expect((await world.send('DELETE', '/v2/personal-tokens/owner', undefined, token)).status).toBe(403);
    const updater = await world.token({ orgCapabilities: { users: ['update'] } });
    expect((await world.send('POST', '/v2/personal-tokens', { name: 'n', userId: owner.id }, updater)).status).toBe(
      403,
    );
    expect((await world.send('POST', '/v2/personal-tokens', { name: 'n' }, updater)).status).toBe(400);
    expect((await world.send('POST', '/v2/personal-tokens', { name: 'n', userId: 'nobody' }, updater)).status).toBe(
      404,
    );
  });
});

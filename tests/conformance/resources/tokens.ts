import { describe, expect, it } from 'vitest';
import { call, one, statusOf } from './one.ts';

describe('tokens', () => {
  interface Token {
    readonly id: string;
    readonly token: string;
  }
  const create = async (body: object): Promise<Token> => {
    const answer = await call('POST', '/v2/tokens', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as Token;
  };

  it('the secret is shown once; get and list agree', async () => {
    const { token, ...record } = await create({ name: 'once', datasetCapabilities: { '*': { ingest: ['create'] } } });
    expect(token).toMatch(/^xaat-/);
    expect((await call('GET', `/v2/tokens/${record.id}`)).body).toEqual(record);
    expect((await call('GET', '/v2/tokens')).body).toContainEqual(record);
  });

  it.each([
    [
      'the zero time of Go is no expiry',
      { expiresAt: '0001-01-01T00:00:00Z', datasetCapabilities: { '*': { query: ['read'] } } },
    ],
    [
      'null is no value',
      {
        expiresAt: null,
        description: null,
        viewCapabilities: null,
        orgCapabilities: { apiTokens: ['read'], users: null },
      },
    ],
  ])('%s', async (_, more) => {
    expect(await create({ name: 'n', datasetCapabilities: {}, orgCapabilities: {}, ...more })).toMatchObject({
      expiresAt: null,
    });
  });

  it('an exchange keeps the old one for the requested time', async () => {
    const old = await create({ name: 'old', datasetCapabilities: { '*': { query: ['read'] } } });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const { status, body } = await call('POST', `/v2/tokens/${old.id}/regenerate`, {
      existingTokenExpiresAt: until,
      newTokenExpiresAt: until,
    });
    expect(status).toBe(200);
    const fresh = body as Token;
    expect([fresh.id === old.id, fresh.token === old.token]).toEqual([false, false]);
    for (const { token } of [old, fresh])
      expect((await call('GET', '/v2/datasets', undefined, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await call('GET', `/v2/tokens/${old.id}`)).body).toMatchObject({
      expiresAt: expect.stringContaining(until.slice(0, 19)),
    });
    expect(await statusOf('DELETE', `/v2/tokens/${fresh.id}`)).toBe(204);
    expect((await call('GET', '/v2/datasets', undefined, { authorization: `Bearer ${fresh.token}` })).status).toBe(401);
  });

  it('what a token may not do is 403, what it may is done', async () => {
    const dataset = await one.dataset();
    const { token } = await create({ name: 'ingest', datasetCapabilities: { [dataset]: { ingest: ['create'] } } });
    const as = { authorization: `Bearer ${token}` };
    expect((await call('POST', `/v1/datasets/${dataset}/ingest`, { a: 1 }, as)).status).toBe(200);
    expect((await call('POST', '/v1/datasets/_apl', { apl: `['${dataset}']` }, as)).status).toBe(403);
    expect((await call('POST', '/v2/datasets', { name: 'other' }, as)).status).toBe(403);
  });
});

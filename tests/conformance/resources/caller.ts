import { describe, expect, it } from 'vitest';
import { send } from '../../support/apl.ts';
import { call, one, statusOf } from './one.ts';

describe('the caller', () => {
  it('user, users and organizations', async () => {
    const user = (await call('GET', '/v2/user')).body as { id: string };
    expect(user).toMatchObject({
      email: expect.any(String),
      name: expect.any(String),
      role: { id: expect.any(String), name: expect.any(String) },
    });
    expect((await call('GET', `/v2/users/${user.id}`)).body).toMatchObject({ id: user.id });
    const [org] = (await call('GET', '/v2/orgs')).body as [{ id: string }];
    expect((await call('GET', `/v2/orgs/${org.id}`)).body).toEqual(org);
  });

  it('virtual fields over fields that no event has had', async () => {
    const dataset = await one.dataset();
    const field = { dataset, name: 'Sum', expression: 'a + b', description: '', type: 'number', unit: '' };
    const { status, body } = await call('POST', '/v2/vfields', field);
    expect(status).toBe(200);
    const { id } = body as { id: string };
    const updated = await call('PUT', `/v2/vfields/${id}`, { ...field, expression: 'a * b' });
    expect((await call('GET', `/v2/vfields/${id}`)).body).toEqual(updated.body);
    expect((await call('GET', `/v2/vfields?dataset=${dataset}`)).body).toEqual([updated.body]);
    await send(one.server, dataset, '{"a":2,"b":3}');
    const answer = await call('POST', '/v1/datasets/_apl?format=tabular', { apl: `['${dataset}'] | project Sum` });
    expect(answer.body).toMatchObject({ tables: [{ columns: [[6]] }] });
    expect(await statusOf('DELETE', `/v2/vfields/${id}`)).toBe(204);
  });
});

describe('errors and headers', () => {
  it.each([
    ['a missing dataset', 'GET', '/v2/datasets/nowhere'],
    ['a missing dataset, version 1', 'GET', '/v1/datasets/nowhere'],
    ['ingest into one', 'POST', '/v1/datasets/nowhere/ingest'],
    ['a query of one', 'POST', '/v1/datasets/nowhere/query'],
    ['deletion of one', 'DELETE', '/v2/datasets/nowhere'],
    ['a missing annotation', 'GET', '/v2/annotations/ann_nowhere'],
    ['a route that does not exist', 'GET', '/v3/nothing'],
  ])('%s: 404 in JSON with "not found" and a trace ID', async (_, method, path) => {
    const body = { startTime: 'now-1h', endTime: 'now', resolution: 'auto' };
    const answer = await call(method, path, method === 'POST' ? body : undefined);
    expect(answer).toMatchObject({ status: 404, body: { code: 404, message: expect.stringMatching(/not found/i) } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('x-axiom-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ['none', ''],
    ['one too short', 'Bearer xapt-123'],
    ['one nobody has', 'Bearer xaat-00000000-0000-4000-8000-00000000ffff'],
    ['another scheme', 'Basic eDp5'],
  ])('a token that is wrong (%s) comes before a dataset that is missing', async (_, authorization) => {
    const answer = await call('GET', '/v2/datasets/nowhere', undefined, { authorization });
    expect(answer).toMatchObject({ status: 401, body: { code: 401 } });
    expect(answer.headers.get('x-axiom-trace-id')).toMatch(/./);
  });

  it('headers of clients are taken with a token of any kind', async () => {
    const headers = { 'x-axiom-org-id': 'any', 'x-axiom-client': 'test/1', 'x-axiom-chart-width': '800' };
    expect((await call('GET', '/v2/user', undefined, headers)).status).toBe(200);
  });

  it('a success is JSON with a trace id', async () => {
    const { headers } = await call('GET', '/v2/datasets');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('x-axiom-trace-id')).toMatch(/./);
  });
});

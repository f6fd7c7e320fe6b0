import { describe, expect, it } from 'vitest';
import { call, statusOf } from './one.ts';

describe('annotations', () => {
  it('created with 201; datasets filter by commas or by repetition, zero times by nothing', async () => {
    const { status, body } = await call('POST', '/v2/annotations', {
      datasets: ['a1'],
      type: 'deploy',
      url: 'some-url',
      title: null,
    });
    expect(status).toBe(201);
    const { id } = body as { id: string };
    expect(id).toMatch(/^ann_/);
    const listIds = async (query: string) =>
      ((await call('GET', `/v2/annotations?${query}`)).body as { id: string }[]).map((each) => each.id);
    const zero = 'start=0001-01-01T00%3A00%3A00Z';
    for (const query of ['', 'datasets=a1', 'datasets=a1,a2', 'datasets=a2&datasets=a1', `datasets=a1&${zero}&${zero}`])
      expect(await listIds(query), query).toEqual([id]);
    expect(await call('PUT', `/v2/annotations/${id}`, { datasets: ['a2'] })).toMatchObject({
      status: 200,
      body: { type: 'deploy' },
    });
    expect(await listIds('datasets=a1')).toEqual([]);
    expect(await statusOf('DELETE', `/v2/annotations/${id}`)).toBe(204);
  });
});

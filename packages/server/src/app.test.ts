import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorld, type World } from './testing/world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

test('a dataset is created, read, changed and deleted', async () => {
  const created = await world.send('POST', '/v2/datasets', {
    name: 'http-logs',
    description: null,
    retentionDays: 0,
    useRetentionPeriod: false,
  });
  expect(created).toMatchObject({
    status: 200,
    body: { id: 'http-logs', name: 'http-logs', description: '', who: 'Owner' },
  });
  expect((await world.send('GET', '/v2/datasets/http-logs')).body).toEqual(created.body);
  expect(await world.send('DELETE', '/v2/datasets/http-logs')).toMatchObject({ status: 204, text: '' });
  expect(await world.send('GET', '/v2/datasets/http-logs')).toMatchObject({
    status: 404,
    body: { code: 404, message: expect.stringContaining('not found') },
  });
});

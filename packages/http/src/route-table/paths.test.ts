import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '@millrace/server/testing/test-server';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
});
afterEach(() => world.close());

test('paths below /v1 may have the /api in front that they once had', async () => {
  await world.send('POST', '/v2/datasets', { name: 'logs' });
  expect((await world.send('GET', '/api/v1/datasets/logs?x=/api/v1/')).status).toBe(200);
  expect((await world.send('PATCH', '/api/v1/datasets/logs')).body).toMatchObject({
    message: expect.stringMatching(/ \/v1\/datasets\/logs; allowed: GET/),
  });
});

test.each(['/api/v1', '/api/v2/datasets', '/api/api/v1/datasets', '/API/v1/datasets'])(
  '%s is not a path',
  async (path) => {
    expect((await world.send('GET', path)).status).toBe(404);
  },
);

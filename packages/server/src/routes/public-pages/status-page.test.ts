import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
});
afterEach(() => world.close());

const url = '/v2/status-page';

async function monitor(name: string): Promise<string> {
  const body = { name, type: 'Threshold', aplQuery: 'logs | count', operator: 'Above' };
  return ((await world.send('POST', '/v2/monitors', body)).body as { id: string }).id;
}

test('does not exist until it is enabled, and then shows only what was chosen', async () => {
  expect((await world.send('GET', url)).body).toEqual({ enabled: false, title: 'Status', monitors: [] });
  expect((await world.send('GET', '/status', undefined, null)).status).toBe(404);
  expect((await world.send('GET', '/status.json', undefined, null)).status).toBe(404);
  const [shown] = [await monitor('internal name'), await monitor('other')];
  const page = {
    enabled: true,
    title: 'Shop <b>',
    message: 'We are <looking>.',
    monitors: [{ monitorId: shown, name: 'Checkout' }],
  };
  const { body } = await world.send('PUT', url, page);
  expect(body).toMatchObject({ ...page, updatedBy: expect.any(String) });
  const html = await world.send('GET', '/status', undefined, null);
  expect([html.status, html.text]).toEqual([200, expect.stringContaining('Shop &lt;b&gt;')]);
  expect(html.text).not.toMatch(/internal|other|mon_|<script/);
  expect((await world.send('GET', '/status.json', undefined, null)).body).toMatchObject({
    state: 'operational',
    components: [{ name: 'Checkout', state: 'operational' }],
  });
  await world.send('PUT', url, { ...page, enabled: false });
  expect((await world.send('GET', '/status', undefined, null)).status).toBe(404);
});

test('needs the rights of monitors, and query rights on what a monitor reads', async () => {
  const monitors = [{ monitorId: await monitor('m'), name: 'M' }];
  const page = { enabled: true, title: 'Shop', monitors };
  const reader = await world.token({ orgCapabilities: { monitors: ['read'] } });
  const writer = await world.token({ orgCapabilities: { monitors: ['read', 'update'] } });
  expect((await world.send('PUT', url, page, reader)).status).toBe(403);
  expect((await world.send('PUT', url, page, writer)).status).toBe(403);
  expect((await world.send('PUT', url, { ...page, monitors: [] }, writer)).status).toBe(200);
  expect((await world.send('PUT', url, { ...page, monitors: [{ monitorId: 'mon_none', name: 'x' }] })).status).toBe(
    404,
  );
});

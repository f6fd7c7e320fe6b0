import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';

/**
 * Access matrix of derived data: tokens with rights on some datasets × data that repeats event
 * values.
 */

const secret = 'db-1.internal';
const time = Date.parse('2026-11-20T10:00:00Z');

let world: TestServer;
let monitor = '';
let notifier = '';
let annotation = '';
const idOf = ({ body }: { readonly body: unknown }): string => (body as { id: string }).id;

const notifierBody = (url: string) => ({ name: 'n', properties: { webhook: { url } } });

beforeAll(async () => {
  world = await createTestServer({});
  for (const name of ['open', 'closed']) await world.send('POST', '/v2/datasets', { name });
  notifier = idOf(await world.send('POST', '/v2/notifiers', notifierBody('https://a.example')));
  monitor = idOf(
    await world.send('POST', '/v2/monitors', {
      name: 'm',
      type: 'Threshold',
      aplQuery: 'union open, closed | summarize count() by host',
      operator: 'Above',
      threshold: 1,
      intervalMinutes: 1,
      rangeMinutes: 1,
      notifierIds: [notifier],
    }),
  );
  annotation = idOf(
    await world.send('POST', '/v2/annotations', { datasets: ['open', 'closed'], type: 'alert', title: secret }),
  );
  const { database } = world.metadata;
  const run = { id: 'r', time, start: time, end: time, state: 'error', error: secret, notified: 0, milliseconds: 1 };
  await database
    .insertInto('monitor_runs')
    .values({ monitor_id: monitor, place: 0, time, run: JSON.stringify(run) })
    .execute();
  const change = { checkId: 'r', name: `m: ${secret}`, state: 'open', timestamp: new Date(time).toISOString() };
  await database
    .insertInto('monitor_changes')
    .values({ monitor_id: monitor, time, change: JSON.stringify(change) })
    .execute();
});
afterAll(() => world.close());

const dataOf = (): readonly string[] => [
  '/v2/annotations',
  `/v2/annotations/${annotation}`,
  `/v2/monitors/${monitor}/history?startTime=2026-11-20T00:00:00Z&endTime=2026-11-21T00:00:00Z`,
  `/v2/monitors/${monitor}/runs`,
  '/v2/monitors/_runs',
  `/api/internal/monitors/history?monitorIds=${monitor}`,
];

const query = { query: ['read' as const] };
const orgCapabilities = {
  annotations: ['read' as const],
  monitors: ['read' as const],
  notifiers: ['read' as const, 'update' as const],
};

describe.each([
  ['no dataset', {}, false],
  ['one of two datasets', { open: query }, false],
  ['the other dataset', { closed: query }, false],
  ['both datasets', { open: query, closed: query }, true],
  ['all datasets', { '*': query }, true],
  [
    'ingest into both datasets',
    { open: { ingest: ['create' as const] }, closed: { ingest: ['create' as const] } },
    false,
  ],
])('a token with rights on %s', (_, datasetCapabilities, isShown) => {
  test(`${isShown ? 'sees' : 'does not see'} values of events in derived data`, async () => {
    const token = await world.token({ orgCapabilities, datasetCapabilities });
    for (const path of dataOf()) {
      const { text } = await world.send('GET', path, undefined, token);
      expect([path, text.includes(secret)]).toEqual([path, isShown]);
    }
  });

  test(`${isShown ? 'may' : 'may not'} redirect a notifier that receives them`, async () => {
    const token = await world.token({ orgCapabilities, datasetCapabilities });
    const put = (body: object) => world.send('PUT', `/v2/notifiers/${notifier}`, body, token);
    const present = (await world.send('GET', `/v2/notifiers/${notifier}`, undefined, token)).body as {
      properties: { webhook: { url: string } };
    };
    expect((await put({ ...notifierBody(present.properties.webhook.url), name: 'renamed' })).status).toBe(200);
    world.audits.length = 0;
    const { status, text } = await put(notifierBody(`https://${crypto.randomUUID()}.example`));
    expect(status).toBe(isShown ? 200 : 403);
    if (!isShown) expect(text).toContain(`which monitor '${monitor}' reads and sends to this notifier`);
    expect(world.audits).toMatchObject([{ operation: 'updateNotifier', outcome: isShown ? 'changed' : 'refused' }]);
  });
});

test('a monitor whose writer is removed is disabled until another user writes it', async () => {
  const user = idOf(await world.send('POST', '/v2/users', { name: 'B', email: 'b@example.com', role: 'admin' }));
  const { body } = await world.send('POST', '/v2/personal-tokens', { name: 't', userId: user });
  const { token } = body as { token: string };
  const present = (await world.send('GET', `/v2/monitors/${monitor}`)).body as Readonly<Record<string, unknown>>;
  const written = { ...present, name: 'written by B' };
  expect((await world.send('PUT', `/v2/monitors/${monitor}`, written, token)).status).toBe(200);
  expect((await world.send('DELETE', `/v2/users/${user}`)).status).toBe(204);
  const state = async () => {
    const statuses = (await world.send('GET', '/v2/monitors/_status')).body as readonly Readonly<
      Record<string, unknown>
    >[];
    return statuses.find(({ id }) => id === monitor);
  };
  expect((await world.send('GET', `/v2/monitors/${monitor}`)).body).toMatchObject({ disabled: true });
  expect(await state()).toMatchObject({ state: 'off', error: expect.stringContaining('was removed') as string });
  expect((await world.send('PUT', `/v2/monitors/${monitor}`, written)).status).toBe(200);
  expect(await state()).not.toMatchObject({ state: 'off' });
});

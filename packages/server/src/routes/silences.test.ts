import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
});
afterEach(() => world.close());

const url = '/v2/silences';
const onceSilence = { reason: 'upgrade', labels: { team: 'a' }, endTime: '2026-11-20T11:00:00Z' };

test('create = get = list element; author, start and state are there', async () => {
  const { body } = await world.send('POST', url, onceSilence);
  expect(body).toEqual({
    ...onceSilence,
    id: expect.stringMatching(/^silence_/),
    startTime: '2026-11-20T10:00:00.000Z',
    createdAt: '2026-11-20T10:00:00.000Z',
    createdBy: expect.any(String),
    updatedAt: '2026-11-20T10:00:00.000Z',
    active: true,
    activeUntil: '2026-11-20T11:00:00.000Z',
  });
  const { id } = body as { id: string };
  expect((await world.send('GET', `${url}/${id}`)).body).toEqual(body);
  expect((await world.send('GET', url)).body).toEqual([body]);
  world.advance(3_600_000);
  expect((await world.send('GET', `${url}/${id}`)).body).toMatchObject({ active: false });
});

test('an update replaces everything but id and creation', async () => {
  const { id, createdAt, createdBy } = (await world.send('POST', url, onceSilence)).body as Record<string, string>;
  world.advance(1000);
  const repeat = { cron: '0 22 * * sat', timeZone: 'Europe/Berlin', durationMinutes: 60 };
  const { body } = await world.send('PUT', `${url}/${id}`, { reason: 'backups', groups: { host: 'a' }, repeat });
  expect(body).toEqual({
    id,
    createdAt,
    createdBy,
    reason: 'backups',
    groups: { host: 'a' },
    repeat,
    startTime: '2026-11-20T10:00:01.000Z',
    updatedAt: '2026-11-20T10:00:01.000Z',
    active: false,
    nextStart: '2026-11-21T21:00:00.000Z',
  });
  expect((await world.send('DELETE', `${url}/${id}`)).status).toBe(204);
  expect((await world.send('GET', `${url}/${id}`)).status).toBe(404);
});

test.each([
  ['nothing selected', { labels: {} }, "one of body 'labels', 'monitorIds' and 'groups' is required"],
  ['no end', { endTime: undefined }, "body 'endTime' is required without 'repeat'"],
  ['an end before the start', { endTime: '2026-11-20T09:00:00Z' }, "body 'endTime' must be after 'startTime'"],
  [
    'a wrong hour',
    { repeat: { cron: '0 24 * * *', durationMinutes: 1 } },
    "'24' cannot be the hour, which is from 0 to 23",
  ],
  ['no such zone', { repeat: { cron: '0 0 * * *', timeZone: 'Moon', durationMinutes: 1 } }, 'which is no time zone'],
  ['no reason', { reason: '' }, "body 'reason' must not be empty"],
])('mistake: %s', async (_, change, message) =>
  expect(await world.send('POST', url, { ...onceSilence, ...change })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(message) },
  }),
);

test('needs the rights of monitors', async () => {
  const reader = await world.token({ orgCapabilities: { monitors: ['read'] } });
  const writer = await world.token({ orgCapabilities: { monitors: ['read', 'update'] } });
  expect((await world.send('POST', url, onceSilence, reader)).status).toBe(403);
  expect((await world.send('GET', url, undefined, reader)).status).toBe(200);
  expect((await world.send('POST', url, onceSilence, writer)).status).toBe(200);
});

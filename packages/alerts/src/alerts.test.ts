import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { openReceiver, type Receiver } from './testing/receiver.js';

/** Monitors on a real engine, with a receiver of webhooks. */

let world: EngineTestServer;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await openReceiver();
  world = await openEngineTestServer({
    notifyPrivateAddresses: true,
    monitorMemoryBytes: 64 * 2 ** 20,
    consoleUrl: 'https://logs.example.com',
  });
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});
const arrivedAt: Receiver['arrivedAt'] = (path, count) => receiver.arrivedAt(path, count);

async function notifier(path: string): Promise<string> {
  const url = receiver.urlOf(path);
  const { body } = await world.send<{ id: string }>('POST', '/v2/notifiers', {
    name: path,
    properties: { webhook: { url } },
  });
  return body.id;
}

async function monitor(body: object): Promise<string> {
  const answer = await world.send<{ id: string }>('POST', '/v2/monitors', body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.id;
}

const historyOf = async (id: string) =>
  (await world.send('GET', `/v2/monitors/${id}/history?startTime=2020-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z`))
    .body;

test('a monitor created after the events opens at its first run and notifies', async () => {
  await world.dataset('t1', [{ a: 1 }, { a: 2 }]);
  const id = await monitor({
    name: 'events',
    type: 'Threshold',
    aplQuery: "['t1'] | summarize count()",
    operator: 'AboveOrEqual',
    threshold: 2,
    notifierIds: [await notifier('/t1')],
  });
  const [first] = await arrivedAt('/t1', 1);
  expect(first).toMatchObject({
    body: {
      action: 'Open',
      event: { title: 'events', value: 2, body: 'Current value of 2 is above or equal to the threshold value of 2' },
    },
  });
  expect(await historyOf(id)).toEqual([
    { checkId: `${id}-1`, name: 'events', state: 'open', timestamp: expect.any(String) },
  ]);
  expect((await world.send('GET', `/v2/monitors/${id}/runs`)).body).toMatchObject([
    { id: `${id}-1`, state: 'open', value: 2, notified: 1 },
  ]);
  const inColumns = await world.send<{ fields: string[]; data: Record<string, unknown[][]> }>(
    'GET',
    `/api/internal/monitors/history?monitorIds=${id},mon_none&startTime=now-1h`,
  );
  const { fields, data } = inColumns.body;
  expect(Object.fromEntries(fields.map((field, at) => [field, data[id]?.[at]?.[0]]))).toMatchObject({
    run_id: `${id}-1`,
    alert_state: 'open',
    matching_value: 2,
    notified: true,
    group_values: '',
    'query.startTime': expect.any(String),
  });
  expect(data['mon_none']).toEqual(fields.map(() => []));
  expect((await world.send('GET', '/v2/monitors/_status')).body).toMatchObject([
    { id, state: 'open', openGroups: [{ keys: [], values: [] }] },
  ]);
  const deliveries = async () =>
    (await world.send<{ deliveries: unknown[] }[]>('GET', `/v2/monitors/${id}/runs`)).body[0]?.deliveries;
  await expect
    .poll(deliveries)
    .toEqual([{ notifierId: expect.any(String), action: 'Open', state: 'delivered', tries: expect.any(Number) }]);
  expect((await world.send('GET', '/v2/monitors/_runs?last=1')).body).toEqual([
    expect.objectContaining({
      id,
      runs: [expect.objectContaining({ id: `${id}-1`, state: 'open', value: 2 })],
      changed: expect.objectContaining({ state: 'open' }),
    }),
  ]);
  expect((await world.send('GET', '/v2/annotations?datasets=t1')).body).toMatchObject([
    { type: 'alert', title: 'events' },
  ]);
});

test('notifies once for each matching event, however old', async () => {
  await world.dataset('m1', [{ level: 'error', n: 0 }]);
  await monitor({
    name: 'errors',
    type: 'MatchEvent',
    aplQuery: "['m1'] | where level == 'error'",
    notifierIds: [await notifier('/m1')],
  });
  await world.ingest('m1', [
    { level: 'error', n: 1 },
    { level: 'info', n: 2 },
    { level: 'error', n: 3, _time: '2001-01-01T00:00:00Z' },
  ]);
  const all = await arrivedAt('/m1', 2);
  expect(all.map(({ body }) => (body.event.matchedEvent as { n: number }).n)).toEqual([1, 3]);
  expect(new Set(all.map(({ key }) => key)).size).toBe(2);
});

test('groups that open in one run share a notification and have separate history entries', async () => {
  await world.dataset('g1', [
    { s: 'a', n: 5 },
    { s: 'b', n: 1 },
    { s: 'c', n: 7 },
  ]);
  const id = await monitor({
    name: 'groups',
    type: 'Threshold',
    aplQuery: "['g1'] | summarize n = max(n) by s",
    operator: 'Above',
    threshold: 4,
    notifyByGroup: true,
    notifierIds: [await notifier('/g1')],
  });
  const [notification] = await arrivedAt('/g1', 1);
  expect(notification?.body.event).toMatchObject({
    value: 7,
    groupKeys: ['s'],
    groupValues: ['c'],
    body: 'Current value of 7 is above the threshold value of 4 (s: c)\nCurrent value of 5 is above the threshold value of 4 (s: a)',
  });
  const names = ((await historyOf(id)) as { name: string }[]).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['groups (a)', 'groups (c)']);
});

test.each([
  ['syntax', { aplQuery: 'x |' }, 400, 'line 1'],
  ['an unknown dataset', { aplQuery: "['nowhere'] | count" }, 400, 'nowhere'],
  [
    'an operator over many events',
    { type: 'MatchEvent', aplQuery: "['t1']\n| summarize count()" },
    400,
    "body 'aplQuery', line 2, column 3: 'summarize' is not allowed in match monitors",
  ],
  ['a field that nobody has had', { aplQuery: "['t1'] | summarize max(missing)" }, 200, ''],
])('%s at creation', async (_, more, status, message) => {
  const base = { name: 'm', type: 'Threshold', operator: 'Above', disabled: true };
  const answer = await world.send('POST', '/v2/monitors', { ...base, ...more });
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)]);
});

test('a user without query right on the dataset cannot create a monitor of it', async () => {
  const token = await world.token({
    orgCapabilities: { monitors: ['create'] },
    datasetCapabilities: { t1: { query: ['read'] } },
  });
  const make = (aplQuery: string) =>
    world.send(
      'POST',
      '/v2/monitors',
      { name: 'm', type: 'Threshold', operator: 'Above', disabled: true, aplQuery },
      { token },
    );
  expect((await make("['t1'] | count")).status).toBe(200);
  expect((await make("['g1'] | count")).status).toBe(403);
});

test('a preview sees at each run the events that had arrived by then', async () => {
  const now = Date.now();
  const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
  await world.dataset('p1', [{ n: 50, _time: ago(30) }]);
  const draft = {
    name: 'p',
    type: 'Threshold',
    aplQuery: "['p1'] | summarize max(n)",
    operator: 'Above',
    threshold: 10,
  };
  const preview = (startTime: string, endTime: string, more: object = {}) =>
    world.send<{ runs: { state: string; value?: number }[]; changes: unknown[]; complete: boolean }>(
      'POST',
      '/v2/monitors/_preview',
      { monitor: { ...draft, rangeMinutes: 60, intervalMinutes: 5, ...more }, startTime, endTime },
    );
  // The event has a time half an hour ago, but it arrived only now.
  const past = await preview(ago(20), ago(5));
  expect(past.body).toMatchObject({ complete: true, changes: [] });
  expect(past.body.runs.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
  const present = await preview(new Date().toISOString(), new Date().toISOString());
  expect(present.body).toMatchObject({
    runs: [{ state: 'open', value: 50, min: 50, max: 50 }],
    changes: [{ state: 'open', name: 'p' }],
    notifications: [{ action: 'Open', body: 'Current value of 50 is above the threshold value of 10' }],
  });
  expect((await preview(ago(5), ago(5), { aplQuery: 'x |' })).status).toBe(400);
  expect((await preview(ago(5), ago(6))).status).toBe(400);
  expect((await world.send('GET', '/v2/monitors/preview')).status).toBe(404);
});

test('a preview may treat imported events as if they had arrived at their time, also for match monitors', async () => {
  const time = (minute: number, second = 0) => new Date(Date.UTC(2026, 10, 20, 10, minute, second)).toISOString();
  await world.dataset('p2', [
    { n: 50, host: 'a', _time: time(3, 10) },
    { n: 5, host: 'b', _time: time(3, 20) },
  ]);
  const preview = (monitor: object, more: object = { ignoreArrival: true }) =>
    world.send<{ changes: unknown[] }>('POST', '/v2/monitors/_preview', {
      monitor: { name: 'p', operator: 'Above', threshold: 10, ...monitor },
      startTime: time(0),
      endTime: time(9),
      ...more,
    });
  const max = { type: 'Threshold', aplQuery: "['p2'] | summarize max(n) by host", notifyByGroup: true };
  const group = { name: 'p (a)', keys: ['host'], values: ['a'] };
  expect((await preview(max)).body.changes).toEqual([
    { ...group, time: time(4), state: 'open' },
    { ...group, time: time(5), state: 'closed' },
  ]);
  expect((await preview(max, {})).body.changes).toEqual([]);
  const match = { type: 'MatchEvent', aplQuery: "['p2'] | where n > 1" };
  const opening = { time: time(4), name: 'p', state: 'open', keys: [], values: [] };
  expect((await preview(match)).body.changes).toEqual([opening, opening]);
  expect(await preview(match, {})).toMatchObject({ status: 400, text: expect.stringContaining('ignoreArrival') });
});

test('an anomaly monitor sees that traffic stopped, and needs a series', async () => {
  const now = Date.now();
  const events = Array.from({ length: 60 }, (_, i) => ({ _time: new Date(now - (i / 2 + 3) * 60_000).toISOString() }));
  await world.dataset('stopped', events);
  const preview = (aplQuery: string) =>
    world.send<{ runs: object[] }>('POST', '/v2/monitors/_preview', {
      monitor: { name: 'p', type: 'AnomalyDetection', operator: 'Below', aplQuery, rangeMinutes: 30 },
      startTime: new Date(now + 1000).toISOString(),
      endTime: new Date(now + 1000).toISOString(),
    });
  await expect
    .poll(async () => (await preview("['stopped'] | summarize count() by bin(_time, 1m)")).body.runs)
    .toMatchObject([{ state: 'open', value: 0 }]);
  expect(await preview("['stopped'] | make-series count() default=0 on _time step 1m")).toMatchObject({
    status: 400,
    text: expect.stringContaining('anomalies need a series over time'),
  });
});

test('testing a notifier sends its usual content', async () => {
  const id = await notifier('/tested');
  expect((await world.send('POST', `/v2/notifiers/${id}/test`)).body).toMatchObject({
    outcome: 'delivered',
    request: {
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      body: expect.stringContaining('Test Triggered'),
    },
    answer: { status: 200 },
  });
  expect(receiver.received.filter(({ path }) => path === '/tested')).toHaveLength(1);
  const { body } = await world.send<{ id: string }>('POST', '/v2/notifiers', {
    name: 'e',
    properties: { email: { emails: ['a@b.c'] } },
  });
  expect((await world.send('POST', `/v2/notifiers/${body.id}/test`)).body).toMatchObject({
    outcome: 'failed',
    problem: expect.stringContaining('MILLRACE_SMTP_HOST'),
  });
});

test('receivers of a message acknowledge by its link: looking at it changes nothing, and the use is audited', async () => {
  await world.dataset('a1', [{ n: 1 }]);
  const { body: slack } = await world.send<{ id: string }>('POST', '/v2/notifiers', {
    name: 'chat',
    properties: { slack: { slackUrl: receiver.urlOf('/a1') } },
  });
  const about = { name: '<b>', type: 'Threshold', aplQuery: "['a1'] | count", operator: 'Above', threshold: 0 };
  const id = await monitor({ ...about, notifierIds: [slack.id] });
  const [message] = await arrivedAt('/a1', 1);
  const path = /https:\/\/logs\.example\.com(\/console\/respond\/[\w.-]+)/.exec(JSON.stringify(message))![1]!;
  const openGroups = async () =>
    (await world.send<readonly { id: string; openGroups: object[] }[]>('GET', '/v2/monitors/_status')).body.find(
      (one) => one.id === id,
    )?.openGroups;
  const shown = await world.send('GET', path, undefined, { token: '' });
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('&lt;b&gt;')]);
  expect((await openGroups())?.[0]).not.toHaveProperty('acknowledged');
  const use = (body: string, at = path) =>
    world.send('POST', at, body, { token: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  expect((await use('action=delete')).status).toBe(400);
  expect((await use('action=acknowledge', `${path.slice(0, -1)}-`)).status).toBe(404);
  expect((await use('action=acknowledge&name=Ann')).text).toContain('Acknowledged. It is not sent again');
  const acknowledged = { at: expect.any(String), by: '', through: slack.id, name: 'Ann' };
  expect(await openGroups()).toMatchObject([{ acknowledged }]);
  const incident = (await openGroups()) as readonly { incident: string }[];
  expect((await world.send('GET', `/v2/monitors/${id}/incidents/${incident[0]!.incident}`)).body).toMatchObject({
    acknowledged,
  });
  // The audit follows the answer.
  const audit = async () => {
    const changed = `where operation == 'useMessageLink' and outcome == 'changed' and subject startswith '${id}'`;
    return (await world.apl(`['millrace-audit'] | ${changed} | project subject, path`)).tables[0]?.columns;
  };
  await expect.poll(audit).toEqual([[`${id}, acknowledge, Ann`], ['/console/respond/{token}']]);
});

test('a query that matched too much is refused, unless the monitor is off', async () => {
  await world.dataset(
    'm2',
    Array.from({ length: 501 }, (_, n) => ({ n })),
  );
  const make = (more: object) =>
    world.send('POST', '/v2/monitors', { name: 'm', type: 'MatchEvent', aplQuery: "['m2'] // all of them", ...more });
  expect(await make({})).toMatchObject({
    status: 400,
    text: expect.stringContaining('matched 501 events in the last day'),
  });
  expect((await make({ disabled: true })).status).toBe(200);
});

test('a monitor has a separate memory limit, lower than an interactive query', async () => {
  await world.dataset('t-memory', [{ a: 1 }]);
  // A string of a hundred bytes in each of a million groups.
  const apl = `['t-memory'] | mv-expand k = range(1, 1000, 1) | mv-expand j = range(1, 1000, 1) | summarize x = take_any(strcat(k, '${'x'.repeat(100)}', j)) by k, j`;
  expect((await world.apl(`${apl} | count`)).tables[0]?.columns).toEqual([[1_000_000]]);
  const aplQuery = `${apl} | summarize count()`;
  const id = await monitor({ name: 'memory', type: 'Threshold', aplQuery, operator: 'Above', threshold: 1 });
  const status = async () =>
    (await world.send<readonly { id: string; error?: string }[]>('GET', '/v2/monitors/_status')).body.find(
      (one) => one.id === id,
    )?.error;
  await expect.poll(status, { timeout: 60_000 }).toContain('exceeded its memory limit of 67108864 bytes');
}, 120_000);

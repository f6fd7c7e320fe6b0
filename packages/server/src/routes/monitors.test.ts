import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer({ settings: { maxMonitors: 3 } });
});
afterEach(() => world.close());

const url = '/v2/monitors';
const threshold = { name: 'm', type: 'Threshold', aplQuery: 'logs | count', operator: 'Above' };
const anomaly = { type: 'AnomalyDetection', aplQuery: 'logs | summarize count() by bin_auto(_time)' };
const create = async (body: object) => (await world.send('POST', url, body)).body as Record<string, unknown>;
const problem = async (body: object) => {
  const { status, body: answer } = await world.send('POST', url, body);
  return `${status} ${(answer as { message: string }).message}`;
};

describe('monitors', () => {
  test('create = get = list element; everything with a default is there', async () => {
    const made = await create({ ...threshold, unknown: 1, createdAt: '0001-01-01T00:00:00Z', createdBy: '' });
    expect(made).toEqual({
      id: expect.stringMatching(/^mon_/),
      ...threshold,
      threshold: 0,
      intervalMinutes: 1,
      rangeMinutes: 1,
      secondDelay: 0,
      alertOnNoData: false,
      notifyByGroup: false,
      notifyEveryRun: false,
      skipResolved: false,
      resolvable: false,
      triggerFromNRuns: 0,
      triggerAfterNPositiveResults: 0,
      tolerance: 0,
      compareDays: 0,
      disabled: false,
      notifierIds: [],
      createdAt: '2026-11-20T10:00:00.000Z',
      createdBy: expect.any(String),
      updatedAt: '2026-11-20T10:00:00.000Z',
    });
    expect((await world.send('GET', `${url}/${String(made['id'])}`)).body).toEqual(made);
    expect((await world.send('GET', url)).body).toEqual([made]);
  });

  test.each([
    [
      'names in any case',
      { IntervalMinutes: 5, RangeMinutes: 7, NOTIFYEVERYRUN: true },
      { intervalMinutes: 5, rangeMinutes: 7, notifyEveryRun: true },
    ],
    [
      'null and the zero values of Go',
      { disabledUntil: '0001-01-01T00:00:00Z', notifierIds: null, columnName: '', intervalMinutes: 0 },
      { notifierIds: [], intervalMinutes: 1 },
    ],
    ['an empty time', { disabledUntil: '' }, { disabled: false }],
    [
      'a time to the nanosecond',
      { disabledUntil: '2027-01-01T00:00:00.123456789+01:00' },
      { disabledUntil: '2027-01-01T00:00:00.123456789+01:00', disabled: false },
    ],
    ['every byte of the query', { aplQuery: "\n\t['a'] \n| count\n" }, { aplQuery: "\n\t['a'] \n| count\n" }],
    [
      'an interval of matching events',
      { type: 'MatchEvent', operator: '', intervalMinutes: 9, rangeMinutes: 8 },
      { intervalMinutes: 9, rangeMinutes: 8 },
    ],
    [
      'an anomaly',
      { ...anomaly, operator: 'AboveOrBelow', tolerance: 5, compareDays: 7 },
      { tolerance: 5, compareDays: 7 },
    ],
    [
      'a recovery and how long it keeps firing',
      { threshold: 5, recoveryThreshold: 3, keepFiringMinutes: 10, groupMemoryMinutes: 60 },
      { recoveryThreshold: 3, keepFiringMinutes: 10, groupMemoryMinutes: 60 },
    ],
    [
      'two of three runs',
      { triggerFromNRuns: 3, triggerAfterNPositiveResults: 2 },
      { triggerFromNRuns: 3, triggerAfterNPositiveResults: 2 },
    ],
  ])('kept: %s', async (_, more, expected) => {
    const made = await create({ ...threshold, ...more });
    expect(made).toMatchObject(expected);
    expect(made).not.toHaveProperty('columnName');
  });

  test('MPL is returned in `aplQuery` as on the service, in `mplQuery` on request, and stays when sent back', async () => {
    const mpl = '`a`:`b` | align to 5s using avg';
    const inOwn = { aplQuery: '', mplQuery: mpl };
    const included = (path: string) => `${path}?include=mplQuery`;
    const made = await create({ ...threshold, ...inOwn });
    expect(made).toMatchObject({ aplQuery: mpl });
    expect(made).not.toHaveProperty('mplQuery');
    const path = `${url}/${String(made['id'])}`;
    expect((await world.send('GET', path)).body).toEqual(made);
    expect((await world.send('GET', url)).body).toEqual([made]);
    expect((await world.send('GET', included(path))).body).toEqual({ ...made, ...inOwn });
    expect((await world.send('GET', included(url))).body).toEqual([{ ...made, ...inOwn }]);
    expect((await world.send('POST', included(url), { ...threshold, ...inOwn })).body).toMatchObject(inOwn);

    for (const changed of [made, { ...made, ...inOwn }, { ...made, aplQuery: `${mpl} | group by host using max` }]) {
      const { status, body } = await world.send('PUT', included(path), { ...changed, threshold: 2 });
      expect([status, body]).toMatchObject([200, { aplQuery: '', mplQuery: changed.aplQuery || mpl, threshold: 2 }]);
    }
    const apl = await world.send('PUT', included(path), threshold);
    expect(apl.body).toMatchObject({ aplQuery: threshold.aplQuery });
    expect(apl.body).not.toHaveProperty('mplQuery');
  });

  test('where a member comes in two cases, the exact one counts', async () => {
    const { body } = await world.send('POST', '/v2/notifiers', {
      name: 'n',
      properties: { webhook: { url: 'https://example.com' } },
    });
    const { id } = body as { id: string };
    expect(await create({ ...threshold, notifierIds: [id], notifierIDs: [] })).toMatchObject({ notifierIds: [id] });
    expect(await create({ ...threshold, notifierIDs: [id] })).toMatchObject({ notifierIds: [id] });
  });

  test.each([
    ['no query', { aplQuery: '' }, "one of body 'aplQuery' and 'mplQuery' is required"],
    ['two queries', { mplQuery: 'x' }, "only one of body 'aplQuery' and 'mplQuery' may be there"],
    ['a wrong query', { aplQuery: 'nonsense' }, 'line 1, column 1: unknown operator'],
    ['no operator', { operator: '' }, "body 'operator' is required for a monitor of type Threshold"],
    ['an operator of anomalies', { operator: 'AboveOrBelow' }, 'is for monitors of type AnomalyDetection'],
    ['an unknown operator', { operator: 'Equal' }, "body 'operator' must be one of Below, BelowOrEqual"],
    ['an unknown type', { type: 'FieldAnomalyDetection' }, "body 'type' must be one of Threshold"],
    ['more positives than runs', { triggerFromNRuns: 2, triggerAfterNPositiveResults: 3 }, 'which no 2 runs can reach'],
    ['an unknown notifier', { notifierIds: ['nobody'] }, "body 'notifierIds' names 'nobody', which is no notifier"],
    ['a delay that is too long', { secondDelay: 86_401 }, "body 'secondDelay' must be at most 86400"],
    ['no name', { name: '' }, "body 'name' must not be empty"],
    [
      'a recovery beyond the threshold',
      { recoveryThreshold: 101 },
      "body 'recoveryThreshold' must be at most the threshold",
    ],
    ['an unknown monitor', { inhibitedBy: ['mon_x'] }, "body 'inhibitedBy' names 'mon_x', which is no monitor"],
    ['a label without a name', { labels: { '': 'x' } }, "body 'labels'"],
  ])('mistake: %s', async (_, more, message) => {
    expect(await problem({ ...threshold, ...more })).toContain(message);
    expect(await problem({ ...threshold, ...more })).toMatch(/^400/);
  });

  test('a monitor is removed from its dependents when it is deleted', async () => {
    const { id } = await create(threshold);
    const other = await create({ ...threshold, inhibitedBy: [id], notifyOnlyWhile: [id] });
    expect(other).toMatchObject({ inhibitedBy: [id], notifyOnlyWhile: [id] });
    await world.send('DELETE', `${url}/${String(id)}`);
    const { body } = await world.send('GET', `${url}/${String(other['id'])}`);
    expect(body).not.toHaveProperty('inhibitedBy');
    expect(body).not.toHaveProperty('notifyOnlyWhile');
  });

  test('a monitor that is not open has nothing to acknowledge', async () => {
    const { id } = await create(threshold);
    expect((await world.send('POST', `${url}/${String(id)}/acknowledge`, {})).body).toEqual({ groups: [] });
    expect((await world.send('POST', `${url}/mon_none/acknowledge`, {})).status).toBe(404);
  });

  test('labels read back as they were sent', async () =>
    expect(await create({ ...threshold, labels: { team: 'payments' } })).toMatchObject({
      labels: { team: 'payments' },
    }));

  test('there is room for so many', async () => {
    for (const name of ['a', 'b', 'c']) await create({ ...threshold, name });
    expect(await problem(threshold)).toContain(
      '403 forbidden: there are 3 monitors already; delete some, or raise the setting MILLRACE_MAX_MONITORS',
    );
  });

  test('an update replaces everything but id and creation; a deleted one is not found', async () => {
    const { id, createdAt, createdBy } = await create({ ...threshold, description: 'd', notifyEveryRun: true });
    world.advance(1000);
    const { body } = await world.send('PUT', `${url}/${String(id)}`, { ...threshold, type: 'MatchEvent' });
    expect(body).toMatchObject({
      id,
      createdAt,
      createdBy,
      updatedAt: '2026-11-20T10:00:01.000Z',
      notifyEveryRun: false,
    });
    expect(body).not.toHaveProperty('description');
    expect((await world.send('DELETE', `${url}/${String(id)}`)).status).toBe(204);
    expect(await world.send('GET', `${url}/${String(id)}`)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('not found') },
    });
  });

  test('the history is within two times, which are required', async () => {
    const { id } = await create(threshold);
    const range = 'startTime=2026-11-20T00:00:00Z&endTime=2026-11-21T00:00:00Z';
    expect(await world.send('GET', `${url}/${String(id)}/history?${range}`)).toMatchObject({ status: 200, body: [] });
    expect((await world.send('GET', `${url}/${String(id)}/history`)).status).toBe(400);
    expect((await world.send('GET', `${url}/nowhere/history?${range}`)).status).toBe(404);
  });
});

describe('notifiers', () => {
  const notifiers = '/v2/notifiers';

  test.each([
    ['pagerduty', { routingKey: 'R0' }, { routingKey: '' }],
    ['opsgenie', { apiKey: 'k' }, { apiKey: '' }],
    ['discord', { discordChannel: '1', discordToken: 't' }, { discordChannel: '1', discordToken: '' }],
    ['telegram', { botToken: '1:x', chatId: '2' }, { botToken: '', chatId: '2' }],
    ['ntfy', { ntfyUrl: 'https://ntfy.sh/', topic: 'o', accessToken: 'x' }, { ntfyUrl: 'https://ntfy.sh', topic: 'o', accessToken: '' }], // prettier-ignore
    ['slack', { slackUrl: 'https://hooks.example.com/T0/x' }, { slackUrl: 'https://hooks.example.com' }],
    ['webhook', { url: 'https://example.com/secret?key=1' }, { url: 'https://example.com' }],
    [
      'customWebhook',
      { url: 'https://example.com/x', headers: { Key: 'k' } },
      { url: 'https://example.com', headers: { Key: '' } },
    ],
  ])('%s: writers see the address, others no secret', async (channel, sent, hidden) => {
    const { id } = (await make({ [channel]: sent })).body as { id: string };
    const writer = await world.token({ orgCapabilities: { notifiers: ['read', 'update'] } });
    const reader = await world.token({ orgCapabilities: { notifiers: ['read'] } });
    const get = (token: string) => world.send('GET', `${notifiers}/${id}`, undefined, token);
    expect((await get(writer)).body).toMatchObject({ properties: { [channel]: sent } });
    expect((await get(reader)).body).toMatchObject({ properties: { [channel]: hidden } });
    expect((await world.send('GET', notifiers, undefined, reader)).body).toEqual([(await get(reader)).body]);
  });

  test.each(['Host', 'transfer-encoding', 'Content-Length', 'Connection', 'Keep-Alive', 'TE', 'Upgrade'])(
    'a webhook cannot set %s',
    async (name) => {
      for (const member of ['headers', 'secretHeaders'])
        expect(await make({ customWebhook: { url: 'https://example.com', [member]: { [name]: 'x' } } })).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining(`has '${name}', which the server sets`) as string },
        });
    },
  );
  const make = async (properties: object) => world.send('POST', notifiers, { name: 'n', properties });

  test.each([
    ['webhook', { webhook: { url: 'http://example.com/a?b' } }],
    ['email', { email: { emails: ['a@example.com'] } }],
    ['slack', { slack: { slackUrl: 'https://hooks.slack.com/services/x' } }],
    ['discord', { discord: { discordChannel: '123', discordToken: 'Bot x' } }],
    ['discord webhook', { discordWebhook: { discordWebhookUrl: 'https://discord.com/api/webhooks/1/x' } }],
    ['opsgenie', { opsgenie: { apiKey: 'k', isEU: true } }],
    ['teams', { microsoftTeams: { microsoftTeamsUrl: 'https://x.example/workflows/1' } }],
    ['telegram', { telegram: { botToken: '1:x', chatId: '@ops', topicId: 3 } }],
    ['ntfy', { ntfy: { ntfyUrl: 'https://ntfy.sh', topic: 'ops' } }],
    ['matrix', { matrix: { homeserverUrl: 'https://m.example', roomId: '!r:m.example', accessToken: 'x' } }],
    ['sns', { awsSns: { topicArn: 'arn:aws:sns:eu-central-1:123456789012:ops', accessKeyId: 'A'.repeat(16), secretAccessKey: 'x' } }], // prettier-ignore
    [
      'custom webhook',
      { customWebhook: { url: 'https://example.com', body: '{\n\t"a": 1\n}', headers: { Authorization: 'Bearer x' } } },
    ],
  ])('reads back as it was sent: %s', async (_, properties) => {
    const made = await make(properties);
    expect(made).toMatchObject({ status: 200, body: { name: 'n', properties } });
    const { id } = made.body as { id: string };
    expect((await world.send('GET', `${notifiers}/${id}`)).body).toEqual(made.body);
    expect((await world.send('GET', notifiers)).body).toEqual([made.body]);
  });

  test('names of a custom webhook are read in upper case too', async () =>
    expect(
      (await make({ customWebhook: { URL: 'https://example.com', Headers: { A: 'b' }, Body: '' } })).body,
    ).toMatchObject({
      properties: { customWebhook: { url: 'https://example.com', headers: { A: 'b' }, body: '' } },
    }));

  test('secrets are shown as empty, stay when they come back empty, and do not follow to another host', async () => {
    const { body } = await make({
      customWebhook: { url: 'https://a.example/1', body: '', secretHeaders: { Key: 'secret' } },
    });
    const { id } = body as { id: string };
    expect(JSON.stringify(body)).not.toContain('secret"');
    const write = (url: string, secretHeaders: object) =>
      world.send('PUT', `${notifiers}/${id}`, {
        name: 'n',
        properties: { customWebhook: { url, body: '', secretHeaders } },
      });
    expect((await write('https://a.example/2', { Key: '' })).status).toBe(200);
    expect((await world.metadata.notifiers.get(id)).properties.customWebhook?.secretHeaders).toEqual({ Key: 'secret' });
    expect(await write('https://b.example/2', { Key: '' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("'url' has another host") },
    });
    expect((await write('https://b.example/2', { Key: 'new' })).status).toBe(200);
    expect(world.logLines.join('')).not.toContain('secret"');
  });

  test('a key of PagerDuty stays when it comes back empty', async () => {
    const { body } = await make({ pagerduty: { routingKey: 'R0', token: 'x' } });
    expect(body).toMatchObject({ properties: { pagerduty: { routingKey: 'R0', token: 'x' } } });
    const { id } = body as { id: string };
    await world.send('PUT', `${notifiers}/${id}`, { name: 'n', properties: { pagerduty: { routingKey: '' } } });
    expect((await world.metadata.notifiers.get(id)).properties.pagerduty?.routingKey).toBe('R0');
    expect((await make({ pagerduty: { routingKey: '' } })).status).toBe(400);
  });

  test.each([
    ['no channel', {}, "body 'properties' must have exactly one of email,"],
    [
      'two channels',
      { webhook: { url: 'https://a.example' }, slack: { slackUrl: 'https://b.example' } },
      'not slack and webhook',
    ],
    [
      'no address',
      { webhook: { url: 'example.com' } },
      "body 'properties.webhook.url' must be an address that begins with https://",
    ],
    [
      'an address that cannot be called',
      { webhook: { url: 'http://169.254.169.254/latest' } },
      "'properties.webhook.url' cannot be called: address 169.254.169.254 is blocked",
    ],
    [
      'a template',
      { customWebhook: { url: 'https://a.example', body: 'x\n{{.AlertName}}' } },
      "body 'properties.customWebhook.body', line 2, column 3: there is no variable .AlertName",
    ],
    [
      'a header',
      { customWebhook: { url: 'https://a.example', body: '', headers: { A: 'x\ny' } } },
      "'properties.customWebhook.headers.A' has characters",
    ],
    ['no e-mail address', { email: { emails: ['nobody'] } }, 'must be an e-mail address'],
  ])('mistake: %s', async (_, properties, message) =>
    expect(await make(properties)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } }),
  );

  test('a preview shows what would be sent, and no secret', async () => {
    const preview = (body: object) => world.send('POST', '/v2/notifiers/_preview', body);
    const custom = { url: 'https://example.com/secret', body: '{"text": "{{.Body}}", "is": "{{.Action}}"}' };
    const shown = await preview({ notifier: { name: 'n', properties: { customWebhook: custom } } });
    const body = shown.body as { event: string; body: string }[];
    expect(body.map(({ event }) => event)).toEqual(['Open', 'Closed', 'Match']);
    expect(body[0]).toEqual({
      event: 'Open',
      url: 'https://example.com',
      body: '{"text": "Current value of 42 is above the threshold value of 41", "is": "Open"}',
    });
    // The event contains quotes, so its values are escaped.
    expect(JSON.parse(body[2]!.body)).toMatchObject({ text: expect.stringContaining('it said') });
    const wrong = await preview({
      notifier: { name: 'n', properties: { customWebhook: { ...custom, body: '{{.Nothing}}' } } },
    });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('line 1, column 3')]);
    const { id } = (await make({ pagerduty: { routingKey: 'R0' } })).body as { id: string };
    const masked = { notifier: { name: 'p', properties: { pagerduty: { routingKey: '' } } } };
    expect((await preview(masked)).status).toBe(400);
    expect((await preview({ ...masked, id })).text).not.toContain('R0');
    expect((await preview({ ...masked, id: 'nobody' })).status).toBe(404);
  });

  test('a deleted one is gone from the monitors that named it', async () => {
    const { id } = (await make({ webhook: { url: 'https://example.com' } })).body as { id: string };
    const monitor = await create({ ...threshold, notifierIds: [id] });
    expect(monitor).toMatchObject({ notifierIds: [id] });
    expect((await world.send('DELETE', `${notifiers}/${id}`)).status).toBe(204);
    expect((await world.send('GET', `${url}/${String(monitor['id'])}`)).body).toMatchObject({ notifierIds: [] });
  });
});

import { describe, expect, it } from 'vitest';
import { send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/** What clients rely on besides data: datasets in both versions, tokens, annotations, errors, headers, limits. */

const one = oneServer();

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  request(one.server, path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
const statusOf = async (method: string, path: string, body?: unknown) => (await call(method, path, body)).status;
const keys = (value: unknown): readonly string[] => Object.keys(value as object).toSorted();

/** The members of a dataset, of which strict clients accept no others. */
const datasetKeys = [
  'canWrite',
  'created',
  'description',
  'edgeDeployment',
  'edgeDeploymentUrl',
  'id',
  'kind',
  'mapFields',
  'name',
  'retentionDays',
  'sharedByOrg',
  'updatedAt',
  'useRetentionPeriod',
  'who',
];

describe('datasets', () => {
  it('version 2: create, update, get and list agree to the byte; delete has no body', async () => {
    const body = { name: 'v2', description: 'd', useRetentionPeriod: false, retentionDays: 0 };
    const created = await call('POST', '/v2/datasets?referrer=test', body);
    expect(created).toMatchObject({ status: 200, body: { id: 'v2', name: 'v2', kind: 'axiom:events:v1' } });
    expect(keys(created.body).filter((key) => !datasetKeys.includes(key))).toEqual([]);
    const updated = await call('PUT', '/v2/datasets/v2', { ...body, description: 'e' });
    expect(updated).toMatchObject({ status: 200, body: { description: 'e' } });
    expect((await call('GET', '/v2/datasets/v2')).body).toEqual(updated.body);
    expect((await call('GET', '/v2/datasets')).body).toContainEqual(updated.body);
    expect(await call('POST', '/v2/datasets/v2/trim', { maxDuration: '1s' })).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect(await call('DELETE', '/v2/datasets/v2')).toMatchObject({ status: 204, body: undefined });
    expect(await statusOf('GET', '/v2/datasets/v2')).toBe(404);
  });

  it('version 1: the five members, the edge deployment under both names, trim with a count', async () => {
    const created = await call('POST', '/v1/datasets', { name: 'v1', description: 'd', edgeDeployment: 'local' });
    expect(created).toMatchObject({ status: 200, body: { id: 'v1', name: 'v1', description: 'd' } });
    expect(keys(created.body)).toEqual(['created', 'description', 'edgeDeployment', 'id', 'name', 'region', 'who']);
    expect((await call('GET', '/v1/datasets/v1')).body).toMatchObject({ region: 'local', edgeDeployment: 'local' });
    expect((await call('GET', '/v1/datasets')).body).toContainEqual(created.body);
    expect(await call('PUT', '/v1/datasets/v1', { description: 'e' })).toMatchObject({ body: { description: 'e' } });
    await send(one.server, 'v1', '{"_time":1,"a":1}');
    expect(await call('POST', '/v1/datasets/v1/trim', { maxDuration: '1s' })).toMatchObject({
      status: 200,
      body: { numDeleted: 1 },
    });
    expect(await statusOf('DELETE', '/v1/datasets/v1')).toBe(204);
    expect(await statusOf('GET', '/v1/datasets/v1')).toBe(404);
  });

  it.each([
    ['a name that is taken', 'POST', '/v2/datasets', { name: 'taken' }, 409],
    ['names of routes', 'POST', '/v2/datasets', { name: '_apl' }, 400],
    ['a name with a slash', 'POST', '/v2/datasets', { name: 'a/b' }, 400],
    ['a duration that is none', 'POST', '/v2/datasets/taken/trim', { maxDuration: 'soon' }, 400],
  ])('%s is refused', async (_, method, path, body, expected) => {
    await call('POST', '/v2/datasets', { name: 'taken' });
    expect(await call(method, path, body)).toMatchObject({ status: expected, body: { code: expected } });
  });

  it('fields with what a user said about them', async () => {
    const dataset = await one.dataset();
    await send(one.server, dataset, '{"took":1.5}');
    await call('PUT', `/v2/datasets/${dataset}/fields/took`, { unit: 'ms', description: 'how long', hidden: true });
    const took = { name: 'took', type: 'float', unit: 'ms', description: 'how long', hidden: true };
    expect((await call('GET', `/v2/datasets/${dataset}/fields`)).body).toContainEqual(took);
    const { body } = await call('POST', '/v1/datasets/_apl?format=tabular', { apl: `['${dataset}']` });
    expect((body as { fieldsMetaMap: Record<string, unknown> }).fieldsMetaMap[dataset]).toContainEqual(took);
  });
});

describe('map fields', () => {
  it('are declared one by one or all together; what cannot be is refused', async () => {
    const path = `/v2/datasets/${await one.dataset()}/mapfields`;
    expect(await call('POST', path, { name: 'foo' })).toMatchObject({ status: 200, body: { name: 'foo' } });
    expect(await statusOf('POST', path, { name: 'foo' })).toBeGreaterThanOrEqual(400);
    expect(await statusOf('POST', path, { name: '__invalid__' })).toBe(400);
    expect((await call('PUT', path, [])).body).toEqual([]);
    expect((await call('PUT', path, ['bar', 'baz', 'with.dot'])).body).toEqual(['bar', 'baz', 'with.dot']);
    expect(await statusOf('PUT', path, ['dupe', 'dupe'])).toBe(400);
    expect(await statusOf('PUT', path, ['__invalid__'])).toBe(400);
    expect(await statusOf('DELETE', `${path}/bar`)).toBe(204);
    expect(await statusOf('DELETE', `${path}/bar`)).toBe(404);
    expect((await call('GET', path)).body).toEqual(['baz', 'with.dot']);
  });
});

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

  it('an exchange leaves the old one for as long as told', async () => {
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
    const listed = async (query: string) =>
      ((await call('GET', `/v2/annotations?${query}`)).body as { id: string }[]).map((each) => each.id);
    const zero = 'start=0001-01-01T00%3A00%3A00Z';
    for (const query of ['', 'datasets=a1', 'datasets=a1,a2', 'datasets=a2&datasets=a1', `datasets=a1&${zero}&${zero}`])
      expect(await listed(query), query).toEqual([id]);
    expect(await call('PUT', `/v2/annotations/${id}`, { datasets: ['a2'] })).toMatchObject({
      status: 200,
      body: { type: 'deploy' },
    });
    expect(await listed('datasets=a1')).toEqual([]);
    expect(await statusOf('DELETE', `/v2/annotations/${id}`)).toBe(204);
  });
});

describe('monitors and notifiers as axiom-go sends them', () => {
  /** What Go sends for what is not set. */
  const zero = { createdAt: '0001-01-01T00:00:00Z', createdBy: '', updatedAt: '0001-01-01T00:00:00Z' };
  const unset = { ...zero, disabledUntil: '0001-01-01T00:00:00Z', id: '' };
  const same = async (kind: string, id: string, body: unknown) => {
    expect((await call('GET', `/v2/${kind}/${id}`)).body).toEqual(body);
    expect((await call('GET', `/v2/${kind}`)).body).toContainEqual(body);
  };
  const idOf = ({ body }: { readonly body: unknown }): string => (body as { id: string }).id;

  it('a custom webhook with capital names reads back identical, secrets of headers included', async () => {
    const custom = {
      URL: 'http://example.com',
      Headers: { Authorization: 'Bearer x' },
      Body: '{\n\t"a": "{{.Action}}"\n}',
    };
    const made = await call('POST', '/v2/notifiers', { ...unset, name: 'n', properties: { customWebhook: custom } });
    expect(made).toMatchObject({
      status: 200,
      body: { properties: { customWebhook: { url: custom.URL, headers: custom.Headers, body: custom.Body } } },
    });
    await same('notifiers', idOf(made), made.body);
    expect(await statusOf('DELETE', `/v2/notifiers/${idOf(made)}`)).toBe(204);
  });

  it('update = get = list element; a delay of ten seconds, two of three runs and a snooze', async () => {
    const dataset = await one.dataset();
    const monitor = {
      ...unset,
      name: 'Test Monitor',
      type: 'Threshold',
      aplQuery: `['${dataset}'] | summarize count()`,
      mplQuery: '',
      operator: 'BelowOrEqual',
      threshold: 1,
      intervalMinutes: 1,
      rangeMinutes: 5,
      secondDelay: 10,
      notifyEveryRun: true,
      triggerFromNRuns: 3,
      triggerAfterNPositiveResults: 2,
      notifierIDs: null,
      resolvable: false,
    };
    const made = await call('POST', '/v2/monitors', monitor);
    expect(made).toMatchObject({ status: 200, body: { secondDelay: 10, triggerFromNRuns: 3, triggerAfterNPositiveResults: 2 } }); // prettier-ignore
    const disabledUntil = new Date(Date.now() + 600_000).toISOString().replace('Z', '123456Z');
    const updated = await call('PUT', `/v2/monitors/${idOf(made)}`, { ...monitor, disabledUntil });
    expect(updated.body).toMatchObject({ disabledUntil, disabled: false });
    await same('monitors', idOf(made), updated.body);
    expect(await call('DELETE', `/v2/monitors/${idOf(made)}`)).toMatchObject({ status: 204, body: undefined });
  });

  it.each([
    ['matching events', { type: 'MatchEvent', operator: '', intervalMinutes: 0, rangeMinutes: 0 }],
    ['an anomaly', { type: 'AnomalyDetection', operator: 'Below', tolerance: 5, compareDays: 7 }],
  ])('%s', async (_, more) => {
    const query = more.type === 'MatchEvent' ? '' : ' | summarize count() by bin_auto(_time)';
    const body = { ...unset, name: 'm', aplQuery: `['${await one.dataset()}']${query}`, ...more };
    const made = await call('POST', '/v2/monitors', body);
    expect(made.status).toBe(200);
    const off = await call('PUT', `/v2/monitors/${idOf(made)}`, { ...body, disabled: true });
    expect(off.body).toMatchObject({ disabled: true, type: more.type });
    await same('monitors', idOf(made), off.body);
  });

  it('every field reads back as it was sent', async () => {
    const notifier = await call('POST', '/v2/notifiers', { name: 'n', properties: { email: { emails: ['a@b.c'] } } });
    const sent = {
      name: 'every field',
      type: 'AnomalyDetection',
      description: 'd',
      aplQuery: `['${await one.dataset()}'] | summarize n = count() by bin(_time, 1m), s`,
      operator: 'AboveOrBelow',
      threshold: 1.5,
      columnName: 'n',
      intervalMinutes: 3,
      rangeMinutes: 90,
      secondDelay: 30,
      alertOnNoData: true,
      notifyByGroup: true,
      notifyEveryRun: true,
      skipResolved: true,
      resolvable: true,
      triggerFromNRuns: 5,
      triggerAfterNPositiveResults: 2,
      tolerance: 2.5,
      compareDays: 7,
      disabled: true,
      disabledUntil: '2999-01-01T00:00:00.123456789Z',
      notifierIds: [idOf(notifier)],
    };
    const made = await call('POST', '/v2/monitors', sent);
    expect(made).toMatchObject({ status: 200, body: sent });
    await same('monitors', idOf(made), made.body);
  });

  it('MPL over a dataset of events is kept, and reads back as aplQuery', async () => {
    const mplQuery = `\`${await one.dataset()}\`:\`my-metric\` | align to 5s using avg`;
    const body = { ...unset, name: 'm', type: 'Threshold', operator: 'Above', aplQuery: '', mplQuery };
    const made = await call('POST', '/v2/monitors', body);
    expect(made).toMatchObject({ status: 200, body: { aplQuery: mplQuery } });
    expect(made.body).not.toHaveProperty('mplQuery');
    // What was read is sent back to mute it: the text is still MPL, and another one is APL.
    const { id, updatedAt: _, ...read } = made.body as { readonly id: string; readonly updatedAt: string };
    const muted = { ...read, disabledUntil: '2999-01-01T00:00:00Z' };
    expect(await call('PUT', `/v2/monitors/${id}`, muted)).toMatchObject({ status: 200, body: muted });
    expect(await statusOf('PUT', `/v2/monitors/${id}`, { ...muted, aplQuery: `${mplQuery} ` })).toBe(400);
  });
});

describe('dashboards as axiom-go sends them', () => {
  const uid = 'dash-1700000000000000000';
  const get = () => call('GET', `/v2/dashboards/uid/${uid}`);

  it('a private one of the caller with every kind of chart, written twice, listed and deleted', async () => {
    const dataset = await one.dataset();
    const { id: owner } = (await call('GET', '/v2/user')).body as { id: string };
    const query = { apl: `['${dataset}'] | summarize count()` };
    const asking = ['TimeSeries', 'Heatmap', 'LogStream', 'Pie', 'Scatter', 'Table', 'TopK', 'Statistic', 'SectionHeader']; // prettier-ignore
    const charts = [
      ...asking.map((type) => ({ id: type.toLowerCase(), datasetId: dataset, type, name: type, query })),
      { id: 'note', type: 'Note', text: 'hello' },
      { id: 'monitors', type: 'MonitorList', name: 'M', selectedMonitors: ['gone'], columns: { status: true } },
      { id: 'filter', type: 'SmartFilter', name: 'F', filters: [{ type: 'search', id: 'sf-search' }] },
      { id: 'spacer', type: 'Spacer', name: 'S' },
      { id: 'placeholder', type: 'Placeholder' },
    ];
    const layout = charts.map(({ id }, i) => ({ i: id, x: (i % 3) * 4, y: Math.floor(i / 3) * 4, w: 4, h: 4 }));
    const window = { refreshTime: 60, schemaVersion: 2, timeWindowStart: 'qr-now-1h', timeWindowEnd: 'qr-now' };
    const dashboard = { name: 'all', owner, description: 'd', charts, layout, ...window };
    const made = await call('POST', '/v2/dashboards', { uid, dashboard, overwrite: true, message: 'create' });
    expect(made).toMatchObject({ status: 201, body: { status: 'created', dashboard: { uid } } });
    expect((await get()).body).toMatchObject({ dashboard });
    const renamed = { dashboard: { ...dashboard, name: 'updated' }, overwrite: true, message: 'update' };
    const updated = await call('PUT', `/v2/dashboards/uid/${uid}`, renamed);
    expect(updated).toMatchObject({ status: 200, body: { dashboard: { uid } } });
    expect((await call('GET', '/v2/dashboards')).body).toContainEqual((await get()).body);
    expect(await statusOf('DELETE', `/v2/dashboards/uid/${uid}`)).toBe(204);
    expect([(await get()).status, await statusOf('DELETE', `/v2/dashboards/uid/${uid}`)]).toEqual([404, 404]);
  });
});

describe('the caller', () => {
  it('user, users and organisations', async () => {
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
  ])('%s: 404 in JSON that says "not found", with a trace id', async (_, method, path) => {
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

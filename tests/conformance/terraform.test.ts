import { describe, expect, it } from 'vitest';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/**
 * Requests of Axiom's Terraform provider. It compares every response with its request, and fails an
 * apply that differs from its plan.
 */

const one = oneServer();

type Json = Record<string, unknown>;

const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const { status, body: answer } = await request(one.server, path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([200, 204], JSON.stringify(answer)).toContain(status);
  return answer as Json;
};

describe('a dataset', () => {
  it('comes back as it was made and changed', async () => {
    const wanted = {
      name: 'terraform-dataset',
      kind: 'otel:metrics:v1',
      description: 'made by Terraform',
      edgeDeployment: 'cloud.eu-central-1.aws',
      useRetentionPeriod: true,
      retentionDays: 7,
    };
    expect(await call('POST', '/v2/datasets', wanted)).toMatchObject({ id: wanted.name, ...wanted });
    const change = { description: 'changed', useRetentionPeriod: false, retentionDays: 0 };
    expect(await call('PUT', '/v2/datasets/terraform-dataset', change)).toMatchObject({ ...wanted, ...change });
  });

  it('has its map fields replaced, by none with the null of a Go list without items', async () => {
    const path = `/v2/datasets/${await one.dataset()}/mapfields`;
    expect(await call('PUT', path, ['headers', 'user.tags'])).toEqual(['headers', 'user.tags']);
    expect(await call('PUT', path, null)).toEqual([]);
  });
});

it('a token keeps its rights and its end, without the members that were not sent', async () => {
  const rights = {
    datasetCapabilities: { 'not-there-yet': { ingest: ['create'], query: ['read'], data: ['delete'] } },
    orgCapabilities: { annotations: ['create', 'read'], apiTokens: ['read'], flows: ['read'] },
  };
  const sent = { name: 'terraform', description: '', expiresAt: '2999-06-29T13:02:54Z', ...rights };
  const { id, token } = await call('POST', '/v2/tokens', sent);
  expect(token).toMatch(/^xaat-/);
  expect(await call('GET', `/v2/tokens/${id as string}`)).toMatchObject(sent);
});

it('a dashboard is read back as written, with the owner added', async () => {
  const written = { name: 'tf', charts: [], layout: [], refreshTime: 60, schemaVersion: 2 };
  const dashboard = {
    ...written,
    timeWindowStart: 'qr-now-1h',
    timeWindowEnd: 'qr-now',
    overrides: { series: ['<&>'] },
  };
  const send = (method: string, path: string, body: object) =>
    request(one.server, path, { method, body: JSON.stringify(body) });
  // It omits a version of 0 and a false overwrite.
  const made = (await send('POST', '/v2/dashboards', { dashboard })).body as { readonly dashboard: Json };
  const path = `/v2/dashboards/uid/${made.dashboard.uid as string}`;
  const read = await call('GET', path);
  expect(read).toMatchObject({ version: 1 });
  expect(read['dashboard']).toEqual({ ...dashboard, owner: 'X-AXIOM-EVERYONE' });
  expect((await send('PUT', path, { dashboard, version: 1 })).status).toBe(200);
  const conflict = await send('PUT', path, { dashboard, version: 1 });
  expect(conflict).toMatchObject({ status: 412, body: { currentVersion: 2, message: expect.any(String) } });
  await call('DELETE', path);
  expect((await request(one.server, path)).status).toBe(404);
});

describe('roles and groups', () => {
  it('a role may have every right the provider knows', async () => {
    const role = {
      name: 'terraform role',
      datasetCapabilities: { 'not-there-yet': { query: ['read'], share: ['create', 'read', 'delete'] } },
      viewCapabilities: { 'some view': { query: ['read'] } },
      orgCapabilities: { dashboards: ['read'], labels: ['create', 'read', 'update', 'delete'] },
    };
    const made = await call('POST', '/v2/rbac/roles', role);
    expect(made).toMatchObject({ ...role, members: [] });
    expect(await call('GET', `/v2/rbac/roles/${made.id as string}`)).toEqual(made);
  });

  it('a deleted role is removed from its users and groups', async () => {
    const { id: role } = await call('POST', '/v2/rbac/roles', { name: 'short-lived' });
    const person = { name: 'A', email: 'a@example.org', role };
    const { id: user } = await call('POST', '/v2/users', person);
    const group = { name: 'terraform group', description: '', members: [user], roles: [role] };
    const { id } = await call('POST', '/v2/rbac/groups', group);
    await call('DELETE', `/v2/rbac/roles/${role as string}`);
    expect(await call('GET', `/v2/users/${user as string}`)).toMatchObject({ role: { id: 'none', name: 'none' } });
    expect(await call('GET', `/v2/rbac/groups/${id as string}`)).toEqual({ id, ...group, roles: [], isManaged: false });
  });
});

it('a virtual field comes back with the texts that were not set', async () => {
  const dataset = await one.dataset();
  const field = { dataset, name: 'double', expression: 'n * 2', description: '', type: '', unit: '' };
  const made = await call('POST', '/v2/vfields', field);
  expect(made).toMatchObject(field);
  expect(await call('GET', `/v2/vfields/${made.id as string}`)).toEqual(made);
});

it('monitors and notifiers are read back as planned', async () => {
  const dataset = await one.dataset();
  const notifier = await call('POST', '/v2/notifiers', {
    name: 'terraform',
    properties: { slack: { slackUrl: 'https://hooks.slack.com/services/x' } },
  });
  expect(notifier).toMatchObject({ properties: { slack: { slackUrl: 'https://hooks.slack.com/services/x' } } });
  const monitor = {
    name: 'terraform monitor',
    type: 'Threshold',
    aplQuery: `\n\t['${dataset}']\n\t| summarize count()\n`,
    operator: 'Above',
    threshold: 100,
    intervalMinutes: 5,
    rangeMinutes: 5,
    resolvable: true,
    notifyByGroup: true,
    notifierIds: [notifier.id],
    triggerFromNRuns: 1,
    triggerAfterNPositiveResults: 0,
  };
  const made = await call('POST', '/v2/monitors', {
    ...monitor,
    disabledUntil: '0001-01-01T00:00:00Z',
    description: '',
  });
  expect(made).toMatchObject(monitor);
  expect(await call('GET', `/v2/monitors/${made.id as string}`)).toEqual(made);
});

it('a monitor of matching events needs no interval, range or operator, and is created after its dataset', async () => {
  const dataset = await one.dataset();
  // Its defaults, and a time in seconds: it compares the response with its plan.
  const planned = {
    name: 'terraform match monitor',
    type: 'MatchEvent',
    aplQuery: `['${dataset}']`,
    intervalMinutes: 1,
    rangeMinutes: 1,
    threshold: 0,
    secondDelay: 0,
    triggerFromNRuns: 1,
    triggerAfterNPositiveResults: 0,
    tolerance: 0,
    compareDays: 0,
  };
  const disabledUntil = '2999-01-01T00:00:00Z';
  const made = await call('POST', '/v2/monitors', { ...planned, operator: '', notifierIDs: null, disabledUntil });
  expect(made).toMatchObject({ ...planned, notifierIds: [] });
  expect(made.operator ?? '').toBe('');
  expect(Date.parse(made.disabledUntil as string)).toBe(Date.parse(disabledUntil));
  await call('DELETE', `/v2/datasets/${dataset}`);
  expect(await call('GET', `/v2/monitors/${made.id as string}`)).toEqual(made);
  await call('DELETE', `/v2/monitors/${made.id as string}`);
  // Deleted monitors are created again, and deleting one twice is not an error.
  for (const method of ['GET', 'DELETE']) {
    const gone = await request(one.server, `/v2/monitors/${made.id as string}`, { method });
    expect(gone).toMatchObject({ status: 404, body: { message: expect.stringMatching(/not found/i) } });
  }
});

const body =
  '\t{\n\t\t"action": "{{.Action}}",\n\t\t"event": {"value": {{.Value}}, "matchedEvent": {{jsonObject .MatchedEvent}}}\n\t}\n';

it.each([
  ['slack', { slackUrl: 'https://hooks.slack.com/services/T0/B0/X' }],
  ['discord', { discordChannel: 'general', discordToken: 'secret' }],
  ['discordWebhook', { discordWebhookUrl: 'https://discord.com/api/webhooks/1/a' }],
  ['email', { emails: ['test@example.com'] }],
  ['opsgenie', { apiKey: 'key', isEU: true }],
  ['webhook', { url: 'https://example.com/webhook' }],
  ['customWebhook', { url: 'https://example.com/w', headers: { Authorization: 'Bearer token' }, body }],
])('a notifier of kind %s reads back as it was sent', async (kind, config) => {
  const properties = { [kind]: config };
  const made = await call('POST', '/v2/notifiers', { name: kind, properties, disabledUntil: '0001-01-01T00:00:00Z' });
  expect(made).toMatchObject({ name: kind, properties });
  expect(await call('GET', `/v2/notifiers/${made.id as string}`)).toEqual(made);
});

it('a notifier for PagerDuty returns its keys to users with the right to write it', async () => {
  const properties = { pagerduty: { routingKey: 'secret', token: '' } };
  const made = await call('POST', '/v2/notifiers', { name: 'p', properties });
  expect(made).toMatchObject({ properties: { pagerduty: { routingKey: 'secret', token: '' } } });
  const renamed = await call('PUT', `/v2/notifiers/${made.id as string}`, { ...made, name: 'q' });
  expect(renamed).toMatchObject({ name: 'q', properties: { pagerduty: { routingKey: 'secret' } } });
});

it('the uid of a dashboard may be in the document, and otherwise stays the same', async () => {
  const document = { name: 'tf', charts: [], layout: [], refreshTime: 60, schemaVersion: 2 };
  const dashboard = { ...document, timeWindowStart: 'qr-now-1h', timeWindowEnd: 'qr-now' };
  const send = (method: string, path: string, sent: object) =>
    request(one.server, path, { method, body: JSON.stringify(sent) });
  const inside = { uid: 'tf-in-document', dashboard: { uid: 'tf-in-document', ...dashboard } };
  expect(await send('POST', '/v2/dashboards', inside)).toMatchObject({ status: 201 });
  const changed = { dashboard: { ...dashboard, name: 'tf 2' }, version: 1 };
  const updated = await send('PUT', '/v2/dashboards/uid/tf-in-document', changed);
  expect(updated).toMatchObject({ status: 200, body: { dashboard: { uid: 'tf-in-document', version: 2 } } });
  expect(await call('GET', '/v2/dashboards/uid/tf-in-document')).toMatchObject({ dashboard: { name: 'tf 2' } });
});

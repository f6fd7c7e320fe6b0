import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fillPath, parameterNames } from '@millrace/http/route-table/paths';
import type { Route } from '@millrace/http/route';
import { datasetResources, orgResources, type Capabilities } from '@millrace/api/schemas/capabilities';
import { metricsBody, metricsOf } from '@millrace/ingest/otlp/testing/metrics';
import { attribute } from '@millrace/ingest/otlp/testing/test-requests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from './testing/engine-test-server.js';
import { everyRoute } from './testing/every-route.js';

/**
 * Access matrix of event values: tokens × every route that reads × what repeats values of a
 * dataset. A token without the right to query the dataset never sees a value of it.
 */

const secret = 'hush-4711.internal';
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

let world: EngineTestServer;
const ids: Record<'monitor' | 'annotation' | 'incident' | 'starred' | 'slo', string> = {
  monitor: '',
  annotation: '',
  incident: '',
  starred: '',
  slo: '',
};

/** How a route is called. */
interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const since = { startTime: '2020-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
const apl = 'closed | take 10';
const lastHour = () => ({
  start: new Date(Date.now() - 3_600_000).toISOString(),
  end: new Date().toISOString(),
});
const ofMetrics = { dataset: 'closed-metrics', metric: 'load', tag: 'host' };
const mpl = { mpl: '`closed-metrics`:load | align to 1m using last', startTime: 'now-1h', endTime: 'now' };
const draft = () => ({
  name: 'Hosts',
  type: 'Threshold',
  aplQuery: 'closed | summarize count() by host',
  operator: 'Above',
  threshold: 0,
  notifyByGroup: true,
  intervalMinutes: 1,
  rangeMinutes: 60,
});

/** Routes whose responses have values of the dataset, for a token that may query it. */
const valueRoutes: Readonly<Record<string, () => Call>> = {
  queryApl: () => ({ query: { format: 'tabular' }, body: { apl } }),
  queryAplEdge: () => ({ query: { format: 'tabular' }, body: { apl } }),
  queryBatch: () => ({ body: [{ queryId: 'a', aplRequest: { apl } }] }),
  queryDataset: () => ({ params: { name: 'closed' }, body: { ...since, resolution: 'auto' } }),
  export: () => ({ body: { apl } }),
  exportByUrl: () => ({ query: { apl } }),
  queryMpl: () => ({ body: mpl }),
  queryMetrics: () => ({ body: mpl }),
  listMetricTagValues: () => ({ params: ofMetrics, query: lastHour() }),
  listMetricsTagValues: () => ({ params: ofMetrics, query: lastHour() }),
  listAnnotations: () => ({ query: { datasets: 'closed' } }),
  getAnnotation: () => ({ params: { id: ids.annotation } }),
  listMonitorStatus: () => ({}),
  listIncidents: () => ({}),
  getIncident: () => ({ params: { id: ids.monitor, incident: ids.incident } }),
  getMonitorHistory: () => ({ params: { id: ids.monitor }, query: since }),
  listRecentRuns: () => ({}),
  previewMonitor: () => ({ body: { monitor: draft(), startTime: lastHour().start, endTime: lastHour().end } }),
  listEvaluations: () => ({ query: { dataset: 'closed' } }),
  getEvaluation: () => ({ params: { id: trace } }),
};

/** Routes that repeat no values of events; they are called as their examples say, or so. */
const silent: Readonly<Record<string, () => Call>> = {
  ...Object.fromEntries(
    [
      'queryAplV2',
      'listQueries',
      'stopQuery',
      'listHistory',
      'getHistoryQuery',
      'getReceipt',
      'backupDataset',
      'backupMetadata',
      'listDatasets',
      'listDatasetsV1',
      'listFieldsV1',
      'listTokens',
      'getToken',
      'listPersonalTokens',
      'getCurrentUser',
      'getCurrentUserV1',
      'listUsers',
      'getUser',
      'listRoles',
      'getRole',
      'listGroups',
      'getGroup',
      'listOrgs',
      'getOrg',
      'listVirtualFields',
      'getVirtualField',
      'listViews',
      'getView',
      'listIntegrationDashboards',
      'listDashboards',
      'listMonitors',
      'getServerHealth',
      'listNotifiers',
      'getNotifier',
      'previewNotifier',
      'listSilences',
      'getSilence',
      'listSlos',
      'getSlo',
      'getStatusPage',
      'getPublicStatus',
      'getNotificationRoutes',
      'listIngestRefusals',
      'getHealth',
      'getMetrics',
      'listNodes',
      'listShards',
      'getCatalogue',
      'describeMpl',
      'listSources',
      'getSource',
      'getSourceStatus',
      'listSessions',
      'listSignInMethods',
      'listIdentities',
      'getOpenApi',
    ].map((operation) => [operation, (): Call => ({})]),
  ),
  estimateQuery: () => ({ body: { apl, startTime: 'now-1h', endTime: 'now' } }),
  findMetrics: () => ({ params: ofMetrics, query: lastHour(), body: { value: 'hush' } }),
  listMetrics: () => ({ params: ofMetrics, query: lastHour() }),
  listMetricTags: () => ({ params: ofMetrics, query: lastHour() }),
  listMetricsTags: () => ({ params: ofMetrics, query: lastHour() }),
  getDataset: () => ({ params: { id: 'closed' } }),
  getDatasetV1: () => ({ params: { name: 'closed' } }),
  getDatasetInfoV1: () => ({ params: { name: 'closed' } }),
  listFields: () => ({ params: { id: 'closed' } }),
  getField: () => ({ params: { id: 'closed', field: 'host' } }),
  listMapFields: () => ({ params: { id: 'closed' } }),
  getSchema: () => ({ params: { id: 'closed' } }),
  getDashboard: () => ({ params: { uid: 'closed' } }),
  listMonitorRuns: () => ({ params: { id: ids.monitor } }),
  listMonitorHistory: () => ({ query: { monitorIds: ids.monitor, startTime: 'now-1h' } }),
  getMonitor: () => ({ params: { id: ids.monitor } }),
  listStarredQueries: () => ({ query: { who: 'all' } }),
  getStarredQuery: () => ({ params: { id: ids.starred } }),
};

/** Routes whose responses have counts of the events: how many, for a token that may query it. */
const countRoutes: Readonly<Record<string, readonly [call: () => Call, shown: string]>> = {
  getSloBudget: [() => ({ params: { id: ids.slo } }), '"good":3,"total":3'],
};

/** Their responses do not end; a separate test checks the rejection. */
const endless = ['tail'];

/** Every route of the interface that reads. */
const readRoutes = everyRoute().filter(
  ({ page, shipper, method, changesNothing, need }) =>
    page !== true && shipper !== true && (method === 'GET' || changesNothing === true || need.scope === 'query'),
);

async function read(route: Route, call: Call, token?: string): Promise<{ status: number; text: string }> {
  const example = route.examples[0];
  const params = {
    ...Object.fromEntries(parameterNames(route.path).map((name) => [name, 'none'])),
    ...example?.params,
  };
  const search = new URLSearchParams(call.query ?? example?.query ?? {}).toString();
  const url = fillPath(route.path, { ...params, ...call.params }) + (search === '' ? '' : `?${search}`);
  const body = route.request.body === undefined ? undefined : (call.body ?? example?.body ?? {});
  return world.send(route.method, url, body, token === undefined ? {} : { token });
}

/** A call of each tool of MCP whose result has values of the dataset. */
const toolCalls: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
  query: () => ({ apl }),
  describe_dataset: () => ({ dataset: 'closed' }),
  field_values: () => ({ dataset: 'closed', field: 'host' }),
  search_word: () => ({ dataset: 'closed', word: 'hush' }),
  count_over_time: () => ({ dataset: 'closed', by: 'host' }),
  patterns: () => ({ dataset: 'closed', field: 'message' }),
  compare: () => ({ dataset: 'closed', selection: 'n == 1' }),
  get_trace: () => ({ dataset: 'closed', traceId: trace }),
  list_services: () => ({ dataset: 'closed' }),
  slow_operations: () => ({ dataset: 'closed' }),
  monitor_history: () => ({ monitor: ids.monitor }),
  list_monitors: () => ({}),
  list_datasets: () => ({}),
  list_dashboards: () => ({}),
  get_dashboard: () => ({ uid: 'closed' }),
};
/** Tools whose results need not have a value. */
const silentTools = [
  'compare',
  'list_datasets',
  'list_dashboards',
  'get_dashboard',
  'monitor_history',
  'list_monitors',
];

async function callTools(token: string): Promise<ReadonlyMap<string, string>> {
  const client = new Client({ name: 'agent', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(toolCalls).toSorted());
  const texts = new Map<string, string>();
  for (const [name, args] of Object.entries(toolCalls))
    texts.set(name, JSON.stringify(await client.callTool({ name, arguments: args() })));
  const { resources } = await client.listResources().catch(() => ({ resources: [] }));
  for (const { uri } of resources) texts.set(uri, JSON.stringify(await client.readResource({ uri }).catch(() => '')));
  await client.close();
  return texts;
}

const createResource = async (path: string, body: object): Promise<string> => {
  const answer = await world.send<{ id: string }>('POST', path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.id;
};

/** Waits until the owner sees the value in a response. */
async function appears(path: string): Promise<string> {
  for (let left = 100; ; left--) {
    const { text } = await world.send('GET', path);
    if (text.includes(secret)) return text;
    if (left === 0) throw new Error(`${path} has no value: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

beforeAll(async () => {
  world = await openEngineTestServer({});
  const event = (host: string, n: number) => ({
    n,
    host,
    message: `${host} failed ${n} times`,
    name: host,
    trace_id: trace,
    span_id: `00000000000000a${n}`,
    kind: 'server',
    duration: '12ms',
    'service.name': host,
    error: true,
  });
  for (const [name, host] of [
    ['closed', secret],
    ['open', 'public'],
  ] as const)
    await world.dataset(
      name,
      [1, 2, 3].map((n) => event(host, n)),
    );
  await world.send('POST', '/v2/datasets', { name: 'closed-metrics', kind: 'otel:metrics:v1' });
  const point = {
    timeUnixNano: `${Date.now() - 60_000}000000`,
    asDouble: 1,
    attributes: [attribute('host', { stringValue: secret })],
  };
  const sent = await fetch(`${world.url}/v1/metrics`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.owner}`,
      'content-type': 'application/x-protobuf',
      'x-axiom-dataset': 'closed-metrics',
    },
    body: Uint8Array.from(metricsBody(metricsOf([{ name: 'load', gauge: { dataPoints: [point] } }], {}))),
  });
  expect(sent.status).toBe(200);
  ids.monitor = await createResource('/v2/monitors', draft());
  ids.annotation = await createResource('/v2/annotations', { datasets: ['closed'], type: 'alert', title: secret });
  ids.starred = await createResource('/v2/apl-starred-queries', {
    name: 'q',
    kind: 'apl',
    dataset: 'closed',
    query: { apl },
  });
  ids.slo = await createResource('/v2/slos', {
    name: 'slo',
    aplQuery: 'closed',
    good: 'n > 0',
    objective: 99,
    windowDays: 1,
    alerts: [],
  });
  await createResource('/api/v3/evaluations', { id: trace, name: secret, dataset: 'closed', status: 'completed' });
  await appears('/v2/monitors/_status');
  const incidents = JSON.parse(await appears('/v2/monitors/_incidents?startTime=2020-01-01T00:00:00Z')) as readonly {
    readonly id: string;
  }[];
  ids.incident = incidents[0]!.id;
});
afterAll(() => world.close());

/** Reading everything of the organization; creating a monitor serves its preview. */
const orgCapabilities: Capabilities['orgCapabilities'] = {
  ...(Object.fromEntries(
    Object.entries(orgResources)
      .filter(([, actions]) => (actions as readonly string[]).includes('read'))
      .map(([name]) => [name, ['read']]),
  ) as Capabilities['orgCapabilities']),
  monitors: ['create', 'read', 'update'],
  notifiers: ['create', 'read'],
};
const { query: _query, ...withoutQuery } = datasetResources;

const tokens: readonly (readonly [string, Partial<Capabilities>])[] = [
  ['reads everything of the organization, and no dataset', { orgCapabilities }],
  ['has every right on another dataset', { orgCapabilities, datasetCapabilities: { open: datasetResources } }],
  [
    'has every right on the dataset but to query it',
    {
      orgCapabilities,
      datasetCapabilities: { closed: withoutQuery, 'closed-metrics': withoutQuery, open: datasetResources },
    },
  ],
];

test('every route that reads has a row', () => {
  const rows = [...Object.keys(valueRoutes), ...Object.keys(silent), ...Object.keys(countRoutes), ...endless];
  expect(rows.toSorted()).toEqual(readRoutes.map(({ operation }) => operation).toSorted());
});

const rowsOf = (table: Readonly<Record<string, unknown>>) => readRoutes.filter(({ operation }) => operation in table);

test('the owner sees values where the table says so', async () => {
  const found: Record<string, boolean | string> = {};
  for (const route of rowsOf(valueRoutes)) {
    const { text } = await read(route, valueRoutes[route.operation]!());
    found[route.operation] = text.includes(secret) || text;
  }
  expect(found).toEqual(Object.fromEntries(rowsOf(valueRoutes).map(({ operation }) => [operation, true])));
  for (const route of rowsOf(countRoutes)) {
    const [call, shown] = countRoutes[route.operation]!;
    expect((await read(route, call())).text).toContain(shown);
  }
  const texts = await callTools(world.owner);
  const without = [...texts].filter(
    ([name, text]) => !silentTools.includes(name) && name in toolCalls && !text.includes(secret),
  );
  expect(without).toEqual([]);
});

describe.each(tokens)('a token that %s', (_, capabilities) => {
  test('sees no value in any response, nor in a result of a tool', async () => {
    const token = await world.token(capabilities);
    const seen: string[] = [];
    const rows = { ...valueRoutes, ...silent };
    for (const route of rowsOf(rows)) {
      const { status, text } = await read(route, rows[route.operation]!(), token);
      if (text.includes(secret) || status >= 500) seen.push(`${route.operation}: ${status} ${text.slice(0, 500)}`);
    }
    for (const [name, text] of await callTools(token)) if (text.includes(secret)) seen.push(`${name}: ${text}`);
    expect(seen).toEqual([]);
  });

  test('gets no counts of its events', async () => {
    const token = await world.token(capabilities);
    for (const route of rowsOf(countRoutes)) {
      const [call, shown] = countRoutes[route.operation]!;
      const { status, text } = await read(route, call(), token);
      expect(`${route.operation}: ${status} ${text}`).toMatch(/: 403 /);
      expect(text).not.toContain(shown);
    }
  });

  test('sees no value in the audit log, which it may query', async () => {
    const token = await world.token(capabilities);
    const audit = { apl: "['axiom-audit'] | where operation != 'none' | take 1000" };
    const { status, text } = await world.send('POST', '/v1/datasets/_apl?format=tabular', audit, { token });
    expect([status, text.includes('createMonitor'), text.includes(secret)]).toEqual([200, true, false]);
  });

  test('may not tail the dataset', async () => {
    const token = await world.token(capabilities);
    expect((await world.send('POST', '/v1/tail', { apl: 'closed' }, { token })).status).toBe(403);
  });
});

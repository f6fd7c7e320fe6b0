import { afterEach, describe, expect, test } from 'vitest';
import { requestBounds } from '@millrace/api/limits';
import { settingsTable } from '@millrace/http/settings/settings-table';
import type { Clock } from '@millrace/metadata/clock';
import { databaseOver, type Tables } from '@millrace/metadata/database';
import { type Metadata, metadataOver } from '@millrace/metadata/metadata';
import type { Quota } from '@millrace/metadata/quota';
import { inMemory, openSqlite } from '@millrace/metadata/sqlite';
import { everyRoute } from '../testing/every-route.js';
import { createTestServer, type Reply, type TestServer } from '../testing/test-server.js';

/**
 * Every list of the route table is bounded: it has pages, which are read from the database, or all
 * its records count toward a quota. A new list route needs an entry here.
 */

type Setting = keyof typeof settingsTable;
type Bound = Setting | keyof typeof requestBounds;

/** Resources whose list is sent whole, or in pages: how to create the nth, and their limit. */
interface StoredResource {
  readonly limit: Bound;
  readonly create: (n: number) => readonly [path: string, body: object, headers?: Readonly<Record<string, string>>];
  /** The oldest record is deleted for a new one, instead of a rejection. */
  readonly oldestGo?: true;
  /** Records that exist from the start. */
  readonly builtIn?: number;
}

const time = '2026-11-20T10:00:00Z';
const orgCapabilities = { annotations: ['read'] };
const dashboard = {
  owner: 'X-AXIOM-EVERYONE',
  charts: [],
  layout: [],
  refreshTime: 60,
  schemaVersion: 2,
  timeWindowStart: 'qr-now-1h',
  timeWindowEnd: 'qr-now',
};
const monitor = {
  type: 'Threshold',
  aplQuery: 'd0 | summarize count()',
  operator: 'Above',
  threshold: 1,
  intervalMinutes: 1,
  rangeMinutes: 1,
};
const page = { 'sec-fetch-site': 'same-origin', 'x-millrace-console': '1' };

const datasets: StoredResource = { limit: 'maxResources', create: (n) => ['/v2/datasets', { name: `made${n}` }] };
const monitors: StoredResource = {
  limit: 'maxMonitors',
  create: (n) => ['/v2/monitors', { ...monitor, name: `m${n}` }],
};

const sources: StoredResource = {
  limit: 'maxSources',
  create: (n) => ['/v2/sources', { name: `s${n}`, dataset: 'd0', properties: { bucket: { bucket: 'b' } } }],
};

const storedResources: Readonly<Record<string, StoredResource>> = {
  listSources: sources,
  listDatasets: datasets,
  listDatasetsV1: datasets,
  listTokens: { limit: 'maxResources', create: (n) => ['/v2/tokens', { name: `t${n}`, orgCapabilities }] },
  listPersonalTokens: { limit: 'maxResources', create: (n) => ['/v2/personal-tokens', { name: `t${n}` }] },
  listUsers: {
    limit: 'maxResources',
    create: (n) => ['/v2/users', { name: `u${n}`, email: `u${n}@example.com`, role: 'user' }],
  },
  listRoles: {
    limit: 'maxResources',
    create: (n) => ['/v2/rbac/roles', { name: `r${n}`, orgCapabilities }],
    builtIn: 5,
  },
  listGroups: { limit: 'maxResources', create: (n) => ['/v2/rbac/groups', { name: `g${n}` }] },
  listAnnotations: {
    limit: 'maxResources',
    create: (n) => ['/v2/annotations', { datasets: ['d0'], type: 'deploy', title: `${n}`, time }],
  },
  listVirtualFields: {
    limit: 'maxResources',
    create: (n) => ['/v2/vfields', { dataset: 'd0', name: `f${n}`, expression: '1' }],
  },
  listViews: {
    limit: 'maxResources',
    create: (n) => ['/v2/views', { name: `v${n}`, aplQuery: 'd0', datasets: ['d0'] }],
  },
  listStarredQueries: {
    limit: 'maxResources',
    create: (n) => ['/v2/apl-starred-queries', { kind: 'apl', dataset: 'd0', name: `q${n}`, query: { apl: 'd0' } }],
  },
  listDashboards: {
    limit: 'maxDashboards',
    create: (n) => ['/v2/dashboards', { uid: `b${n}`, dashboard: { ...dashboard, name: `b${n}` } }],
  },
  listEvaluations: {
    limit: 'maxResources',
    oldestGo: true,
    create: (n) => ['/api/v3/evaluations', { id: `e${n}`, name: 'e', dataset: 'd0', status: 'running' }],
  },
  listMonitors: monitors,
  listMonitorStatus: monitors,
  listNotifiers: {
    limit: 'maxResources',
    create: (n) => ['/v2/notifiers', { name: `n${n}`, properties: { webhook: { url: 'https://a.example' } } }],
  },
  listSilences: {
    limit: 'maxResources',
    create: (n) => [
      '/v2/silences',
      { reason: `${n}`, labels: { team: 'a' }, startTime: time, endTime: '2026-11-21T10:00:00Z' },
    ],
  },
  listSlos: {
    limit: 'maxResources',
    create: (n) => [
      '/v2/slos',
      { name: `s${n}`, aplQuery: 'd0', good: 'status < 500', objective: 99, windowDays: 7, alerts: [] },
    ],
  },
  listSessions: { limit: 'maxSessions', oldestGo: true, create: () => ['/console/api/session', {}, page] },
};

/** Lists of data that belongs to something else, and what bounds it. */
const derivedLists: Readonly<Record<string, readonly Bound[]>> = {
  listMetrics: ['metricEntries'],
  listMetricTags: ['metricEntries'],
  listMetricsTags: ['metricEntries'],
  listMetricTagValues: ['metricEntries'],
  listMetricsTagValues: ['metricEntries'],
  listQueries: ['maxConcurrentQueries', 'maxConnections'],
  listHistory: ['queryHistory', 'queryHistoryBytes'],
  listFields: ['maxDatasetFields'],
  listFieldsV1: ['maxDatasetFields'],
  listMapFields: ['maxResourceBytes'],
  // There is one organization, and no dashboard of integrations.
  listOrgs: [],
  listIntegrationDashboards: [],
  getMonitorHistory: ['monitorChanges', 'monitorHistory'],
  listMonitorHistory: ['monitorRuns'],
  listMonitorRuns: ['monitorRuns', 'monitorNotifications'],
  listRecentRuns: ['maxMonitors', 'monitorRuns'],
  listIncidents: ['monitorChanges', 'monitorHistory'],
  previewNotifier: [],
  listIngestRefusals: ['refusedIngest'],
  // As many as the administrator starts and configures.
  listNodes: [],
  listShards: [],
  listSignInMethods: [],
  listIdentities: ['identitiesOfUser'],
};

const lists = everyRoute().filter(({ method, operation, responses, changesNothing, page: isPage, shipper }) => {
  if (method !== 'GET' && changesNothing !== true) return false;
  const schema = responses[200]?.schema as { readonly type?: string } | undefined;
  return isPage !== true && shipper !== true && (schema?.type === 'array' || operation.startsWith('list'));
});

test('every list route has a bound, and every bound a list route', () => {
  const known = [...Object.keys(storedResources), ...Object.keys(derivedLists)];
  expect(known.toSorted()).toEqual(lists.map(({ operation }) => operation).toSorted());
});

test('every bound is a setting, or a limit in the table of fixed ones', () => {
  const all = new Set<string>([...Object.keys(settingsTable), ...Object.keys(requestBounds)]);
  const used = [
    ...Object.values(storedResources).map(({ limit }) => [limit]),
    ...Object.values(derivedLists),
    ...Object.values(tables),
  ];
  expect(used.flat().filter((name) => !all.has(name))).toEqual([]);
});

/** What bounds the rows of each table; none for those with a row per process or dataset. */
const tables: { readonly [Table in keyof Tables]: readonly Bound[] } = {
  org: [],
  datasets: ['maxResources', 'maxResourceBytes'],
  dropped_datasets: ['maxResources'],
  fields: ['maxResources', 'maxResourceBytes'],
  stored_fields: ['maxDatasetFields'],
  checkpoints: ['maxResources'],
  partition_rows: ['maxResources'],
  missing_rows: ['maxResources'],
  answers: ['idempotencyKeys', 'idempotencyWindow'],
  // A hundred batches: `insert/failed-inserts.ts`; then inserts wait.
  refused_batches: ['maxPendingBytes'],
  pinned_inserts: ['maxResources'],
  table_settings: [],
  old_spellings: ['maxResources'],
  users: ['maxResources', 'maxResourceBytes'],
  tokens: ['maxResources', 'maxResourceBytes'],
  monitor_states: ['maxMonitors', 'monitorGroups'],
  monitor_runs: ['monitorRuns'],
  monitor_changes: ['monitorChanges', 'monitorHistory'],
  notifications: ['monitorNotifications', 'notifyWaiting', 'monitorHistory'],
  receiver_states: ['maxMonitors', 'maxResources', 'monitorGroups'],
  sessions: ['tokenSessions', 'maxSessions'],
  identities: ['maxResources', 'identitiesOfUser'],
  identity_groups: ['maxResources', 'identitiesOfUser'],
  // Values that a provider signed; they expire within minutes.
  used_values: [],
  server_keys: [],
  device_codes: ['maxDeviceCodes'],
  token_uses: ['maxResources'],
  sign_in_codes: ['tokenSignInCodes', 'maxSignInCodes'],
  source_objects: ['maxSources', 'maxSourceObjects', 'sourceObjectMemory'],
  documents: ['maxResources', 'maxResourceBytes', 'queryHistory', 'queryHistoryBytes'],
  dashboards: ['maxDashboards', 'maxDashboardBytes', 'maxAllDashboardBytes'],
  dashboard_versions: ['dashboardVersions', 'maxDashboardBytes'],
};

test('every table of the metadata has a bound', () => {
  const found = openSqlite(inMemory)
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all() as readonly { readonly name: string }[];
  expect(found.map(({ name }) => name)).toEqual(Object.keys(tables).toSorted());
});

let world: TestServer;
afterEach(() => world?.close());

const max = 5;
const pathOf = (operation: string): string => lists.find((route) => route.operation === operation)!.path;
const filters: Readonly<Record<string, string>> = {
  listStarredQueries: '?who=all',
  listVirtualFields: '?dataset=d0',
};

const create = ({ create: make }: StoredResource, n: number): Promise<Reply> => {
  const [path, body, headers = {}] = make(n);
  return world.send('POST', path, body, undefined, headers);
};

describe('the list of a resource ends at its limit', () => {
  test.each(Object.entries(storedResources))('%s', async (operation, resource) => {
    const { limit, oldestGo = false, builtIn = 0 } = resource;
    world = await createTestServer({
      settings: { maxResources: max, maxMonitors: max, maxSources: max, maxDashboards: max, maxSessions: max },
    });
    await world.send('POST', '/v2/datasets', { name: 'd0' });
    const replies: Reply[] = [];
    for (let n = 0; n < 2 * max; n++) replies.push(await create(resource, n));
    const rejected = replies.filter(({ status }) => status >= 400);
    const named = `MILLRACE_${limit.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
    for (const { headers, text } of rejected) {
      expect(headers['x-millrace-error']).toBe('quota-reached');
      expect(text).toContain(named);
    }
    expect(rejected.length > 0).toBe(!oldestGo);
    const { body } = await world.send('GET', `${pathOf(operation)}${filters[operation] ?? ''}`);
    expect((body as readonly unknown[]).length).toBeGreaterThan(0);
    expect((body as readonly unknown[]).length).toBeLessThanOrEqual(max + builtIn);
  });
});

const pagedLists = lists.filter(
  ({ request, operation }) => request.query?.properties['limit'] !== undefined && operation in storedResources,
);

test('lists with pages are known', () => {
  const operations = pagedLists.map(({ operation }) => operation);
  expect(operations.toSorted()).toEqual(['listDashboards', 'listEvaluations', 'listSessions', 'listStarredQueries']);
});

describe('a page is read from the database, and not the whole list', () => {
  /** Bytes of rows that the database has returned. */
  let read = 0;
  const openCounted = (clock: Clock, quota: Quota): Promise<Metadata> =>
    metadataOver(
      databaseOver(openSqlite(inMemory)).withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          read += JSON.stringify(result.rows, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value)).length;
          return result;
        },
      }),
      clock,
      quota,
    );
  const records = 30;
  const long = 'x'.repeat(40_000);
  const lengthen: Readonly<Record<string, (body: object) => object>> = {
    listDashboards: (body) => ({
      ...body,
      dashboard: { ...dashboard, name: 'b', charts: [{ id: 'n', name: 'n', type: 'Note', text: long }] },
    }),
    listEvaluations: (body) => ({ ...body, flags: { long } }),
    listStarredQueries: (body) => ({ ...body, query: { apl: `d0 | where a != '${long}'` } }),
    listSessions: (body) => body,
  };

  test.each(pagedLists.map(({ operation }) => operation))('%s', async (operation) => {
    world = await createTestServer({ open: openCounted });
    await world.send('POST', '/v2/datasets', { name: 'd0' });
    for (let n = 0; n < records; n++) {
      const [path, body, headers = {}] = storedResources[operation]!.create(n);
      const { status } = await world.send('POST', path, lengthen[operation]!(body), undefined, headers);
      expect(status).toBeLessThan(300);
    }
    const path = `${pathOf(operation)}${filters[operation] ?? '?'}&limit=`;
    const costOf = async (limit: number): Promise<number> => {
      read = 0;
      expect((await world.send('GET', `${path}${limit}`)).body).toHaveLength(limit);
      return read;
    };
    const whole = await costOf(records);
    const one = await costOf(1);
    expect(one).toBeLessThan(whole / 2);
  });
});

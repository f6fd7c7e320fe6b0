import { fillPath, parameterNames } from '@millrace/http/route-table/paths';
import type { Route } from '@millrace/http/route';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '../testing/engine-test-server.js';
import { everyRoute } from '../testing/every-route.js';

/**
 * Access matrix of two organizations: the owner of each × every route × the IDs and names of the
 * other's resources. No response has anything of the other, and nothing of the other changes.
 */

interface Org {
  /** Text that occurs in all of its resources and events, and nowhere else. */
  readonly mark: string;
  readonly id: string;
  readonly token: string;
  /** IDs and names of its resources, by the first part of their paths. */
  readonly ids: Readonly<Record<string, string>>;
}

let world: EngineTestServer;
let orgs: readonly [first: Org, other: Org];

/** Resources that each organization gets: the path of their collection, and a document. */
const resources = (mark: string, dataset: string): readonly (readonly [path: string, body: object])[] => [
  ['/v2/datasets', { name: dataset, description: mark }],
  ['/v2/vfields', { dataset, name: mark, expression: '1', description: mark }],
  ['/v2/views', { name: `view-${mark}`, aplQuery: `['${dataset}']`, datasets: [dataset], description: mark }],
  ['/v2/apl-starred-queries', { name: mark, kind: 'apl', dataset, query: { apl: `['${dataset}']` } }],
  ['/v2/annotations', { datasets: [dataset], type: 'deploy', title: mark }],
  ['/v2/notifiers', { name: mark, properties: { webhook: { url: 'http://127.0.0.1:9/' } } }],
  ['/v2/rbac/roles', { name: mark, description: mark, members: [] }],
  ['/v2/rbac/groups', { name: mark, description: mark, members: [], roles: [] }],
  ['/v2/users', { name: mark, email: `${mark}@example.com`, role: 'user' }],
  ['/v2/tokens', { name: mark, description: mark, datasetCapabilities: { [dataset]: { query: ['read'] } } }],
  [
    '/v2/monitors',
    {
      name: mark,
      type: 'Threshold',
      aplQuery: `['${dataset}'] | summarize count() by text`,
      operator: 'Above',
      threshold: 0,
      // Not while the matrix runs: an alert adds an annotation.
      intervalMinutes: 720,
      rangeMinutes: 60,
    },
  ],
  ['/v2/dashboards', { dashboard: { name: mark, description: mark, charts: [], layout: [] } }],
];

async function populate(mark: string, id: string, token: string): Promise<Org> {
  const dataset = `data-${mark}`;
  const ids: Record<string, string> = { datasets: dataset, fields: dataset, orgs: id };
  for (const [path, body] of resources(mark, dataset)) {
    const made = await world.send<{ id?: string; uid?: string }>('POST', path, body, { token });
    if (path !== '/v2/dashboards') expect(made.status, `${path}: ${made.text}`).toBeLessThan(300);
    const named = made.body?.id ?? made.body?.uid;
    if (named !== undefined && path !== '/v2/datasets') ids[path.split('/').at(-1)!] = named;
  }
  const sent = await world.send('POST', `/v1/datasets/${dataset}/ingest`, [{ text: mark }], { token });
  expect(sent.status, sent.text).toBe(200);
  return { mark, id, token, ids };
}

beforeAll(async () => {
  // Each rejected call of a matrix counts as a failed sign-in.
  world = await openEngineTestServer({ failedLoginsPerMinute: 100_000 });
  const { body } = await world.send<{ id: string; ownerToken: string }>('POST', '/v2/orgs', { name: 'Other' });
  const [own] = (await world.send<readonly { id: string }[]>('GET', '/v2/orgs')).body;
  orgs = [
    await populate('aardvark4711', own!.id, world.owner),
    await populate('bittern4712', body.id, body.ownerToken),
  ];
});
afterAll(() => world.close());

/** A response that does not end, and what owners of the first organization may do to others. */
const omittedOperations = ['tail', 'deleteOrg', 'updateOrg'];
const routes = everyRoute().filter(({ operation, page }) => page !== true && !omittedOperations.includes(operation));

/** The ID of the other's resource that a route is about; for unknown kinds, its dataset. */
const idFor = ({ path }: Route, { ids }: Org): string =>
  path
    .split('/')
    .map((part) => ids[part])
    .findLast((id) => id !== undefined) ?? ids['datasets']!;

/** Calls a route for resources of another organization. */
async function call(route: Route, token: string, target: Org): Promise<string> {
  const example = route.examples[0];
  const params = Object.fromEntries(parameterNames(route.path).map((name) => [name, idFor(route, target)]));
  const search = new URLSearchParams(example?.query ?? {}).toString();
  const url = fillPath(route.path, params) + (search === '' ? '' : `?${search}`);
  const dataset = target.ids['datasets']!;
  const given = JSON.stringify(example?.body ?? {}).replaceAll(/http-logs|\blogs\b/g, dataset);
  const body = route.request.body === undefined ? undefined : given;
  const headers = { ...example?.headers, 'x-axiom-dataset': dataset };
  const { status, text } = await world.send(route.method, url, body, { token, headers });
  if (status >= 500 && status !== 501) return `${status} ${text}`;
  // Errors repeat what the caller sent.
  const shown = text.replaceAll(dataset, '').replaceAll(`view-${target.mark}`, '');
  return shown.includes(target.mark) ? shown : '';
}

/** All collections of an organization, as its owner sees them. */
async function contentOf({ token, ids }: Org): Promise<Readonly<Record<string, string>>> {
  const content: Record<string, string> = {};
  for (const path of new Set([...resources('', '').map(([path]) => path), '/v2/user', '/v2/silences', '/v2/slos'])) {
    const query = path === '/v2/vfields' ? `?dataset=${ids['datasets']}` : '';
    const { status, text } = await world.send('GET', path + query, undefined, { token });
    expect(status, path).toBe(200);
    content[path] = text.replaceAll(
      /"(?:lastUsed|lastUsageSync|updatedAt|dateUpdated|lastCheck\w*|next\w*)":"[^"]*"/g,
      '',
    );
  }
  const counted = await world.send(
    'POST',
    '/v1/datasets/_apl?format=tabular',
    {
      apl: `['${ids['datasets']}'] | count`,
    },
    { token },
  );
  return {
    ...content,
    count: JSON.stringify((counted.body as { tables?: { columns: unknown }[] }).tables?.[0]?.columns),
  };
}

test.each([
  ['the first', 0],
  ['another', 1],
] as const)('the owner of %s organization reaches nothing of the other, on any route', async (_, own) => {
  const [me, target] = own === 0 ? orgs : [orgs[1], orgs[0]];
  const before = await contentOf(target);
  // Not a vacuous comparison: the mark is in what the owner sees.
  expect(
    Object.entries(before).filter(([path, text]) => path !== 'count' && text.includes(target.mark)).length,
  ).toBeGreaterThan(10);
  expect(before['count']).toBe('[[1]]');
  const found: string[] = [];
  for (const route of routes) {
    const problem = await call(route, me.token, target);
    if (problem !== '') found.push(`${route.operation}: ${problem.slice(0, 300)}`);
  }
  expect(found).toEqual([]);
  expect(await contentOf(target)).toEqual(before);
});

test('the header names the organization of the token, or the request is rejected on every route', async () => {
  const [me, target] = orgs;
  const passed: string[] = [];
  for (const route of routes.filter(({ need }) => need.scope !== 'public')) {
    const params = Object.fromEntries(parameterNames(route.path).map((name) => [name, idFor(route, target)]));
    const body = route.request.body === undefined ? undefined : '{}';
    const headers = { 'x-axiom-org-id': target.id };
    const { status } = await world.send(route.method, fillPath(route.path, params), body, { token: me.token, headers });
    if (status !== 403 && status !== 401) passed.push(`${route.operation}: ${status}`);
  }
  expect(passed).toEqual([]);
});

test('a session belongs to the organization of the token it began with', async () => {
  const consoleHeaders = { 'x-millrace-console': '1', 'sec-fetch-site': 'same-origin' };
  for (const [me, target] of [orgs, [orgs[1], orgs[0]]] as const) {
    const begun = await world.send('POST', '/console/api/session', undefined, {
      token: me.token,
      headers: consoleHeaders,
    });
    expect(begun.status, begun.text).toBe(200);
    const cookie = begun.headers.get('set-cookie')!.split(';')[0]!;
    const visibleDatasets = async (org?: string): Promise<string> => {
      const headers = { ...consoleHeaders, cookie, ...(org !== undefined && { 'x-axiom-org-id': org }) };
      const answer = await fetch(`${world.url}/console/api/v2/datasets`, { headers });
      return answer.text();
    };
    expect(await visibleDatasets()).toContain(me.mark);
    expect(await visibleDatasets()).not.toContain(target.mark);
    expect(await visibleDatasets(target.id)).not.toContain(target.mark);
  }
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fillPath, parameterNames } from '../route-table/paths.js';
import { json, namingOf, type Route } from '../route.js';
import { unusedEventRoutes } from '@millrace/server/testing/every-route';
import { createTestServer, type Reply, type TestServer } from '@millrace/server/testing/test-server';
import { isAllowed, type Principal } from './authorize.js';
import {
  type Capabilities,
  datasetResources,
  noCapabilities,
  orgResources,
  viewResources,
} from '@millrace/api/schemas/capabilities';

/**
 * Calls every route with no token, invalid ones, an expired one, each single capability that grants
 * access, and all other capabilities together. Expected results derive from the route table; the
 * test server rejects undocumented responses.
 */

type Resources = Readonly<Record<string, readonly string[]>>;

function singles(
  scope: string,
  resources: Resources,
  make: (resource: string, action: string) => Partial<Capabilities>,
) {
  return Object.entries(resources).flatMap(([resource, actions]) =>
    actions.map((action) => ({
      name: `${scope} ${resource}:${action}`,
      capabilities: { ...noCapabilities, ...make(resource, action) },
    })),
  );
}

const singleCapabilities = [
  { name: 'nothing', capabilities: noCapabilities },
  ...singles('org', orgResources, (resource, action) => ({ orgCapabilities: { [resource]: [action] } })),
  ...singles('dataset', datasetResources, (resource, action) => ({
    datasetCapabilities: { 'http-logs': { [resource]: [action] } },
  })),
  ...singles('every dataset', datasetResources, (resource, action) => ({
    datasetCapabilities: { '*': { [resource]: [action] } },
  })),
  ...singles('view', viewResources, (resource, action) => ({
    viewCapabilities: { failures: { [resource]: [action] } },
  })),
];

/** All of them in one token. */
function together(all: readonly Capabilities[]): Capabilities {
  const mergeByName = (scope: 'datasetCapabilities' | 'viewCapabilities') => {
    const names = new Set(all.flatMap((each) => Object.keys(each[scope])));
    return Object.fromEntries([...names].map((name) => [name, union(all.map((each) => each[scope][name] ?? {}))]));
  };
  return {
    orgCapabilities: union(all.map(({ orgCapabilities }) => orgCapabilities)),
    datasetCapabilities: mergeByName('datasetCapabilities'),
    viewCapabilities: mergeByName('viewCapabilities'),
  };
}

function union(all: readonly Readonly<Record<string, readonly string[] | undefined>>[]) {
  const resources = new Set(all.flatMap((each) => Object.keys(each)));
  return Object.fromEntries([...resources].map((name) => [name, all.flatMap((each) => each[name] ?? [])]));
}

const isPublic = ({ need }: Route): boolean => need.scope === 'public';

/**
 * The status of a public route's own example: the first it describes, as the page of a browser may
 * lead on to another.
 */
const statusOf = ({ operation, responses }: Route): number =>
  ownProof[operation]?.status ?? Number(Object.keys(responses)[0]);

/** Public routes that want another proof than a token, which their examples do not have. */
const ownProof: Readonly<Record<string, { readonly status: number; readonly refused: boolean }>> = {
  createProxySession: { status: 403, refused: true },
  exchangeToken: { status: 403, refused: true },
  getDeviceToken: { status: 404, refused: false },
  endProviderSession: { status: 404, refused: false },
  showMessageLink: { status: 404, refused: false },
  useMessageLink: { status: 404, refused: false },
  showStatusPage: { status: 404, refused: false },
  getPublicStatus: { status: 404, refused: false },
};

/** The routes that need an engine, with their access checks only: the handlers are stubs. */
function eventRoutes(): readonly Route[] {
  const responses = { 200: { description: 'Nothing.' } };
  return unusedEventRoutes().map((route) =>
    Object.assign(route, { responses, handle: () => json({}), admit: () => {}, maxBodyBytes: 1000 }),
  );
}

/** Path parameters of a route's own example. */
const parametersOf = ({ path, examples }: Route): Readonly<Record<string, string>> =>
  examples[0]?.params ?? Object.fromEntries(parameterNames(path).map((name) => [name, 'http-logs']));

/** The dataset or view in a route's example, if the access check uses it. */
function namedBy(route: Route): string | undefined {
  const naming = namingOf(route.need);
  if (naming === undefined) return undefined;
  return naming.in === 'path' ? parametersOf(route)[naming.name] : route.examples[0]!.headers![naming.name];
}

/** Sends a route's own example. */
function call(world: TestServer, route: Route, token: string | null): Promise<Reply> {
  const { query = {}, headers = {}, body = {} } = route.examples[0] ?? {};
  const search = new URLSearchParams(query).toString();
  const url = fillPath(route.path, parametersOf(route)) + (search === '' ? '' : `?${search}`);
  return world.send(route.method, url, route.request.body === undefined ? undefined : body, token, headers);
}

/** Operation → result of its call. */
async function walk(
  world: TestServer,
  token: string | null,
  outcome: (reply: Reply) => unknown,
  routes: readonly Route[] = world.routes,
) {
  const outcomes: Record<string, unknown> = {};
  for (const route of routes) outcomes[route.operation] = outcome(await call(world, route, token));
  return outcomes;
}

const expectedByOperation = (routes: readonly Route[], of: (route: Route) => unknown) =>
  Object.fromEntries(routes.map((route) => [route.operation, of(route)]));

/** Expected result of the access check of a route for a token with these capabilities. */
function atTheDoor(route: Route, capabilities: Capabilities): string {
  const { need, operation } = route;
  const principal: Principal = {
    kind: 'api-token',
    tokenId: 't',
    tokenName: 't',
    userId: 'u',
    capabilities: [capabilities],
  };
  const name = namedBy(route);
  if (!isAllowed(principal, { ...need, ...(name !== undefined && { name }) })) return 'refused';
  if (ownProof[operation]?.refused === true) return 'refused';
  return handsOnRights.includes(operation) ? 'cannot grant' : 'passed';
}

/** Their handlers check the rights on datasets that the body names; `routes/sources.test.ts`. */
const namesInBody = ['createSource', 'updateSource'];

/** Their examples grant rights that a token with one capability lacks. */
const handsOnRights = ['createToken', 'createUser', 'createRole', 'createGroup'];

/** Whether any token opens it. */
const isOpen = (route: Route): boolean => isPublic(route) || atTheDoor(route, noCapabilities) !== 'refused';

function outcomeOf({ status, text }: Reply): string {
  // The list of rejected requests contains such texts too.
  if (status < 400) return 'passed';
  if (text.includes('you cannot grant permissions you do not have')) return 'cannot grant';
  if (text.includes('forbidden: requires') || text.includes('authentication failed')) return `refused`;
  return status < 500 ? 'passed' : `failed with ${status}`;
}

describe('access walk', () => {
  let world: TestServer;
  beforeAll(async () => {
    world = await createTestServer({ routes: eventRoutes });
  });
  beforeEach(async () => void (await world.send('POST', '/v2/datasets', { name: 'http-logs' })));
  afterAll(() => world.close());

  test('HEAD starts no export', async () => {
    const { status, headers } = await world.send('HEAD', '/v1/export?apl=x');
    expect([status, headers['allow']]).toEqual([405, 'GET, POST']);
  });

  test('every other method answers 405 and says which there are, also where a dataset could be meant', async () => {
    const wrong: string[] = [];
    for (const path of new Set(world.routes.map((route) => route.path))) {
      const own = world.routes.filter((route) => route.path === path);
      const head = own.some(({ method, refusesHead }) => method === 'GET' && refusesHead !== true);
      const served: readonly string[] = [...own.map(({ method }) => method), ...(head ? ['HEAD'] : [])];
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        if (served.includes(method)) continue;
        const { status, headers, text } = await world.send(
          method,
          fillPath(path, parametersOf(own[0]!)),
          undefined,
          null,
        );
        const allow = headers['allow'];
        const listed = typeof allow === 'string' ? allow.split(', ').toSorted().join() : '';
        const hinted = method === 'HEAD' || text.includes(`${method} is not allowed`);
        if (status !== 405 || listed !== served.toSorted().join() || !hinted)
          wrong.push(`${method} ${path} → ${status}, allow: ${String(allow)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('there is something to walk', () => {
    expect(world.routes.length).toBeGreaterThan(70);
  });

  const outsiders: readonly (readonly [string, string | null])[] = [
    ['no token', null],
    ['an empty token', ''],
    ['text that is no token', 'letmein'],
    ['an unknown API token', 'xaat-00000000-0000-4000-8000-000000000000'],
    ['an unknown personal token', 'xapt-00000000-0000-4000-8000-000000000000'],
  ];
  /** The status of a failed authentication: protocols of other products have their own. */
  const turnedAway = (route: Route, authorization: string | undefined, usual: number): number => {
    const status = route.badTokenStatus ?? usual;
    return route.errorForm?.say({ code: 'unauthenticated', status, message: '' }, { authorization })?.status ?? status;
  };
  const sentWith = (token: string | null) => (token === null ? undefined : `Bearer ${token}`);

  test.each(outsiders)('%s: 403 everywhere but on public routes, before anything is looked up', async (_, token) => {
    const seen = await walk(world, token, ({ status, text }) => [status, text.includes('authentication failed')]);
    expect(seen).toEqual(
      expectedByOperation(world.routes, (route) =>
        isPublic(route)
          ? [statusOf(route), ownProof[route.operation]?.refused ?? false]
          : [turnedAway(route, sentWith(token), 403), true],
      ),
    );
  });

  test('every right, but expired: 403', async () => {
    const everything = { orgCapabilities: orgResources, datasetCapabilities: { '*': datasetResources } };
    const token = await world.token(everything, new Date(world.now() + 1000).toISOString());
    expect((await world.send('GET', '/v2/tokens', undefined, token)).status).toBe(200);
    world.advance(1000);
    const seen = await walk(world, token, ({ status }) => status);
    expect(seen).toEqual(
      expectedByOperation(world.routes, (route) =>
        isPublic(route) ? statusOf(route) : turnedAway(route, sentWith(token), 403),
      ),
    );
  });

  test('401 chosen: failed authentication is 401, a missing right still 403', async () => {
    const other = await createTestServer({ settings: { authFailureStatus: '401' }, routes: eventRoutes });
    const seen = await walk(other, null, ({ status }) => status);
    expect(seen).toEqual(
      expectedByOperation(other.routes, (route) =>
        isPublic(route) && ownProof[route.operation]?.refused !== true
          ? statusOf(route)
          : turnedAway(route, undefined, 401),
      ),
    );
    expect((await other.send('GET', '/v2/tokens', undefined, null)).headers['www-authenticate']).toBe('Bearer');
    expect((await other.send('GET', '/v2/tokens', undefined, await other.token({}))).status).toBe(403);
    await other.close();
  });

  test.each(singleCapabilities)('$name: opens the routes that ask for it', async ({ name, capabilities }) => {
    // Routes that any token may call are tested with the token that has no capabilities.
    const routes = world.routes.filter((route) => name === 'nothing' || !isOpen(route));
    const opened = routes.filter(
      (route) => atTheDoor(route, capabilities) !== 'refused' && !namesInBody.includes(route.operation),
    );
    const seen = await walk(world, await world.token(capabilities), outcomeOf, opened);
    expect(seen).toEqual(expectedByOperation(opened, (route) => atTheDoor(route, capabilities)));
  });

  test('all rights except the required one do not open it', async () => {
    const routes = world.routes.filter((route) => !isOpen(route));
    const tokens = new Map<string, string>();
    const seen: Record<string, unknown> = {};
    for (const route of routes) {
      const others = together(
        singleCapabilities.flatMap(({ capabilities }) =>
          atTheDoor(route, capabilities) === 'refused' ? [capabilities] : [],
        ),
      );
      // Capabilities that are insufficient individually are insufficient together.
      expect(atTheDoor(route, others), route.operation).toBe('refused');
      const key = JSON.stringify(others);
      const token = tokens.get(key) ?? (await world.token(others));
      tokens.set(key, token);
      seen[route.operation] = outcomeOf(await call(world, route, token));
    }
    expect(seen).toEqual(expectedByOperation(routes, () => 'refused'));
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer({
    settings: { maxDashboards: 3, maxDashboardBytes: 4096, maxAllDashboardBytes: 5000 },
  });
});
afterEach(() => world.close());

const url = '/v2/dashboards';
const at = (uid: string) => `${url}/uid/${uid}`;
const chart = { id: 'a', type: 'TimeSeries', query: { apl: 'logs | count' } };
const document = {
  name: 'One',
  charts: [chart],
  layout: [{ i: 'a', x: 0, y: 0, w: 6, h: 4 }],
  refreshTime: 60,
  schemaVersion: 2,
  timeWindowStart: 'qr-now-1h',
  timeWindowEnd: 'qr-now',
};
const everyone = 'X-AXIOM-EVERYONE';

interface ShownDashboard {
  readonly uid: string;
  readonly version: number;
  readonly dashboard: Readonly<Record<string, unknown>>;
}
const toDashboard = (body: unknown) => body as ShownDashboard;
const listUids = async (token?: string) =>
  ((await world.send('GET', url, undefined, token)).body as ShownDashboard[]).map(({ uid }) => uid);

/** A user with a role of rights on dashboards, and a personal token of theirs. */
async function userWith(actions: readonly string[]): Promise<{ readonly id: string; readonly token: string }> {
  const name = `r${actions.join('')}${Math.random()}`;
  await world.send('POST', '/v2/rbac/roles', { name, orgCapabilities: { dashboards: actions } });
  const user = (await world.send('POST', '/v2/users', { name: 'Grace', email: `${name}@example.com`, role: name }))
    .body;
  const { id } = user as { readonly id: string };
  const made = await world.send('POST', '/v2/personal-tokens', { name: 'laptop', userId: id });
  return { id, token: (made.body as { readonly token: string }).token };
}

describe('documents', () => {
  test('come back as they were sent: spelling of numbers, order, unknown members and kinds', async () => {
    const text =
      '{"name":"One","uid":"x","zeta":{"10":1,"2":60.0, "x" : 1e3},"owner":"X-AXIOM-EVERYONE","charts":[{"id":"a","type":"SectionHeader","datasetId":"<&>","query":null}],"layout":[],"refreshTime":60,"schemaVersion":2,"timeWindowStart":"qr-now-1h","timeWindowEnd":"qr-now"}';
    const made = await world.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/json' },
      payload: `{"uid":"x","dashboard":${text}}`,
    });
    expect(made.status).toBe(201);
    expect((await world.send('GET', at('x'))).text).toContain(`"dashboard":${text}}`);
  });

  test('an owner is added, what the server manages is dropped', async () => {
    const made = await world.send('POST', url, { dashboard: { id: 'q', version: '7', createdBy: 'x', ...document } });
    expect(made).toMatchObject({ status: 201, body: { status: 'created', dashboard: { version: 1 } } });
    expect((made.body as { readonly dashboard: ShownDashboard }).dashboard.dashboard).toEqual({
      ...document,
      owner: everyone,
    });
  });

  test.each([
    [{ ...document, name: '' }, "body 'dashboard.name'"],
    [{ ...document, charts: 1 }, "body 'dashboard.charts'"],
    [{ ...document, charts: [{ id: 'a' }] }, "body 'dashboard.charts[0].type'"],
    [{ ...document, schemaVersion: 1 }, "body 'dashboard.schemaVersion'"],
    [{ ...document, timeWindowEnd: undefined }, "body 'dashboard.timeWindowEnd'"],
    [{ ...document, charts: [chart, chart] }, "charts 0 and 1 have the same id 'a'"],
    [{ ...document, layout: [{ i: 'b', w: 1, h: 1 }] }, "layout 0 is for the chart 'b'"],
    [{ ...document, text: 'x'.repeat(5000) }, 'MILLRACE_MAX_DASHBOARD_BYTES allows 4096'],
    [{ ...document, uid: 'a b' }, "body 'dashboard.uid'"],
    [{ ...document, uid: 'other' }, "it has the uid 'other', and 'x' elsewhere"],
  ])('invalid input is rejected with its position: %#', async (dashboard, problem) => {
    const refused = await world.send('POST', url, { uid: 'x', dashboard });
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_dashboard' } });
    expect(refused.text).toContain(problem);
    expect(await listUids()).toEqual([]);
  });

  test('there are only so many', async () => {
    for (const uid of ['1', '2', '3']) await world.send('POST', url, { uid, dashboard: document });
    const refused = await world.send('POST', url, { uid: '4', dashboard: document });
    expect(refused).toMatchObject({ status: 403, body: { code: 'quota_reached' } });
    expect((await world.send('POST', url, { uid: '3', dashboard: document, overwrite: true })).status).toBe(200);
  });
});

test('all together have only so many bytes, and their versions, too', async () => {
  const long = (bytes: number) => ({ ...document, text: 'x'.repeat(bytes) });
  const write = async (uid: string, bytes: number) =>
    (await world.send('POST', url, { uid, dashboard: long(bytes), overwrite: true })).status;
  expect([await write('1', 3000), await write('2', 3000), await write('2', 100), await write('1', 3500)]).toEqual([
    201, 403, 201, 200,
  ]);
  // A smaller document is always accepted.
  expect([await write('1', 3490), await write('1', 3480), await write('2', 1500)]).toEqual([200, 200, 403]);
  const versions = await world.metadata.database.selectFrom('dashboard_versions').select(['uid', 'version']).execute();
  // For the first dashboard, two old versions reach the size limit.
  expect(versions.filter(({ uid }) => uid === '1').map(({ version }) => version)).toEqual([2, 3, 4]);
});

describe('versions', () => {
  // Stored dashboard · method · request · status · version afterwards.
  test.each([
    ['nothing', 'POST', { version: 1 }, 201, 1],
    ['version 2', 'POST', { overwrite: true }, 200, 3],
    ['version 2', 'POST', {}, 409, 2],
    ['version 2', 'POST', { version: 2 }, 200, 3],
    ['version 2', 'POST', { version: 1 }, 412, 2],
    ['nothing', 'PUT', {}, 201, 1],
    ['nothing', 'PUT', { version: 1 }, 412, undefined],
    ['version 2', 'PUT', { overwrite: true, version: 1 }, 200, 3],
    ['version 2', 'PUT', { version: 2 }, 200, 3],
    ['version 2', 'PUT', {}, 400, 2],
    ['version 2', 'PUT', { version: 1 }, 412, 2],
  ] as const)('%s, %s %j: %i', async (there, method, sent, status, version) => {
    if (there === 'version 2') {
      await world.send('POST', url, { uid: 'x', dashboard: document });
      await world.send('PUT', at('x'), { dashboard: document, version: 1 });
    }
    const answer = await world.send(method, method === 'POST' ? url : at('x'), {
      uid: 'x',
      dashboard: document,
      ...sent,
    });
    expect(answer.status).toBe(status);
    const now = await world.send('GET', at('x'));
    expect(now.status === 404 ? undefined : toDashboard(now.body).version).toBe(version);
    if (status === 409 || (status === 412 && version !== undefined))
      expect(answer.body).toMatchObject({
        code: status === 409 ? 'already_exists' : 'version_conflict',
        uid: 'x',
        currentVersion: 2,
      });
  });

  test('of two writers with the same version one wins', async () => {
    await world.send('POST', url, { uid: 'x', dashboard: document });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.send('PUT', at('x'), { dashboard: document, version: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
  });
});

describe('one chart', () => {
  const patch = (body: object, id = 'a') => world.send('PATCH', `${at('x')}/charts/${id}`, body);
  beforeEach(async () => void (await world.send('POST', url, { uid: 'x', dashboard: document })));

  test('is changed by a merge patch', async () => {
    const answer = await patch({ chart: { name: 'Errors', query: { apl: 'logs' }, gone: null }, version: 1 });
    expect(answer).toMatchObject({ status: 200, body: { status: 'updated', dashboard: { version: 2 } } });
    expect(toDashboard((await world.send('GET', at('x'))).body).dashboard['charts']).toEqual([
      { id: 'a', type: 'TimeSeries', query: { apl: 'logs' }, name: 'Errors' },
    ]);
  });

  test.each([
    [{ chart: {} }, 'a', 400, 'invalid_request'],
    [{ chart: {}, version: 7 }, 'a', 412, 'version_conflict'],
    [{ chart: {}, overwrite: true }, 'b', 404, 'not_found'],
    [{ chart: { id: 'b' }, overwrite: true }, 'a', 400, 'invalid_dashboard'],
    [{ chart: { type: null }, overwrite: true }, 'a', 400, 'invalid_dashboard'],
    [{ chart: 'all of it', overwrite: true }, 'a', 400, 'invalid_dashboard'],
  ])('%j of %s: %i %s', async (body, id, status, code) => {
    expect(await patch(body, id)).toMatchObject({ status, body: { code } });
    expect(toDashboard((await world.send('GET', at('x'))).body)).toMatchObject({ version: 1, dashboard: document });
  });
});

describe('sharing', () => {
  test('a private one is not there for others', async () => {
    const { id, token } = await userWith(['create', 'read', 'update', 'delete']);
    const dashboard = { ...document, owner: id };
    expect((await world.send('POST', url, { uid: 'mine', dashboard }, token)).status).toBe(201);
    expect([await listUids(token), await listUids()]).toEqual([['mine'], []]);
    for (const [method, path, body] of [
      ['GET', at('mine'), undefined],
      ['DELETE', at('mine'), undefined],
      ['PATCH', `${at('mine')}/charts/a`, { chart: {}, overwrite: true }],
    ] as const)
      expect((await world.send(method, path, body)).status).toBe(404);
    expect((await world.send('PUT', at('mine'), { dashboard: document, overwrite: true })).status).toBe(409);
  });

  test('is shared after its user is removed', async () => {
    const { id, token } = await userWith(['create', 'read']);
    await world.send('POST', url, { uid: 'mine', dashboard: { ...document, owner: id } }, token);
    expect((await world.send('DELETE', `/v2/users/${id}`)).status).toBe(204);
    expect(toDashboard((await world.send('GET', at('mine'))).body)).toMatchObject({
      version: 2,
      dashboard: { owner: everyone },
    });
  });

  test('a user cannot create or take a private one for another user', async () => {
    const [one, two] = [await userWith(['create', 'update']), await userWith(['create', 'read', 'update'])];
    const to = (owner: string) => ({ uid: 'x', dashboard: { ...document, owner }, overwrite: true });
    expect((await world.send('POST', url, to(one.id), two.token)).status).toBe(403);
    expect((await world.send('POST', url, to(everyone), one.token)).status).toBe(201);
    expect((await world.send('POST', url, to(two.id), two.token)).status).toBe(403);
    expect((await world.send('POST', url, to(everyone), two.token)).status).toBe(200);
  });

  test.each(['usr_nobody', 'b7c1d2e3-0000-4000-8000-000000000000', 'constructor'])(
    'for %s, an unknown user, is shared, and the response says so',
    async (owner) => {
      const include = '?include=unknownOwner';
      const { token } = await userWith(['create', 'read', 'update']);
      const sent = { uid: 'x', dashboard: { ...document, owner } };
      const made = await world.send('POST', `${url}${include}`, sent, token);
      expect(made).toMatchObject({
        status: 201,
        body: { unknownOwner: owner, dashboard: { dashboard: { owner: everyone } } },
      });
      expect([await listUids(token), await listUids()]).toEqual([['x'], ['x']]);
      expect(await world.send('PUT', `${at('x')}${include}`, { ...sent, overwrite: true }, token)).toMatchObject({
        status: 200,
        body: { unknownOwner: owner },
      });
      for (const [path, body] of [
        [`${at('x')}${include}`, { dashboard: document }],
        [at('x'), sent],
      ] as const)
        expect((await world.send('PUT', path, { ...body, overwrite: true }, token)).body).not.toHaveProperty(
          'unknownOwner',
        );
    },
  );

  test('making needs create, replacing needs update', async () => {
    await world.send('POST', url, { uid: 'x', dashboard: document });
    const create = await world.token({ orgCapabilities: { dashboards: ['create'] } });
    const update = await world.token({ orgCapabilities: { dashboards: ['update'] } });
    const body = { uid: 'x', dashboard: document, overwrite: true };
    expect((await world.send('POST', url, body, create)).status).toBe(403);
    expect((await world.send('PUT', at('y'), { dashboard: document }, update)).status).toBe(403);
    expect((await world.send('PUT', at('x'), body, update)).status).toBe(200);
  });
});

test('pages by name', async () => {
  for (const name of ['b', 'c', 'a']) await world.send('POST', url, { uid: name, dashboard: { ...document, name } });
  const page = (await world.send('GET', `${url}?limit=2&offset=1`)).body as ShownDashboard[];
  expect(page.map(({ uid }) => uid)).toEqual(['b', 'c']);
});

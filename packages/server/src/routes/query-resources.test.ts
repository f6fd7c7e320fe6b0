import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
  for (const name of ['a', 'b']) await world.send('POST', '/v2/datasets', { name });
});
afterEach(() => world.close());

const idOf = ({ body }: { readonly body: unknown }): string => (body as { id: string }).id;
const names = async (url: string, token?: string) =>
  ((await world.send('GET', url, undefined, token)).body as { name?: string; title?: string }[]).map(
    ({ name, title }) => name ?? title,
  );

describe('annotations', () => {
  const url = '/v2/annotations';

  test('are shown to users with the query right on all their datasets', async () => {
    const made = await world.send('POST', url, { datasets: ['a', 'b'], type: 'alert', title: 'host is db-1' });
    const { id } = made.body as { id: string };
    const shownTo = async (names: readonly string[]) => {
      const datasetCapabilities = Object.fromEntries(names.map((name) => [name, { query: ['read' as const] }]));
      const token = await world.token({ orgCapabilities: { annotations: ['read', 'update'] }, datasetCapabilities });
      const listed = (await world.send('GET', url, undefined, token)).body as readonly unknown[];
      const replies = [
        await world.send('GET', `${url}/${id}`, undefined, token),
        await world.send('PUT', `${url}/${id}`, { description: 'x' }, token),
      ];
      return [listed.length, ...replies.map(({ status }) => status)];
    };
    expect(await shownTo(['a'])).toEqual([0, 404, 404]);
    expect(await shownTo(['a', 'b'])).toEqual([1, 200, 200]);
  });
  const deploy = {
    datasets: ['a'],
    type: 'deploy',
    title: 'one',
    url: 'some-url',
    time: '2026-11-20T09:00:00.123456789Z',
  };

  test('create (201) = get = list element, to the nanosecond as sent', async () => {
    const created = await world.send('POST', url, { ...deploy, description: null, endTime: '0001-01-01T00:00:00Z' });
    expect(created).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^ann_/), ...deploy } });
    expect((await world.send('GET', `${url}/${idOf(created)}`)).body).toEqual(created.body);
    expect((await world.send('GET', url)).body).toEqual([created.body]);
    expect((await world.send('DELETE', `${url}/${idOf(created)}`)).status).toBe(204);
    expect((await world.send('GET', `${url}/${idOf(created)}`)).status).toBe(404);
  });

  test('the time is now to the second if left out', async () => {
    world.advance(123);
    expect((await world.send('POST', url, { datasets: ['a'], type: 'x' })).body).toMatchObject({
      time: '2026-11-20T10:00:00Z',
    });
  });

  test.each([
    ['2026-11-20T09:00:00.000Z', '2026-11-20T09:00:00Z'],
    ['2026-11-20T09:00:00.120+01:00', '2026-11-20T09:00:00.12+01:00'],
    ['2026-11-20T09:00:00.000000001Z', '2026-11-20T09:00:00.000000001Z'],
    ['2026-11-20T09:00:00-05:30', '2026-11-20T09:00:00-05:30'],
  ])('times have no needless zeros: %s', async (sent, shown) => {
    const endTime = sent.replace('11-20', '11-30');
    const expected = { time: shown, endTime: shown.replace('11-20', '11-30') };
    const made = await world.send('POST', url, { ...deploy, time: sent, endTime });
    expect(made.body).toMatchObject(expected);
    const one = `${url}/${idOf(made)}`;
    expect((await world.send('GET', one)).body).toMatchObject(expected);
    expect((await world.send('GET', url)).body).toMatchObject([expected]);
    expect((await world.send('PUT', one, { title: 'two' })).body).toMatchObject({ ...expected, title: 'two' });
  });

  test('an update changes what it names', async () => {
    const id = idOf(await world.send('POST', url, deploy));
    expect((await world.send('PUT', `${url}/${id}`, { datasets: ['b'], title: 'two' })).body).toEqual({
      id,
      ...deploy,
      datasets: ['b'],
      title: 'two',
    });
    expect(await names(`${url}?datasets=a`)).toEqual([]);
    expect(await names(`${url}?datasets=b`)).toEqual(['two']);
  });

  test('filters', async () => {
    await world.send('POST', url, { ...deploy, endTime: '2026-11-20T09:30:00Z' });
    await world.send('POST', url, { ...deploy, title: 'two', datasets: ['a', 'b'], time: '2026-11-20T10:00:00Z' });
    await world.send('POST', url, { ...deploy, title: 'three', datasets: ['c'], time: '2026-11-20T11:00:00Z' });
    const zero = '0001-01-01T00:00:00Z';
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['', ['one', 'two', 'three']],
      ['datasets=a', ['one', 'two']],
      ['datasets=b&datasets=c', ['two', 'three']],
      ['datasets=b,c', ['two', 'three']],
      [`start=${zero}&start=${zero}`, ['one', 'two', 'three']],
      ['start=2026-11-20T09:30:00Z', ['one', 'two', 'three']],
      ['start=2026-11-20T09:30:01Z', ['two', 'three']],
      ['end=2026-11-20T10:00:00Z', ['one']],
      ['start=2026-11-20T09:45:00Z&end=2026-11-20T10:30:00Z&datasets=a', ['two']],
    ];
    for (const [query, expected] of cases) expect([query, await names(`${url}?${query}`)]).toEqual([query, expected]);
    expect((await world.send('GET', `${url}?start=yesterday`)).status).toBe(400);
  });

  test.each([
    ['no dataset', { ...deploy, datasets: [] }],
    ['type', { ...deploy, type: 'De ploy' }],
    ['long title', { ...deploy, title: 'x'.repeat(257) }],
    ['long url', { ...deploy, url: 'x'.repeat(513) }],
    ['ends before it begins', { ...deploy, endTime: '2026-11-20T08:00:00Z' }],
  ])('mistake: %s', async (_, body) => expect((await world.send('POST', url, body)).status).toBe(400));
});

describe('virtual fields', () => {
  const url = '/v2/vfields';
  const sum = { dataset: 'a', name: 'sum', expression: 'x + y', description: 'd', type: 'number', unit: 'ms' };

  test('create = get = list element; replace; delete', async () => {
    const created = await world.send('POST', url, sum);
    expect(created.body).toEqual({ id: idOf(created), ...sum });
    expect((await world.send('GET', `${url}/${idOf(created)}`)).body).toEqual(created.body);
    expect((await world.send('GET', `${url}?dataset=a`)).body).toEqual([created.body]);
    const replaced = await world.send('PUT', `${url}/${idOf(created)}`, { dataset: 'a', name: 'sum', expression: 'x' });
    expect(replaced.body).toEqual({ id: idOf(created), dataset: 'a', name: 'sum', expression: 'x' });
    expect((await world.send('DELETE', `${url}/${idOf(created)}`)).status).toBe(204);
    expect((await world.send('GET', `${url}?dataset=a`)).body).toEqual([]);
  });

  test('names are unique in a dataset, and the dataset must exist', async () => {
    await world.send('POST', url, sum);
    expect((await world.send('POST', url, sum)).body).toMatchObject({
      code: 409,
      message: "virtual field 'sum' already exists",
    });
    expect((await world.send('POST', url, { ...sum, dataset: 'b' })).status).toBe(200);
    expect((await world.send('POST', url, { ...sum, dataset: 'nope' })).status).toBe(404);
    expect((await world.send('GET', `${url}?dataset=nope`)).status).toBe(404);
    expect((await world.send('GET', url)).status).toBe(400);
  });

  test.each(['_time', '_sysTime', '_rowId', '_cursor', '_source'])(
    'none takes the place of the system field %s',
    async (name) => {
      expect(await world.send('POST', url, { ...sum, name })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(`'${name}' cannot be the name of a virtual field`) },
      });
      const id = idOf(await world.send('POST', url, sum));
      expect((await world.send('PUT', `${url}/${id}`, { ...sum, name })).status).toBe(400);
    },
  );

  test('rights on one dataset end there, whichever way the dataset is named', async () => {
    const id = idOf(await world.send('POST', url, sum));
    const token = await world.token({
      datasetCapabilities: { b: { virtualFields: ['create', 'read', 'update', 'delete'] } },
    });
    const own = idOf(await world.send('POST', url, { ...sum, dataset: 'b' }, token));
    const attempts: readonly (readonly ['GET' | 'POST' | 'PUT' | 'DELETE', string, object?])[] = [
      ['GET', `${url}?dataset=a`],
      ['GET', `${url}/${id}`],
      ['POST', url, { ...sum, name: 'other' }],
      ['PUT', `${url}/${id}`, { ...sum, dataset: 'b' }],
      ['PUT', `${url}/${own}`, { ...sum, name: 'moved' }],
      ['DELETE', `${url}/${id}`],
    ];
    for (const [method, path, body] of attempts)
      expect([method, path, (await world.send(method, path, body, token)).status]).toEqual([method, path, 403]);
    expect(await names(`${url}?dataset=a`)).toEqual(['sum']);
    expect(await names(`${url}?dataset=b`, token)).toEqual(['sum']);
  });
});

describe('views', () => {
  const url = '/v2/views';
  const view = { name: 'failures', aplQuery: 'a | where x > 1' };

  test('create = get = list element; replace; delete', async () => {
    const created = await world.send('POST', url, view);
    expect(created.body).toEqual({ id: idOf(created), ...view, datasets: [], description: '' });
    expect((await world.send('GET', `${url}/${idOf(created)}`)).body).toEqual(created.body);
    const replaced = await world.send('PUT', `${url}/${idOf(created)}`, { ...view, description: 'd', datasets: ['a'] });
    expect((await world.send('GET', url)).body).toEqual([replaced.body]);
    expect((await world.send('DELETE', `${url}/${idOf(created)}`)).status).toBe(204);
    expect((await world.send('GET', url)).body).toEqual([]);
  });

  test('its query must be one the caller can run', async () => {
    expect((await world.send('POST', url, { ...view, aplQuery: 'nonsense' })).body).toMatchObject({
      code: 400,
      message: expect.stringContaining('line 1'),
    });
    const id = idOf(await world.send('POST', url, view));
    expect((await world.send('PUT', `${url}/${id}`, { ...view, aplQuery: 'nonsense' })).status).toBe(400);
  });

  test('datasets and views do not share names', async () => {
    expect((await world.send('POST', url, { ...view, name: 'a' })).body).toMatchObject({
      message: "dataset 'a' already exists",
    });
    const id = idOf(await world.send('POST', url, view));
    expect((await world.send('PUT', `${url}/${id}`, { ...view, name: 'b' })).status).toBe(409);
    expect((await world.send('POST', '/v2/datasets', { name: 'failures' })).body).toMatchObject({
      message: "view 'failures' already exists",
    });
  });
});

describe('saved queries', () => {
  const url = '/v2/apl-starred-queries';
  const query = {
    kind: 'apl',
    dataset: 'a',
    name: 'mine',
    query: { apl: "a | where x == 'Needle'", variables: { v: null } },
    metadata: { k: 'v' },
  };

  test('create = get = list element, the query as it was sent; replace; delete', async () => {
    const created = await world.send('POST', url, { ...query, who: '' });
    expect(created.body).toMatchObject({
      ...query,
      id: expect.stringMatching(/^star_/),
      created: '2026-11-20T10:00:00.000Z',
    });
    expect((await world.send('GET', `${url}/${idOf(created)}`)).body).toEqual(created.body);
    expect((await world.send('GET', url)).body).toEqual([created.body]);
    world.advance(1000);
    const replaced = await world.send('PUT', `${url}/${idOf(created)}`, { ...query, name: 'new' });
    expect(replaced.body).toMatchObject({ name: 'new', created: '2026-11-20T10:00:00.000Z' });
    expect((await world.send('DELETE', `${url}/${idOf(created)}`)).status).toBe(204);
  });

  test('owner, topic, text and page', async () => {
    const user = idOf(await world.send('POST', '/v2/users', { name: 'B', email: 'b@example.com', role: 'user' }));
    const { token } = (await world.send('POST', '/v2/personal-tokens', { name: 't', userId: user })).body as {
      token: string;
    };
    await world.send('POST', url, query);
    await world.send('POST', url, { ...query, name: 'for all', who: 'team', dataset: 'b', query: { apl: 'b' } });
    await world.send('POST', url, { ...query, name: 'theirs' }, token);
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['', ['mine']],
      ['who=all', ['mine', 'for all', 'theirs']],
      ['who=team', ['for all', 'theirs']],
      [`who=${user}`, ['theirs']],
      ['who=all&dataset=b', ['for all']],
      ['who=all&qs=needle', ['mine', 'theirs']],
      ['who=all&limit=1&offset=1', ['for all']],
    ];
    for (const [search, expected] of cases)
      expect([search, await names(`${url}?${search}`)]).toEqual([search, expected]);
    expect(await names(`${url}?who=all`, token)).toHaveLength(3);
    expect((await world.send('GET', `${url}?who=usr_other`, undefined, token)).status).toBe(403);
    expect((await world.send('GET', `${url}?limit=1001`)).status).toBe(400);
  });

  test('entries of another user are read-only or hidden; entries of the team can be changed', async () => {
    const user = idOf(await world.send('POST', '/v2/users', { name: 'B', email: 'b@example.com', role: 'user' }));
    const { token } = (await world.send('POST', '/v2/personal-tokens', { name: 't', userId: user })).body as {
      token: string;
    };
    const mine = idOf(await world.send('POST', url, query));
    const team = idOf(await world.send('POST', url, { ...query, who: 'team' }));
    expect((await world.send('GET', `${url}/${mine}`, undefined, token)).status).toBe(200);
    expect((await world.send('PUT', `${url}/${mine}`, query, token)).status).toBe(403);
    expect((await world.send('DELETE', `${url}/${mine}`, undefined, token)).status).toBe(403);
    expect((await world.send('PUT', `${url}/${team}`, { ...query, who: 'team' }, token)).status).toBe(200);
    // The owner stays the team unless the body names another.
    for (const body of [query, { ...query, who: '' }])
      expect((await world.send('PUT', `${url}/${team}`, body, token)).body).toMatchObject({ who: 'team' });
    expect((await world.send('PUT', `${url}/${team}`, query)).status).toBe(200);
  });

  test('what only a removed user could read goes with the user; the rest is anybody’s to change', async () => {
    const user = idOf(await world.send('POST', '/v2/users', { name: 'B', email: 'b@example.com', role: 'user' }));
    const { body } = await world.send('POST', '/v2/personal-tokens', { name: 't', userId: user });
    const { token } = body as { token: string };
    const own = idOf(await world.send('POST', url, { ...query, dataset: '' }));
    const theirs = idOf(await world.send('POST', url, query, token));
    await world.send('POST', url, { ...query, dataset: '' }, token);
    expect((await world.send('DELETE', `/v2/users/${user}`)).status).toBe(204);
    const left = (await world.metadata.starredQueries.list()).map(({ id }) => id);
    expect(left).toEqual([own, theirs]);
    expect((await world.send('PUT', `${url}/${theirs}`, { ...query, name: 'kept' })).status).toBe(200);
    expect((await world.send('DELETE', `${url}/${theirs}`)).status).toBe(204);
  });

  test('the owner can be oneself or the team', async () => {
    const user = idOf(await world.send('POST', '/v2/users', { name: 'B', email: 'b@example.com', role: 'user' }));
    const mine = (await world.send('POST', url, query)).body as { id: string; who: string };
    expect((await world.send('POST', url, { ...query, who: mine.who })).body).toMatchObject({ who: mine.who });
    for (const [method, at] of [
      ['POST', url],
      ['PUT', `${url}/${mine.id}`],
    ] as const) {
      const { status, text } = await world.send(method, at, { ...query, who: user });
      expect([status, text]).toEqual([400, expect.stringContaining("'who' must be your own user id or 'team'")]);
    }
    expect((await world.send('GET', `${url}/${mine.id}`)).body).toEqual(mine);
  });

  test('rights on one dataset end there', async () => {
    const token = await world.token({
      datasetCapabilities: { b: { starredQueries: ['create', 'read', 'update', 'delete'] } },
    });
    const id = idOf(await world.send('POST', url, query));
    expect((await world.send('POST', url, query, token)).status).toBe(403);
    expect((await world.send('GET', `${url}/${id}`, undefined, token)).status).toBe(403);
    expect(await names(`${url}?who=all`, token)).toEqual([]);
    const own = idOf(await world.send('POST', url, { ...query, dataset: 'b' }, token));
    expect((await world.send('PUT', `${url}/${own}`, query, token)).status).toBe(403);
  });

  test('an API token owns what it made, and neither lists nor changes what others own', async () => {
    const starredQueries = ['create' as const, 'read' as const, 'update' as const, 'delete' as const];
    const make = () => world.token({ datasetCapabilities: { a: { starredQueries } } });
    const [one, other] = [await make(), await make()];
    const users = idOf(await world.send('POST', url, query));
    const own = idOf(await world.send('POST', url, { ...query, name: 'of the token' }, one));
    const team = idOf(await world.send('POST', url, { ...query, name: 'for all', who: 'team' }));
    expect(await names(`${url}?who=all`, one)).toEqual(['of the token', 'for all']);
    expect(await names(`${url}?who=all`, other)).toEqual(['for all']);
    expect(await names(url, one)).toEqual(['of the token']);
    const statuses = async (token: string, id: string) => [
      (await world.send('GET', `${url}/${id}`, undefined, token)).status,
      (await world.send('PUT', `${url}/${id}`, query, token)).status,
      (await world.send('DELETE', `${url}/${id}`, undefined, token)).status,
    ];
    for (const [token, id] of [
      [one, users],
      [other, own],
    ] as const)
      expect(await statuses(token, id)).toEqual([404, 403, 403]);
    expect(await statuses(one, team)).toEqual([200, 403, 403]);
    expect(await statuses(one, own)).toEqual([200, 200, 204]);
  });

  test.each([
    ['no query', { ...query, query: undefined }],
    ['no apl', { ...query, query: {} }],
    ['another kind', { ...query, kind: 'mpl' }],
  ])('mistake: %s', async (_, body) => expect((await world.send('POST', url, body)).status).toBe(400));
});

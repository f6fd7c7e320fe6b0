import { EngineError } from '@millrace/engine';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyRetention, ensureAuditDataset } from '@millrace/metadata/datasets/lifecycle';
import { lockedSchemaOf } from '@millrace/ingest/target';
import { httpError } from '@millrace/api/errors';
import { createTestServer, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
  await world.send('POST', '/v2/datasets', { name: 'logs' });
});
afterEach(() => world.close());

const day = 86_400_000;
const nanoseconds = (milliseconds: number): bigint => BigInt(milliseconds) * 1_000_000n;

describe('datasets', () => {
  test('update = get = list element', async () => {
    world.advance(5);
    const { body } = await world.send('PUT', '/v2/datasets/logs', {
      description: 'new',
      retentionDays: 30,
      useRetentionPeriod: true,
    });
    expect(body).toMatchObject({ id: 'logs', description: 'new', retentionDays: 30, useRetentionPeriod: true });
    expect((await world.send('GET', '/v2/datasets/logs')).body).toEqual(body);
    expect((await world.send('GET', '/v2/datasets')).body).toContainEqual(body);
  });

  test('members that an update omits, or sends as null, are kept', async () => {
    await world.send('PUT', '/v2/datasets/logs', { description: 'kept', retentionDays: 30, useRetentionPeriod: true });
    expect((await world.send('PUT', '/v2/datasets/logs', { description: null })).body).toMatchObject({
      description: 'kept',
      retentionDays: 30,
    });
  });

  test('zero values of Go programs are no mistake', async () => {
    const body = { name: 'go', description: 'This is a test', retentionDays: 0, useRetentionPeriod: false };
    expect((await world.send('POST', '/v2/datasets?referrer=x', body)).status).toBe(200);
  });

  test('is created on the named shard, which must exist', async () => {
    expect((await world.send('POST', '/v2/datasets?shard=1', { name: 'first' })).status).toBe(200);
    expect((await world.send('POST', '/v2/datasets?shard=2', { name: 'second' })).body).toMatchObject({
      message: 'shard 2 not found; list shards with GET /v1/shards',
    });
    expect((await world.send('POST', '/v2/datasets?shard=0', { name: 'none' })).status).toBe(400);
    const { body } = await world.send('GET', '/v1/shards');
    expect(body).toEqual([{ shard: 1, ready: true, datasets: expect.arrayContaining(['first', 'logs']) }]);
    expect(JSON.stringify(body)).not.toMatch(/second|none/);
  });

  test('version 1 shows the same datasets in its own shape', async () => {
    const { body } = await world.send('POST', '/v1/datasets', { name: 'old', description: 'd', region: 'eu' });
    expect(body).toEqual({
      id: 'old',
      name: 'old',
      description: 'd',
      who: 'Owner',
      created: '2026-11-20T10:00:00.000Z',
      region: 'eu',
      edgeDeployment: 'eu',
    });
    expect((await world.send('GET', '/v1/datasets/old')).body).toEqual(body);
    const other = await world.send('POST', '/v1/datasets', { name: 'edge', edgeDeployment: 'eu' });
    expect(other.body).toMatchObject({ region: 'eu', edgeDeployment: 'eu' });
    expect((await world.send('GET', '/v1/datasets')).body).toContainEqual(body);
    expect((await world.send('PUT', '/v1/datasets/old', { description: 'e' })).body).toMatchObject({
      description: 'e',
    });
    expect((await world.send('GET', '/v2/datasets/old')).body).toMatchObject({
      edgeDeployment: 'eu',
      description: 'e',
    });
    expect((await world.send('DELETE', '/v1/datasets/old')).status).toBe(204);
    expect((await world.send('GET', '/v1/datasets/old')).status).toBe(404);
  });

  test('a second one of the same name is refused', async () => {
    expect(await world.send('POST', '/v2/datasets', { name: 'logs' })).toMatchObject({
      status: 409,
      body: { code: 409, message: "dataset 'logs' already exists" },
    });
    expect((await world.send('POST', '/v1/datasets', { name: 'logs' })).status).toBe(409);
  });

  test.each([
    '../../etc/passwd',
    '..',
    '_apl',
    'a/b',
    '',
    'x'.repeat(129),
    '__proto__',
    'a\r\nX-Injected: 1',
    'millrace-mine',
    '\uD800',
  ])('a dataset called %j is refused', async (name) =>
    expect((await world.send('POST', '/v2/datasets', { name })).status).toBe(400),
  );

  test('the creator: the user of the token', async () => {
    const token = await world.token({ orgCapabilities: { datasets: ['create'] } });
    expect((await world.send('POST', '/v2/datasets', { name: 'made' }, token)).body).toMatchObject({ who: 'Owner' });
  });

  test('a dataset the storage has no place for is not made', async () => {
    world.data.failure = httpError('storage-unavailable', {});
    const { status } = await world.inject({
      method: 'POST',
      url: '/v2/datasets',
      headers: { authorization: `Bearer ${world.owner}` },
      payload: '{"name":"unlucky"}',
    });
    expect(status).toBe(503);
    expect((await world.send('GET', '/v2/datasets/unlucky')).status).toBe(404);
    expect((await world.send('POST', '/v2/datasets', { name: 'unlucky' })).status).toBe(200);
  });

  test('a deletion that the storage cannot finish looks complete and is finished at the next start', async () => {
    world.data.failure = httpError('storage-unavailable', {});
    expect((await world.send('DELETE', '/v2/datasets/logs')).status).toBe(503);
    expect((await world.send('GET', '/v2/datasets/logs')).status).toBe(404);
    expect(await world.metadata.datasets.toDrop()).toHaveLength(1);
    expect((await world.send('POST', '/v2/datasets', { name: 'logs' })).status).toBe(200);
    expect(world.metadata.datasets.get('logs').datasetId).toBe(2);
  });

  test('contents and presentation of the audit log cannot be changed', async () => {
    await ensureAuditDataset(world.deps);
    await ensureAuditDataset(world.deps);
    const url = '/v2/datasets/millrace-audit';
    expect((await world.send('GET', url)).body).toMatchObject({ canWrite: false });
    const attempts: readonly (readonly ['POST' | 'PUT', string, object])[] = [
      ['PUT', `${url}/schema`, { fields: [] }],
      ['PUT', `${url}/mapfields`, ['actor']],
      ['POST', `${url}/mapfields`, { name: 'actor' }],
      ['POST', '/v2/vfields', { dataset: 'millrace-audit', name: 'outcome', expression: "'changed'" }],
    ];
    for (const [method, path, body] of attempts)
      expect([path, (await world.send(method, path, body)).status]).toEqual([path, 403]);
    const token = await world.token({ orgCapabilities: { datasets: ['create', 'read', 'update', 'delete'] } });
    const retention = { retentionDays: 1, useRetentionPeriod: true };
    expect(await world.send('PUT', url, retention, token)).toMatchObject({ status: 403 });
    expect(await world.send('PUT', url, { description: 'kept' }, token)).toMatchObject({ status: 200 });
    expect(await world.send('PUT', url, retention)).toMatchObject({ status: 200, body: retention });
    expect(await world.send('DELETE', '/v2/datasets/millrace-audit')).toMatchObject({ status: 403 });
    expect((await world.send('POST', '/v2/datasets/millrace-audit/trim', { maxDuration: '1s' })).status).toBe(403);
  });
});

describe('trim', () => {
  test.each([
    ['1s', 1000],
    ['1h30m', 5_400_000],
    ['7d', 7 * day],
    ['1.5s', 1500],
    ['0.001s', 1],
  ])('%s', async (maxDuration, age) => {
    expect(await world.send('POST', '/v2/datasets/logs/trim', { maxDuration })).toMatchObject({
      status: 204,
      text: '',
    });
    expect((await world.send('POST', '/v1/datasets/logs/trim', { maxDuration })).body).toEqual({ numDeleted: 3 });
    const olderThan = nanoseconds(world.now() - age);
    expect(world.data.trims).toEqual([
      { name: 'logs', olderThan },
      { name: 'logs', olderThan },
    ]);
  });

  test.each(['9999999h', '99999999999999999999999w'])(
    '%s reaches back to the oldest time there is',
    async (maxDuration) => {
      await world.send('POST', '/v2/datasets/logs/trim', { maxDuration });
      expect(world.data.trims).toEqual([{ name: 'logs', olderThan: nanoseconds(Date.UTC(1900, 0, 1)) }]);
    },
  );

  test.each<readonly [unknown, string]>([
    ...['', 'soon', '1', '-1s', '1y', 's', '1s '].map((given) => [given, 'is not a duration'] as const),
    // A program that leaves its duration unset sends this.
    ...['0s', '0h0m0s', '0.0ns'].map((given) => [given, 'must be more than 0'] as const),
    ...['0.1ns', '0.5ns', '0.0001us0.9ns'].map((given) => [given, 'is shorter than a nanosecond'] as const),
    [null, "body 'maxDuration' is required"],
    [0, "body 'maxDuration' must be a string"],
  ])('%j is refused', async (maxDuration, problem) => {
    for (const version of ['v1', 'v2']) {
      const { status, text } = await world.send('POST', `/${version}/datasets/logs/trim`, { maxDuration });
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(problem) as string });
    }
    expect(world.data.trims).toEqual([]);
  });
});

test.each([
  ['POST', '/v1/datasets/logs/trim', { maxDuration: '1s' }],
  ['POST', '/v2/datasets/logs/trim', { maxDuration: '1s' }],
  ['POST', '/v2/datasets/logs/vacuum', undefined],
  ['GET', '/v1/datasets/logs/info', undefined],
] as const)('%s %s is a 404 when the dataset is deleted concurrently', async (method, url, body) => {
  world.data.failure = new EngineError('unknown-table');
  expect(await world.send(method, url, body)).toMatchObject({
    status: 404,
    text: expect.stringContaining("dataset 'logs' not found") as string,
  });
});

test('vacuum: once a day', async () => {
  world.data.vacuumedFields = ['gone'];
  expect((await world.send('POST', '/v2/datasets/logs/vacuum')).body).toEqual({ fields: ['gone'] });
  world.advance(day - 1);
  const tooSoon = await world.send('POST', '/v2/datasets/logs/vacuum');
  expect([tooSoon.status, tooSoon.headers['retry-after']]).toEqual([429, 'Sat, 21 Nov 2026 10:00:00 GMT']);
  world.advance(1);
  expect((await world.send('POST', '/v2/datasets/logs/vacuum')).status).toBe(200);
  // The clock had been far ahead.
  world.advance(-400 * day);
  expect((await world.send('POST', '/v2/datasets/logs/vacuum')).status).toBe(200);
});

test('of two vacuums at once the second is refused, however long the first takes', async () => {
  await world.send('POST', '/v2/datasets', { name: 'other' });
  let vacuums = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  world.data.deletions.vacuum = async ({ name }) => {
    vacuums++;
    if (name === 'logs') await ended;
    return [];
  };
  const first = world.send('POST', '/v2/datasets/logs/vacuum');
  await expect.poll(() => vacuums).toBe(1);
  expect(await world.send('POST', '/v2/datasets/logs/vacuum')).toMatchObject({
    status: 429,
    body: { message: "dataset 'logs' is being vacuumed; wait until that is done" },
  });
  expect((await world.send('POST', '/v2/datasets/other/vacuum')).status).toBe(200);
  end();
  expect((await first).status).toBe(200);
  expect((await world.send('POST', '/v2/datasets/logs/vacuum')).text).toContain('less than a day ago');
  expect(vacuums).toBe(2);
});

test('a vacuum that fails can be tried again', async () => {
  world.data.failure = httpError('storage-unavailable', {});
  expect((await world.send('POST', '/v2/datasets/logs/vacuum')).status).toBe(503);
  expect((await world.send('POST', '/v2/datasets/logs/vacuum')).status).toBe(200);
});

test('info', async () => {
  expect((await world.send('GET', '/v1/datasets/logs/info')).body).toMatchObject({
    numEvents: 0,
    numBlocks: 0,
    numFields: 2,
    fields: [{ name: '_sysTime' }, { name: '_time' }],
  });
  world.data.size = { rows: 10, bytes: 1536, rawBytes: 2_500_000, minTime: 1_000_000_001n, maxTime: 2_000_000_000n };
  expect((await world.send('GET', '/v1/datasets/logs/info')).body).toMatchObject({
    numEvents: 10,
    compressedBytesHuman: '1.5 kB',
    inputBytesHuman: '2.5 MB',
    minTime: '1970-01-01T00:00:01.000000001Z',
    maxTime: '1970-01-01T00:00:02Z',
  });
});

describe('map fields', () => {
  const url = '/v2/datasets/logs/mapfields';

  test('declare, list, replace, remove', async () => {
    expect((await world.send('POST', url, { name: 'foo' })).body).toEqual({ name: 'foo' });
    expect((await world.send('GET', url)).body).toEqual(['foo']);
    expect((await world.send('PUT', url, ['bar', 'a.b'])).body).toEqual(['bar', 'a.b']);
    expect((await world.send('DELETE', `${url}/a.b`)).status).toBe(204);
    expect((await world.send('GET', url)).body).toEqual(['bar']);
    expect((await world.send('GET', '/v2/datasets/logs')).body).toMatchObject({ mapFields: ['bar'] });
  });

  test('mistakes change nothing', async () => {
    await world.send('PUT', url, ['foo']);
    expect((await world.send('POST', url, { name: 'foo' })).status).toBe(409);
    expect((await world.send('POST', url, { name: '__invalid__' })).status).toBe(400);
    expect((await world.send('PUT', url, ['a', 'a'])).status).toBe(400);
    expect((await world.send('PUT', url, ['a', '__invalid__'])).status).toBe(400);
    expect((await world.send('PUT', url, { name: 'a' })).status).toBe(400);
    const many = Array.from({ length: 10_001 }, (_, i) => `f${i}`);
    expect((await world.send('PUT', url, many)).body).toMatchObject({
      message: expect.stringContaining('more than 10000 members'),
    });
    expect((await world.send('DELETE', `${url}/nope`)).status).toBe(404);
    expect((await world.send('GET', url)).body).toEqual(['foo']);
  });

  test.each([
    ['axiom:events:v1', []],
    ['otel:logs:v1', ['attributes.custom']],
    ['otel:traces:v1', ['attributes.custom']],
    ['otel:metrics:v1', []],
  ])('a dataset of kind %s begins with %j', async (kind, mapFields) =>
    expect((await world.send('POST', '/v2/datasets', { name: 'kind', kind })).body).toMatchObject({ kind, mapFields }),
  );

  test('of many declared at once, none is lost', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => world.send('POST', url, { name: `f${i}` })));
    expect((await world.send('GET', url)).body).toHaveLength(20);
  });
});

describe('locked schemas', () => {
  const url = '/v2/datasets/logs/schema';
  const schema = {
    fields: [
      { name: 'a.b', types: ['integer', 'string'] },
      { name: 'x__proto__y', types: ['map'] },
    ],
  };

  test('lock, look, unlock', async () => {
    expect((await world.send('GET', url)).status).toBe(404);
    expect((await world.send('PUT', url, schema)).body).toEqual(schema);
    expect((await world.send('GET', url)).body).toEqual(schema);
    expect(lockedSchemaOf(world.metadata.datasets.get('logs'))).toEqual({
      fields: new Map([
        ['a.b', ['integer', 'string']],
        ['x__proto__y', ['map']],
      ]),
    });
    await world.send('PUT', '/v2/datasets/logs', { description: 'changed' });
    expect((await world.send('GET', url)).body).toEqual(schema);
    expect((await world.send('DELETE', url)).status).toBe(204);
    expect((await world.send('GET', url)).status).toBe(404);
    expect(lockedSchemaOf(world.metadata.datasets.get('logs'))).toBeUndefined();
  });

  test('what may be a map is kept whole', async () => {
    await world.send('POST', '/v2/datasets/logs/mapfields', { name: 'labels' });
    expect((await world.send('PUT', url, { fields: [{ name: 'm', types: ['map', 'string'] }] })).status).toBe(200);
    expect((await world.send('GET', '/v2/datasets/logs/mapfields')).body).toEqual(['labels', 'm']);
  });

  test('what may be a map stays a map field until the schema says otherwise', async () => {
    const mapFields = '/v2/datasets/logs/mapfields';
    await world.send('PUT', url, { fields: [{ name: 'm', types: ['map'] }] });
    for (const removal of [world.send('DELETE', `${mapFields}/m`), world.send('PUT', mapFields, ['labels'])])
      expect(await removal).toMatchObject({ status: 403, text: expect.stringContaining("declares 'm' as a map") });
    expect((await world.send('PUT', mapFields, ['labels', 'm'])).status).toBe(200);
    expect((await world.send('DELETE', `${mapFields}/labels`)).status).toBe(204);
    await world.send('PUT', url, { fields: [{ name: 'm', types: ['string'] }] });
    expect((await world.send('DELETE', `${mapFields}/m`)).status).toBe(204);
  });

  test("the system's times may be declared", async () => {
    const fields = [{ name: '_time', types: ['datetime'] }];
    expect((await world.send('PUT', url, { fields })).body).toEqual({ fields });
  });

  test.each([
    ['no types', [{ name: 'a', types: [] }]],
    ['unknown type', [{ name: 'a', types: ['number'] }]],
    ['a type twice', [{ name: 'a', types: ['map', 'map'] }]],
    [
      'a field twice',
      [
        { name: 'a', types: ['map'] },
        { name: 'a', types: ['array'] },
      ],
    ],
    ['no name', [{ name: '', types: ['map'] }]],
    ['a time, which no event has', [{ name: 'at', types: ['datetime'] }]],
    ['a map that can be no map field', [{ name: '_x', types: ['map'] }]],
  ])('mistake: %s', async (_, fields) => expect((await world.send('PUT', url, { fields })).status).toBe(400));
});

test('retention removes expired data, dataset by dataset', async () => {
  await world.send('POST', '/v2/datasets', { name: 'short', retentionDays: 2, useRetentionPeriod: true });
  await world.send('POST', '/v2/datasets', { name: 'unused', retentionDays: 2, useRetentionPeriod: false });
  await world.send('POST', '/v2/datasets', { name: 'zero', retentionDays: 0, useRetentionPeriod: true });
  await world.send('POST', '/v2/datasets', { name: 'a-broken', retentionDays: 1, useRetentionPeriod: true });
  world.data.failure = new Error('no engine');
  const failed: string[] = [];
  expect(await applyRetention(world.deps, world.now, ({ name }) => failed.push(name))).toBe(3);
  expect(failed).toEqual(['a-broken']);
  expect(world.data.trims).toEqual([{ name: 'short', olderThan: nanoseconds(world.now() - 2 * day) }]);
});

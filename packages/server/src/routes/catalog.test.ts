import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type Reply, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
  for (const name of ['http-logs', 'secret-logs']) await world.send('POST', '/v2/datasets', { name });
  world.data.storedFields = [{ name: 'status', type: 'integer|string' }];
  for (const dataset of ['http-logs', 'secret-logs'])
    await world.send('POST', '/v2/vfields', { dataset, name: 'failed', expression: 'status >= 500' });
  await world.send('POST', '/v2/views', { name: 'failures', aplQuery: "['http-logs'] | where status >= 500" });
});
afterEach(() => world.close());

interface Catalog {
  readonly datasets: readonly { readonly name: string; readonly fields: readonly object[] }[];
  readonly virtualFields: readonly { readonly dataset: string }[];
  readonly views: readonly { readonly name: string }[];
}

const ask = (token = world.owner, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  world.send('GET', '/v2/catalogue', undefined, token, headers);
const catalog = async (token?: string): Promise<Catalog> => (await ask(token)).body as Catalog;
const catalogNames = ({ datasets, virtualFields, views }: Catalog) => [
  datasets.map(({ name }) => name),
  virtualFields.map(({ dataset }) => dataset),
  views.map(({ name }) => name),
];

test('returns all datasets and the identity of the owner', async () => {
  const { body } = await ask();
  expect(catalogNames(body as Catalog)).toEqual([
    ['http-logs', 'secret-logs'],
    ['http-logs', 'secret-logs'],
    ['failures'],
  ]);
  expect(body).toMatchObject({
    principal: { kind: 'personal-token', tokenId: 'owner', email: 'owner@localhost' },
    autoCreateDatasets: false,
    datasets: [
      { locked: false, fields: [{ name: 'status', type: 'integer|string', hidden: false }] },
      { name: 'secret-logs' },
    ],
  });
});

test.each([
  ['may query a dataset', { datasetCapabilities: { 'http-logs': { query: ['read'] } } }, ['http-logs'], []],
  ['may query a view', { viewCapabilities: { failures: { query: ['read'] } } }, [], ['failures']],
  ['looks after datasets', { orgCapabilities: { datasets: ['read'] } }, ['http-logs', 'secret-logs'], []],
  ['may send events', { datasetCapabilities: { '*': { ingest: ['create'] } } }, [], []],
] as const)('a user with %s sees that and no more', async (_, capabilities, datasets, views) => {
  const token = await world.token(capabilities as Parameters<TestServer['token']>[0]);
  expect(catalogNames(await catalog(token))).toEqual([datasets, datasets, views]);
});

test('is sent once for each version of it', async () => {
  const { headers } = await ask();
  const known = { 'if-none-match': String(headers['etag']) };
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(await ask(world.owner, known)).toMatchObject({ status: 304, text: '' });
  world.data.storedFields = [{ name: 'status', type: 'integer' }];
  expect((await ask(world.owner, known)).status).toBe(200);
  // Nor does one caller's catalog apply to another.
  expect((await ask(await world.token({}), known)).status).toBe(200);
});

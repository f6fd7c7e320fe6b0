import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer({ settings: { maxSources: 2 } });
  for (const name of ['logs', 'other']) await world.send('POST', '/v2/datasets', { name });
});
afterEach(() => world.close());

const url = '/v2/sources';
const login = { mechanism: 'PLAIN', username: 'ada', password: 'secret word' } as const;
const kafka = { brokers: ['kafka.example:9092'], topics: ['orders'], ...login };
const source = { name: 'orders', dataset: 'logs', properties: { kafka } };
const create = async (): Promise<string> =>
  ((await world.send('POST', url, source)).body as { readonly id: string }).id;

test('create = get = list element; a source can be paused, resumed, replaced and deleted', async () => {
  const { body } = await world.send('POST', url, source);
  expect(body).toMatchObject({ ...source, kind: 'kafka', paused: false, status: { state: 'waiting', events: 0 } });
  const { id } = body as { readonly id: string };
  expect((await world.send('GET', `${url}/${id}`)).body).toEqual(body);
  expect((await world.send('GET', url)).body).toEqual([body]);
  expect((await world.send('POST', `${url}/${id}/pause`)).body).toMatchObject({
    paused: true,
    status: { state: 'paused' },
  });
  expect((await world.send('GET', `${url}/${id}/status`)).body).toMatchObject({ state: 'paused' });
  expect((await world.send('POST', `${url}/${id}/resume`)).body).toMatchObject({ paused: false });
  const bucket = { bucket: { bucket: 'b', prefix: 'AWSLogs/' } };
  const replaced = await world.send('PUT', `${url}/${id}`, { name: 'trails', dataset: 'other', properties: bucket });
  expect(replaced.body).toMatchObject({ name: 'trails', dataset: 'other', kind: 'bucket', properties: bucket });
  expect((await world.send('DELETE', `${url}/${id}`)).status).toBe(204);
  expect((await world.send('GET', `${url}/${id}`)).status).toBe(404);
});

test.each([
  ['no kind', { ...source, properties: {} }, "body 'properties' must have exactly one of kafka, bucket"],
  [
    'a broker without a port',
    { ...source, properties: { kafka: { ...kafka, brokers: ['a'] } } },
    'which is not host:port',
  ],
  ['half a login', { ...source, properties: { kafka: { ...kafka, password: undefined } } }, 'belong together'],
  ['a missing dataset', { ...source, dataset: 'none' }, 'none'],
  [
    'metrics in a dataset of events',
    { ...source, rejectedDataset: 'other', properties: { kafka: { ...kafka, format: 'otlp-metrics' } } },
    'name a dataset for metrics',
  ],
])('rejected: %s', async (_, body, problem) => {
  const { status, text } = await world.send('POST', url, body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).toContain(problem);
});

test('an empty secret keeps the stored one, unless the source connects to another place', async () => {
  const id = await create();
  const empty = { ...source, properties: { kafka: { ...kafka, password: '' } } };
  expect((await world.send('PUT', `${url}/${id}`, empty)).body).toMatchObject({ properties: { kafka } });
  const elsewhere = { ...source, properties: { kafka: { ...kafka, password: '', brokers: ['evil.example:9092'] } } };
  const { status, text } = await world.send('PUT', `${url}/${id}`, elsewhere);
  expect(status).toBe(400);
  expect(text).toContain('must be given again');
});

test('secrets are shown to writers only, and writing needs the right to ingest', async () => {
  const id = await create();
  const reader = await world.token({ orgCapabilities: { integrations: ['read'] } });
  const seen = await world.send('GET', `${url}/${id}`, undefined, reader);
  expect(seen.status).toBe(200);
  expect(seen.text).not.toContain('secret word');
  const other = await world.token({
    orgCapabilities: { integrations: ['create', 'read', 'update'] },
    datasetCapabilities: { other: { ingest: ['create'] } },
  });
  const created = await world.send('POST', url, { ...source, name: 'mine' }, other);
  expect([created.status, created.text]).toEqual([403, expect.stringContaining("ingest:create on 'logs'")]);
  expect((await world.send('PUT', `${url}/${id}`, source, other)).status).toBe(403);
  expect((await world.send('POST', url, { ...source, name: 'mine', dataset: 'other' }, other)).status).toBe(200);
});

test('the number of sources is limited, and names are unique', async () => {
  await create();
  expect((await world.send('POST', url, source)).status).toBe(409);
  await world.send('POST', url, { ...source, name: 'second' });
  const { status, text } = await world.send('POST', url, { ...source, name: 'third' });
  expect([status, text]).toEqual([403, expect.stringContaining('MILLRACE_MAX_SOURCES')]);
});

import { type ApiError, type Client, createClient } from '@millrace/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import type { Address } from './support/apl.ts';

/** The typed client with a real server: responses match the types. */

let world: EngineTestServer;
let server: Address;
let client: Client;
beforeAll(async () => {
  world = await openEngineTestServer();
  server = { url: world.url, token: world.owner };
  client = createClient(server);
});
afterAll(() => world.close());

/** The error that a call ends with. */
const expectRejection = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error as ApiError,
  );

describe('events', () => {
  const events = [
    { _time: '2026-11-20T10:00:00Z', path: '/a', status: 200, id: 1 },
    { _time: '2026-11-20T10:00:01Z', path: '/b', status: 500, id: 2 },
  ];
  const range = { startTime: '2026-11-20T00:00:00Z', endTime: '2026-11-21T00:00:00Z' };

  it('go in, with a receipt', async () => {
    await client.call('createDataset', { body: { name: 'web.logs' } });
    const answer = await client.send('ingest', {
      params: { dataset: 'web.logs' },
      headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
      body: JSON.stringify(events),
    });
    expect(await answer.json()).toMatchObject({ ingested: 2, failed: 0 });
    const position = answer.headers.get('x-millrace-position')!;
    expect(await client.call('getReceipt', { params: { position } })).toMatchObject({ position });
  });

  it('go in as bytes', async () => {
    const body = new TextEncoder().encode('path,status\n/c,404\n');
    const query = { 'csv-delimiter': ',' };
    const headers = { 'content-type': 'text/csv' };
    const status = await client.call('ingest', { params: { dataset: 'web.logs' }, query, headers, body });
    expect(status).toMatchObject({ ingested: 1, failed: 0, failures: [] });
  });

  it('come back from queries', async () => {
    const body = { apl: "['web.logs'] | where status >= 500 | project path", ...range };
    const answer = await client.call('queryApl', { query: { format: 'tabular', nocache: true }, body });
    expect(answer).toMatchObject({ tables: [{ columns: [['/b']] }] });
  });

  it('come back from exports, whole or as a stream', async () => {
    const body = { apl: "['web.logs'] | where isnotnull(id) | project id | order by id asc", ...range };
    const lines = '{"id":1}\n{"id":2}\n';
    expect(new TextDecoder().decode(await client.call('export', { body }))).toBe(lines);
    expect(await (await client.send('exportByUrl', { query: body })).text()).toBe(lines);
  });

  it('of a query that does not compile the error says where', async () => {
    const error = await expectRejection(client.call('queryApl', { body: { apl: "['web.logs'] | nonsense" } }));
    expect(error).toMatchObject({ name: 'ApiError', status: 400, code: 400, detail: { line: 1 } });
  });
});

describe('resources', () => {
  it('are made, read, changed and deleted', async () => {
    const made = await client.call('createDataset', { body: { name: 'scratch', description: 'first' } });
    expect(made).toMatchObject({ name: 'scratch', description: 'first' });
    const params = { id: made.id };
    await client.call('updateDataset', { params, body: { description: 'second' } });
    expect(await client.call('getDataset', { params })).toMatchObject({ description: 'second', mapFields: [] });
    expect((await client.call('listDatasets')).map(({ name }) => name)).toContain('scratch');
    expect(await client.call('deleteDataset', { params })).toBeUndefined();
    const error = await expectRejection(client.call('getDataset', { params }));
    expect(error).toMatchObject({ status: 404, message: expect.stringContaining("dataset 'scratch' not found") });
    expect(error.traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('are found by names that need encoding', async () => {
    const name = 'a/b ?&%é';
    const field = { dataset: 'web.logs', name, expression: 'status + 1' };
    const { id } = await client.call('createVirtualField', { body: field });
    expect(await client.call('getVirtualField', { params: { id } })).toMatchObject(field);
    const missing = await expectRejection(client.call('getDataset', { params: { id: name } }));
    expect(missing).toMatchObject({ status: 404, message: expect.stringContaining(`'${name}'`) });
  });

  it('are listed by query parameters of every type', async () => {
    const time = '2026-11-20T10:00:00Z';
    for (const dataset of ['one', 'two', 'three'])
      await client.call('createAnnotation', { body: { datasets: [dataset], type: 'deploy', time } });
    const listed = await client.call('listAnnotations', { query: { datasets: ['one', 'three'], start: time } });
    expect(listed.flatMap(({ datasets }) => datasets).sort()).toEqual(['one', 'three']);
    expect(await client.call('listStarredQueries', { query: { limit: 1, offset: 0 } })).toEqual([]);
  });

  it('are out of reach of a token without the right', async () => {
    const { token } = await client.call('createToken', {
      body: { name: 'reader', datasetCapabilities: { 'web.logs': { query: ['read'] } } },
    });
    const reader = createClient({ ...server, token });
    const error = await expectRejection(reader.call('createDataset', { body: { name: 'mine' } }));
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('forbidden') });
  });
});

it('commands without a token accept any', async () => {
  expect(await createClient({ ...server, token: 'none' }).call('getHealth')).toMatchObject({ status: 'ok' });
});

it('a call that is given up ends', async () => {
  const signal = AbortSignal.abort();
  expect(await expectRejection(client.call('listDatasets', { signal }))).toMatchObject({ name: 'AbortError' });
});

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ autoCreateDatasets: true });
});
afterAll(() => world.close());

const send = (dataset: string, contentType: string) =>
  world.send<{ ingested: number }>('POST', `/v1/datasets/${dataset}/ingest`, '{"a":1}\n', {
    headers: { 'content-type': contentType },
  });

const exists = async (dataset: string): Promise<boolean> =>
  (await world.send('GET', `/v2/datasets/${dataset}`)).status === 200;

it('a body of a type that cannot be read is refused and makes no dataset', async () => {
  expect(await send('none', 'application/xml')).toMatchObject({
    status: 415,
    body: {
      message:
        "unsupported content type 'application/xml'; supported: application/json, application/x-ndjson, text/csv",
    },
  });
  expect(await send('none', 'xml')).toMatchObject({ status: 415 });
  expect(await exists('none')).toBe(false);
});

const json = { 'content-type': 'application/json' };

it.each<[string, string | Buffer, Readonly<Record<string, string>>, object]>([
  [
    'damaged gzip',
    gzipSync('{"a":1}').subarray(0, 20),
    { ...json, 'content-encoding': 'gzip' },
    { status: 400, body: { message: expect.stringContaining('gzip') } },
  ],
  ['an encoding nobody knows', '{"a":1}', { ...json, 'content-encoding': 'lzma' }, { status: 415 }],
  [
    'labels that are no object',
    '{"a":1}',
    { ...json, 'x-axiom-event-labels': '[' },
    { status: 400, body: { message: expect.stringContaining('Labels') } },
  ],
  ['JSON that ends early', '{"a":', json, { status: 200, body: { ingested: 0, failed: 1 } }],
  [
    'large JSON that ends early',
    `{"a":"${'x'.repeat(300_000)}`,
    json,
    { status: 200, body: { ingested: 0, failed: 1 } },
  ],
  ['XML', '<a>1</a>', json, { status: 200, body: { ingested: 0, failed: 1 } }],
  ['CSV without lines', 'a,b\n', { 'content-type': 'text/csv' }, { status: 200, body: { ingested: 0, failed: 0 } }],
  ['nothing', '[]', { ...json, 'idempotency-key': '1' }, { status: 200, body: { ingested: 0, failed: 0 } }],
])('a body without a good event makes no dataset: %s', async (_, body, headers, answer) => {
  expect(await world.send('POST', '/v1/datasets/none/ingest', body, { headers })).toMatchObject(answer);
  expect(await exists('none')).toBe(false);
});

it('a body with a good event makes a dataset, whatever else is in it', async () => {
  const half = '{"a":1}\n{"a":';
  const packed = { headers: { ...json, 'content-encoding': 'gzip', 'idempotency-key': '1' } };
  for (const repeated of [null, 'true']) {
    const answer = await world.send('POST', '/v1/datasets/half/ingest', gzipSync(half), packed);
    expect(answer).toMatchObject({ status: 200, body: { ingested: 1, failed: 1 } });
    expect(answer.headers.get('idempotent-replayed')).toBe(repeated);
  }
  expect((await world.apl('half | count')).tables[0]!.columns).toEqual([[1]]);
});

it('a name that no dataset may have is refused before the body is read', async () => {
  expect(await send('millrace-none', 'application/xml')).toMatchObject({ status: 400 });
});

it('a sender without the right to create datasets gets an error that names the right', async () => {
  const token = await world.token({ datasetCapabilities: { '*': { ingest: ['create'] } } });
  const path = '/v1/datasets/absent/ingest';
  const answer = await world.send<{ message: string }>('POST', path, '{}', { token });
  expect(answer).toMatchObject({
    status: 404,
    body: {
      message: expect.stringMatching(/^dataset 'absent' not found; .*the organization capability datasets:create/),
    },
  });
  expect(answer.body.message).not.toContain('MILLRACE_AUTO_CREATE_DATASETS');
});

it.each(['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/octet-stream', ''])(
  'what clients say of themselves is taken for JSON: %j',
  async (contentType) =>
    expect(await send('some', contentType)).toMatchObject({ status: 200, body: { ingested: 1, failed: 0 } }),
);

it('requests that come together make their dataset once, and all are stored', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('together', 'application/json')));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect((await world.apl('together | count')).tables[0]!.columns).toEqual([[8]]);
});

it('a misspelt parameter is refused, as the events would get wrong times; elsewhere clients send some', async () => {
  const answer = await world.send('POST', '/v1/datasets/misspelt/ingest?timestamp_field=at', '{"at":1}');
  const message = "unknown query parameter 'timestamp_field'; did you mean 'timestamp-field'?";
  expect(answer).toMatchObject({ status: 400, body: { message } });
  expect((await world.send('GET', '/v2/datasets/misspelt')).status).toBe(404);
  await send('some', 'application/json');
  const query = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' };
  expect(await world.send('POST', '/v1/datasets/some/query?no-cache=true', query)).toMatchObject({ status: 200 });
});

it('the time field of a dataset applies to requests that name none', async () => {
  const path = '/v2/datasets/timed';
  await world.send('POST', '/v2/datasets', JSON.stringify({ name: 'timed' }), { headers: json });
  const included = `${path}?include=fieldRoles`;
  const choose = (fieldRoles: object) => world.send('PUT', included, JSON.stringify({ fieldRoles }), { headers: json });
  const body = '[{"at":"2026-01-02T03:04:05Z","other":"2025-01-01","_time":"2024-01-01"},{"_time":"2023-01-01"}]';
  const load = (query = '') => world.send('POST', `/v1/datasets/timed/ingest${query}`, body, { headers: json });
  const times = async (): Promise<readonly unknown[]> => {
    const apl = { apl: 'timed | sort by _time asc | project year = getyear(_time)', startTime: '2020-01-01T00:00:00Z' };
    const { body: answer } = await world.send<{ tables: readonly { columns: readonly (readonly unknown[])[] }[] }>(
      'POST',
      '/v1/query/_apl?format=tabular',
      JSON.stringify(apl),
      { headers: json },
    );
    return answer.tables[0]!.columns[0]!;
  };
  await load();
  expect(await times()).toEqual([2023, 2024]);
  expect(await choose({ time: 'at', level: 'severity' })).toMatchObject({
    body: { fieldRoles: { time: 'at', level: 'severity' } },
  });
  expect((await world.send<object>('GET', path)).body).not.toHaveProperty('fieldRoles');
  await load();
  await load('?timestamp-field=other');
  expect(await times()).toEqual([2023, 2023, 2023, 2024, 2025, 2026]);
  expect(await choose({ time: '' })).toMatchObject({ body: { fieldRoles: { level: 'severity' } } });
  await choose({ level: '' });
  expect((await world.send<object>('GET', included)).body).not.toHaveProperty('fieldRoles');
});

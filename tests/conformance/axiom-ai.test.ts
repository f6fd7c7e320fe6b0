import { expect, it } from 'vitest';
import { apl, send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/**
 * Requests of the command of `@axiomhq/ai`, and the checks its evaluations make before they run.
 */

const one = oneServer();

it('ingests with the name of a format as the type', async () => {
  const dataset = await one.dataset();
  const ingest = (type: string, body: string) => send(one.server, dataset, body, { 'content-type': type });
  const answers = [
    await ingest('json', '[{"n":1}]'),
    await ingest('ndjson', '{"n":2}\n{"n":3}\n'),
    await ingest('csv', 'n,name\n4,"a, b"\n'),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, expect.objectContaining({ ingested: 1, failed: 0 })],
    [200, expect.objectContaining({ ingested: 2, failed: 0 })],
    [200, expect.objectContaining({ ingested: 1, failed: 0 })],
  ]);
  const { tables } = await apl(one.server, `['${dataset}'] | where isnotempty(name) | project n, name`);
  expect(tables[0]!.columns).toEqual([['4'], ['a, b']]);
});

it('reads rows of events and of aggregations from legacy answers', async () => {
  const dataset = await one.dataset();
  await send(one.server, dataset, '[{"path":"/a","n":1},{"path":"/a","n":2}]');
  const legacy = async (query: string) => {
    const body = JSON.stringify({ apl: `['${dataset}'] | ${query}`, maxBinAutoGroups: 40 });
    const answer = await request(one.server, '/v1/datasets/_apl?format=legacy', { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  expect(await legacy('limit 1')).toMatchObject({ matches: [{ data: { path: '/a' } }] });
  expect(await legacy('summarize requests = count() by path')).toMatchObject({
    buckets: { totals: [{ group: { path: '/a' }, aggregations: [{ op: 'requests', value: 2 }] }] },
  });
});

it('asks for what only the hosted service has, and goes on with 404', async () => {
  for (const path of ['/api/internal/datasets', '/api/internal/regions'])
    expect((await request(one.server, path)).status).toBe(404);
});

it('`axiom eval` reports a run, and its spans are found by their trace', async () => {
  const dataset = await one.dataset();
  const capabilities = { datasetCapabilities: { [dataset]: { ingest: ['create'], query: ['read'] } } };
  const made = await request(one.server, '/v2/tokens', { body: JSON.stringify({ name: 'evals', ...capabilities }) });
  const headers = { authorization: `Bearer ${(made.body as { readonly token: string }).token}` };
  const ask = (path: string, body: object, method = 'POST') =>
    request(one.server, path, { method, body: JSON.stringify(body), headers });

  const id = 'e'.repeat(32);
  const flags = { flags: [], overrides: {} };
  const run = { id, name: 'summaries', capability: 'summarise', dataset, version: 'A1B2', runId: 'R1', totalCases: 1 };
  const begun = await ask('/api/v3/evaluations', { ...run, config: flags, configTimeoutMs: 60_000, status: 'running' });
  expect([begun.status, begun.body]).toEqual([200, expect.objectContaining({ id })]);

  const now = BigInt(Date.now()) * 1_000_000n;
  const span = {
    traceId: id,
    spanId: 'b'.repeat(16),
    name: 'eval summaries-A1B2',
    startTimeUnixNano: String(now),
    endTimeUnixNano: String(now + 1_000_000n),
    attributes: [{ key: 'eval.id', value: { stringValue: id } }],
  };
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'axiom' } }] };
  const sent = await request(one.server, '/v1/traces', {
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }),
    headers: { ...headers, 'x-axiom-dataset': dataset },
  });
  expect(sent.status).toBe(200);

  const over = { id, status: 'completed', totalCases: 1, successCases: 1, erroredCases: 0, durationMs: 12 };
  const ended = await ask(`/api/v3/evaluations/${id}`, over, 'PATCH');
  // It treats a response with a property `error` as a failure.
  expect([ended.status, ended.body]).toEqual([
    200,
    { ...(begun.body as object), ...over, updatedAt: expect.any(String) },
  ]);

  const apl = `['${dataset}'] | where column_ifexists('trace_id', '') == "${id}" | order by _time`;
  const found = await ask('/v1/datasets/_apl?format=legacy', { apl });
  expect(found.body).toMatchObject({ matches: [{ data: { trace_id: id, name: span.name } }] });
  // The first run of all finds no dataset with such a field.
  const empty = await one.dataset();
  const none = `['${empty}'] | where column_ifexists('trace_id', '') == "${id}" | order by _time`;
  const answer = await request(one.server, '/v1/datasets/_apl?format=legacy', { body: JSON.stringify({ apl: none }) });
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ matches: [] })]);
});

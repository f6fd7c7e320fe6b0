import { beforeAll, describe, expect, it } from 'vitest';
import { apl, send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { fillMetrics, halfHour } from './metrics.ts';
import { oneServer } from './one-server.ts';

/**
 * Requests of the tools of Axiom's MCP server. It validates every response, and shows nothing if a
 * property is missing.
 */

const one = oneServer({});

it('lists datasets and fields with descriptions that are texts', async () => {
  const dataset = await one.dataset();
  await send(one.server, dataset, '[{"n":1}]');
  const text = { name: expect.any(String), description: expect.any(String) };
  const datasets = (await request(one.server, '/v2/datasets')).body as readonly object[];
  for (const found of datasets) expect(found).toMatchObject({ ...text, kind: expect.any(String) });
  expect((await request(one.server, `/v2/datasets/${dataset}/fields`)).body).toEqual(
    [
      ['_sysTime', 'datetime'],
      ['_time', 'datetime'],
      ['n', 'integer'],
    ].map(([name, type]) => expect.objectContaining({ ...text, name, type })),
  );
});

it('asks beside datasets for dashboards of integrations, and shows no dataset if that fails', async () =>
  expect(await request(one.server, '/api/internal/integrations/dashboards')).toMatchObject({ status: 200, body: [] }));

it('lists saved queries, which have options even if none were saved', async () => {
  const saved = { kind: 'apl', dataset: 'logs', name: 'all', query: { apl: 'logs' }, metadata: {} };
  const made = await request(one.server, '/v2/apl-starred-queries', { body: JSON.stringify(saved) });
  expect(made.status).toBe(200);
  expect((await request(one.server, '/v2/apl-starred-queries?limit=100&who=all')).body).toEqual([
    {
      ...saved,
      query: { apl: 'logs', queryOptions: {} },
      id: expect.any(String),
      who: expect.any(String),
      created: expect.any(String),
    },
  ]);
});

it('a query is answered with every member of its tables and its status', async () => {
  const dataset = await one.dataset();
  await send(one.server, dataset, '[{"n":1},{"n":3}]');
  const query = { apl: `['${dataset}'] | summarize avg(n) by bin_auto(_time)`, startTime: 'now-1h', endTime: 'now' };
  const { body } = await request(one.server, '/v1/datasets/_apl?format=tabular', {
    body: JSON.stringify({ ...query, maxBinAutoGroups: 15 }),
  });
  const number = expect.any(Number) as number;
  const field = { field: '_time', start: expect.any(String), end: expect.any(String) };
  expect(body).toMatchObject({
    format: 'tabular',
    status: { elapsedTime: number, blocksExamined: number, rowsExamined: 2, rowsMatched: 2 },
    datasetNames: [dataset],
    tables: [
      { name: '0', sources: [{ name: dataset }], groups: [{ name: '_time' }], range: field, buckets: { size: number } },
      { name: '_totals', sources: [{ name: dataset }], groups: [], order: expect.any(Array), columns: [[2]] },
    ],
  });
});

it('a dashboard has every member that its parser asks for, and one that was read can be written', async () => {
  const core = { name: 'mcp', charts: [], layout: [], refreshTime: 60, schemaVersion: 2 };
  const document = { ...core, timeWindowStart: 'qr-now-1h', timeWindowEnd: 'qr-now', datasets: ['a'] };
  const write = (path: string, method: string, body: object) =>
    request(one.server, path, { method, body: JSON.stringify({ ...body, overwrite: true }) });
  const made = (await write('/v2/dashboards', 'POST', { dashboard: document, uid: 'mcp' })).body;
  expect(made).toMatchObject({ status: 'created', dashboard: { uid: 'mcp', version: 1 } });
  const { body: list } = await request(one.server, '/v2/dashboards?limit=1000');
  const [found] = (list as readonly { readonly dashboard: object }[]).slice(-1);
  expect(found).toMatchObject({
    id: expect.stringMatching(/^\w{18}$/),
    uid: 'mcp',
    version: 1,
    dashboard: { ...document, owner: 'X-AXIOM-EVERYONE' },
    createdAt: expect.any(String),
    createdBy: expect.any(String),
    updatedAt: expect.any(String),
    updatedBy: expect.any(String),
  });
  const again = await write('/v2/dashboards/uid/mcp', 'PUT', { dashboard: found!.dashboard });
  expect(again).toMatchObject({
    status: 200,
    body: { status: 'updated', overwritten: true, dashboard: { version: 2 } },
  });
});

describe('tools for traces', () => {
  let traces = '';
  beforeAll(async () => {
    traces = await one.dataset();
    const now = BigInt(Date.now()) * 1_000_000n;
    const spans = Array.from({ length: 4 }, (_, n) => ({
      traceId: 'a'.repeat(32),
      spanId: String(n).padStart(16, 'b'),
      ...(n > 0 && { parentSpanId: '0'.padStart(16, 'b') }),
      name: `step ${n}`,
      startTimeUnixNano: String(now - BigInt(n)),
      endTimeUnixNano: String(now + 2_000_000n),
      status: n === 3 ? { code: 2, message: 'broken' } : {},
    }));
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
    const sent = await request(one.server, '/v1/traces', {
      body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }),
      headers: { 'x-axiom-dataset': traces },
    });
    expect(sent.status).toBe(200);
  });

  it('services', async () => {
    const { tables } = await apl(
      one.server,
      `['${traces}']
| summarize span_count = count(), error_count = countif(error), unique_operations = dcount(name) by ['service.name']
| project ['service.name'], span_count, error_count, unique_operations
| sort by span_count desc`,
    );
    expect(tables[0]!.columns).toEqual([['shop'], [4], [1], [4]]);
  });

  it('errors, by the code of their status', async () => {
    const { tables } = await apl(
      one.server,
      `['${traces}']
| where ['status.code'] == "ERROR"
| extend error_message = coalesce(['status.message'], 'Unknown Error')
| summarize error_count = count(), first_seen = min(_time), last_seen = max(_time) by ['service.name'], name, error_message
| extend error_rate_per_hour = toreal(error_count) / (todouble(last_seen - first_seen) / 3600000)
| project ['service.name'], name, error_message, error_count, todatetime(first_seen), todatetime(last_seen)`,
    );
    expect(tables[0]!.columns.slice(0, 4)).toEqual([['shop'], ['step 3'], ['broken'], [1]]);
  });

  it('the critical path', async () => {
    const trace = `['${traces}'] | where trace_id == "${'a'.repeat(32)}"`;
    const { tables } = await apl(
      one.server,
      `${trace}
| project span_id, parent_span_id, ['service.name'], name, duration, _time, error
| sort by duration desc
| extend is_root = isempty(parent_span_id), duration_pct = duration * 100.0 / toscalar(${trace} | summarize max(duration))
| project is_root, duration_pct`,
    );
    expect(tables[0]!.columns[0]).toEqual([false, false, false, true]);
    expect(tables[0]!.columns[1]![0]).toBe(100);
  });

  it('traces, with the operation that began first', async () => {
    const { tables } = await apl(
      one.server,
      `['${traces}']
| where _time >= ago(1h)
| extend error = coalesce(ensure_field("error", typeof(bool)), false)
| summarize start_time = min(_time), span_count = count(), error_count = countif(error), services = make_set(['service.name']) by trace_id
| sort by start_time desc
| limit 20`,
    );
    expect(tables[0]!.columns.slice(2)).toEqual([[4], [1], [['shop']]]);
  });
});

it('shows what monitors found in columns, and the queries that were kept', async () => {
  const dataset = await one.dataset();
  await send(one.server, dataset, '[{"n":1}]');
  expect((await request(one.server, '/api/internal/monitors/history?monitorIds=a,b')).body).toMatchObject({
    fields: expect.arrayContaining(['query.startTime', 'query.endTime', 'alert_state', 'group_values']),
    data: { a: expect.any(Array), b: expect.any(Array) },
  });
  const query = `['${dataset}'] | count`;
  await request(one.server, '/v1/datasets/_apl?saveAsKind=apl', { body: JSON.stringify({ apl: query }) });
  const asked = `["axiom-history"] | where kind == "apl" and dataset == "${dataset}" | sort by _time desc | take 50 | project _time, dataset, ["query.apl"], who, created`;
  expect((await apl(one.server, asked)).tables[0]).toMatchObject({
    fields: ['_time', 'dataset', 'query.apl', 'who', 'created'].map((name) => ({ name })),
    columns: [[expect.any(String)], [dataset], [query], [expect.any(String)], [expect.any(String)]],
  });
});

it('tools for metrics get lists of series, names, and tags by value', async () => {
  const dataset = 'mcp-metrics';
  await fillMetrics(one.server, dataset);
  const { start, end } = halfHour();
  const ask = async (path: string, body?: object) =>
    (await request(one.server, path, body === undefined ? {} : { body: JSON.stringify(body) })).body;
  // The query is sent as `apl`, with the region of the dataset.
  const apl = `\`${dataset}\`:temperature | align using max`;
  const series = await ask('/v1/query/_mpl?format=metrics-v1', {
    apl,
    startTime: start,
    endTime: end,
    queryRegion: 'cloud.us-east-1.aws',
  });
  expect(series).toEqual([
    {
      metric: 'temperature',
      tags: { 'host.name': 'web-1', 'http.status': 200 },
      start: expect.any(Number),
      resolution: expect.any(Number),
      data: [29],
      summary: 29,
    },
  ]);
  const info = `/v1/query/metrics/info/datasets/${dataset}`;
  const during = `?start=${start}&end=${end}`;
  expect(await ask(`${info}/metrics${during}`)).toEqual(['http.requests', 'temperature']);
  expect(await ask(`${info}/tags${during}`)).toEqual(['host.name', 'http.status']);
  expect(await ask(`${info}/tags/host.name/values${during}`)).toEqual(['web-1']);
  expect(await ask(`${info}/metrics${during}`, { value: 'web-1' })).toEqual({
    'http.requests': ['host.name'],
    temperature: ['host.name'],
  });
});

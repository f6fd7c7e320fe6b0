import { beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { fillMetrics, halfHour } from './metrics.ts';
import { oneServer } from './one-server.ts';

/**
 * Requests of Grafana's Axiom plugin, and how it reads the responses: values must have the JSON
 * types that it expects for the types of their fields.
 */

const one = oneServer();

const time = '2026-11-20T10:00:00Z';
let logs = '';
/** Token as docs/integrations.md describes it. */
let reader: { readonly url: string; readonly token: string };
beforeAll(async () => {
  logs = await one.dataset();
  const events = Array.from({ length: 4 }, (_, n) => ({ _time: time, path: n % 2 === 0 ? '/a' : '/b', n, ok: n > 0 }));
  await send(one.server, logs, JSON.stringify(events));
  const rights = {
    name: 'grafana',
    datasetCapabilities: { [logs]: { query: ['read'] } },
    orgCapabilities: { datasets: ['read'] },
  };
  const { body } = await request(one.server, '/v2/tokens', { body: JSON.stringify(rights) });
  reader = { url: one.server.url, token: (body as { readonly token: string }).token };
});

interface Answer {
  readonly tables: readonly {
    readonly name: string;
    readonly fields: readonly { readonly name: string; readonly type: string }[];
    readonly columns: readonly (readonly unknown[])[];
  }[];
}

const panel = async (apl: string): Promise<Answer> => {
  const range = { startTime: '2026-11-20T09:00:00Z', endTime: '2026-11-20T11:00:00Z' };
  const { status, body } = await request(reader, '/v1/query/_apl?format=tabular', {
    body: JSON.stringify({ apl, ...range }),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Answer;
};

it('saves and tests a data source: a query without a body is 422 if the token is right', async () => {
  const test = (headers: Record<string, string> = {}) =>
    request(reader, '/v1/query/_apl', { method: 'POST', headers: { accept: 'application/json', ...headers } });
  expect((await test()).status).toBe(422);
  expect((await test({ authorization: 'Bearer xaat-00000000-0000-4000-8000-000000000000' })).status).toBe(401);
});

it('lists datasets and their fields for its editor', async () => {
  const fields = (await request(reader, '/v1/datasets/_fields')).body as readonly {
    readonly datasetName: string;
    readonly fields: readonly { readonly name: string }[];
  }[];
  expect(fields.find(({ datasetName }) => datasetName === logs)?.fields.map(({ name }) => name)).toContain('path');
});

describe('a panel', () => {
  it('over time takes the first table for its series, the second for their totals', async () => {
    const { tables } = await panel(`['${logs}'] | summarize count() by bin_auto(_time), path`);
    expect(tables.map(({ name }) => name)).toEqual(['0', '_totals']);
    expect(tables[0]!.fields.map(({ name, type }) => [name, type])).toEqual([
      ['_time', 'datetime'],
      ['path', 'string'],
      ['count_', 'integer'],
    ]);
    expect(tables[0]!.columns).toEqual([
      [time, time],
      ['/a', '/b'],
      [2, 2],
    ]);
  });

  it('of events shows their volume by a query around theirs', async () => {
    const around = `(['${logs}'] | where ok)
| extend _axiom_logs_volume_time = coalesce(_time, _sysTime)
| where isnotnull(_axiom_logs_volume_time)
| summarize count_ = count() by _time = bin(_axiom_logs_volume_time, 30s)
| order by _time asc`;
    expect((await panel(around)).tables[0]!.columns).toEqual([[time], [3]]);
  });
});

describe('metrics, of the Axiom plugin and of Axiom Metrics', () => {
  const dataset = 'grafana-metrics';
  beforeAll(() => fillMetrics(one.server, dataset));
  const ask = (mpl: string, more: object = {}, width?: string) => {
    const { start: startTime, end: endTime } = halfHour();
    return request(one.server, '/v1/query/_mpl', {
      body: JSON.stringify({ mpl, startTime, endTime, ...more }),
      headers: {
        accept: 'application/vnd.metrics.v3+json',
        ...(width !== undefined && { 'x-axiom-chart-width': width }),
      },
    });
  };

  it('tags are texts, as the plugin decodes them, and there are about as many values as it asks for', async () => {
    const { status, body } = await ask(
      `\`${dataset}\`:\`http.requests\` | align to $__interval using prom::rate`,
      {},
      '30',
    );
    expect(status).toBe(200);
    const { metadata, series } = body as {
      readonly metadata: object;
      readonly series: readonly { readonly resolution: number; readonly data: readonly (number | null)[] }[];
    };
    expect(metadata).toMatchObject({ unit: '{request}', warnings: [] });
    expect(series).toMatchObject([
      { metric: 'http.requests', tags: { 'host.name': 'web-1', 'http.status': '200' }, start: expect.any(Number) },
    ]);
    expect(series[0]!.data.length).toBeLessThanOrEqual(32);
    expect(series[0]!.data.filter((value) => value === 1 || value === 0.5).length).toBeGreaterThan(0);
  });

  it('the data source declares and sends its interval and the variables of the dashboard', async () => {
    const mpl = `param $__interval: duration;
param $__rate_interval: duration;
param $host: string;
\`${dataset}\`:temperature | where \`host.name\` == $host | align to $__interval using last`;
    const params = { param____interval: '60s', param____rate_interval: '240s', param__host: '"web-1"' };
    const { status, body } = await ask(mpl, { params });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      metadata: { warnings: [] },
      series: [{ resolution: 60, tags: { 'host.name': 'web-1' } }],
    });
  });

  it('its editor lists datasets by kind, metrics, tags and values as texts', async () => {
    const { start, end } = halfHour();
    const info = async (path: string) =>
      (await request(one.server, `/v1/query/metrics/info/datasets/${dataset}${path}?start=${start}&end=${end}`)).body;
    const { body } = await request(one.server, '/v2/datasets');
    expect(body).toContainEqual(expect.objectContaining({ name: dataset, kind: 'otel:metrics:v1' }));
    expect(await info('/metrics')).toEqual(['http.requests', 'temperature']);
    expect(await info('/tags')).toEqual(['host.name', 'http.status']);
    expect(await info('/metrics/http.requests/tags')).toEqual(['host.name', 'http.status']);
    expect(await info('/metrics/temperature/tags/host.name/values')).toEqual(['web-1']);
  });
});

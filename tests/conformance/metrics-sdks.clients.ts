import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';
import {
  isPresent,
  libraries,
  milliseconds,
  removeScratch,
  run,
  createScratchDirectory,
} from './shippers/libraries.ts';

/** Metrics of OpenTelemetry's SDKs for JavaScript, Python and Go, of all kinds of instruments. */

const one = oneServer({});
afterAll(removeScratch);

const here = join(import.meta.dirname, 'shippers');
/** Everything is compiled from source. */
const compileMilliseconds = 900_000;

async function newDataset(name: string): Promise<string> {
  await request(one.server, '/v2/datasets', { body: JSON.stringify({ name, kind: 'otel:metrics:v1' }) });
  return name;
}

/** Series of a query over the last hour: their tags and their only value. */
async function valuesOf(mpl: string): Promise<readonly (readonly [object, number | null | undefined])[]> {
  const { status, body } = await request(one.server, '/v1/query/_mpl', {
    body: JSON.stringify({ mpl, startTime: 'now-1h', endTime: 'now+1m' }),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const { series } = body as {
    readonly series: readonly { readonly tags: object; readonly data: readonly (number | null)[] }[];
  };
  return series.map(({ tags, data }) => [tags, data[0]]);
}

/** The values that each program sends. */
async function expectAll(dataset: string, service: string): Promise<void> {
  const scope = { 'otel.scope.name': 'shop', 'otel.scope.version': '1.2' };
  const common = { 'service.name': service, ...scope };
  const last = (metric: string) => valuesOf(`\`${dataset}\`:${metric} | align using last`);
  expect(await last('orders')).toMatchObject([[{ ...common, paid: true, country: 'SE' }, 5]]);
  expect(await last('carts')).toMatchObject([[common, -2]]);
  expect(await last('load')).toMatchObject([[common, 0.25]]);
  const buckets = await valuesOf(
    `\`${dataset}\`:took | where \`axiom.histogram\` == "bucket" | align using last | group by le using sum`,
  );
  expect(new Map(buckets.map(([tags, value]) => [(tags as { readonly le: unknown }).le, value]))).toEqual(
    new Map<unknown, number>([
      [0.1, 1],
      [1, 3],
      ['+Inf', 4],
    ]),
  );
  const sums = await valuesOf(`\`${dataset}\`:took | where \`axiom.histogram\` == "sum" | align using last`);
  expect(sums.map(([, value]) => value)).toEqual([8.05]);
  const now = new Date().toISOString();
  const during = `start=${new Date(Date.now() - 3_600_000).toISOString()}&end=${now}`;
  const { body } = await request(one.server, `/v1/query/metrics/info/datasets/${dataset}/metrics?${during}`, {
    headers: { accept: 'application/vnd.metrics-info.v2+json' },
  });
  expect(body).toMatchObject({
    orders: { type: 'CounterMonotonic', temporality: 'Cumulative', unit: '{order}' },
    carts: { type: 'CounterNonMonotonic' },
    load: { type: 'Gauge' },
    took: { type: 'Histogram', unit: 's' },
  });
}

describe('JavaScript', () => {
  const exporters = ['proto', 'http'].map((name) => `@opentelemetry/exporter-metrics-otlp-${name}`);
  let directory = '';
  beforeAll(async () => {
    const sdk = ['api', 'resources', 'sdk-metrics'].map((name) => `@opentelemetry/${name}`);
    directory = await libraries([...sdk, ...exporters]);
  }, milliseconds);

  it.each(exporters)(
    '%s',
    async (exporter) => {
      const dataset = await newDataset(`js-${exporter.replace(/.*-/, '')}`);
      const send = (token: string) =>
        run(process.execPath, ['metrics.mjs', exporter, one.server.url, token, dataset], { cwd: directory });
      await send(one.server.token);
      await expectAll(dataset, 'js');
      await expect(send('xaat-wrong')).rejects.toThrow(/Command failed/);
    },
    milliseconds,
  );
});

describe.skipIf(!(await isPresent('python3', '--version')))('Python', () => {
  it(
    'opentelemetry-exporter-otlp-proto-http',
    async () => {
      const environment = join(createScratchDirectory(), 'python');
      await run('python3', ['-m', 'venv', environment]);
      const python = join(environment, 'bin', 'python');
      const packages = ['opentelemetry-sdk', 'opentelemetry-exporter-otlp-proto-http'];
      await run(python, ['-m', 'pip', 'install', '--quiet', ...packages], { timeout: milliseconds });
      const dataset = await newDataset('python');
      const program = join(here, 'metrics.py');
      await run(python, [program, one.server.url, one.server.token, dataset], { timeout: milliseconds });
      await expect(expectAll(dataset, 'python')).resolves.toBeUndefined();
    },
    2 * milliseconds,
  );
});

describe.skipIf(!(await isPresent('go', 'version')))('Go', () => {
  it(
    'otlpmetrichttp',
    async () => {
      const program = join(createScratchDirectory(), 'go-metrics');
      const cwd = join(here, 'go-metrics');
      await run('go', ['build', '-o', program, '.'], { cwd, timeout: compileMilliseconds });
      const dataset = await newDataset('go');
      await run(program, [one.server.url, one.server.token, dataset], { timeout: milliseconds });
      await expect(expectAll(dataset, 'go')).resolves.toBeUndefined();
    },
    compileMilliseconds,
  );
});

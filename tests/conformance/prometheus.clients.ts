import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../support/server-process.ts';
import { type Prometheus, startPrometheus } from './prometheus/prometheus.ts';
import { queries } from './prometheus/queries.ts';
import { openTarget, type Target } from './prometheus/target.ts';
import { milliseconds, removeScratch, createScratchDirectory } from './shippers/libraries.ts';

/**
 * Prometheus itself writes to two datasets, with both versions of remote write, while the server is
 * killed and started again. Then both answer the same queries. PROMETHEUS names the program.
 */

const program = process.env['PROMETHEUS'] ?? '';
if (program === '') process.stdout.write('not run: PROMETHEUS names no program\n');

const versions = {
  'version 1': 'prometheus.WriteRequest',
  'version 2': 'io.prometheus.write.v2.Request',
} as const;
type Version = keyof typeof versions;
const datasets: Readonly<Record<Version, string>> = { 'version 1': 'written-1', 'version 2': 'written-2' };

/** Scrapes before each kill of the server, and after the last one. */
const enough = 20;

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly values: readonly (readonly [number, string])[];
    }[];
  };
}

describe.skipIf(program === '')('Prometheus', () => {
  const data = temporaryDirectory();
  let server: ServerProcess;
  let env: Readonly<Record<string, string>> = {};
  let prometheus: Prometheus;
  let target: Target;
  let range = { start: 0, end: 0 };

  const ask = async (base: string, path: string, form: Readonly<Record<string, string>>): Promise<Answer> => {
    const response = await fetch(`${base}/api/v1/${path}?${new URLSearchParams(form)}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    return (await response.json()) as Answer;
  };
  const datasetUrl = (version: Version): string => `${server.url}/prometheus/${datasets[version]}`;
  const countSamples = async (base: string, query: string, time?: number): Promise<number> => {
    const answer = (await ask(base, 'query', { query, ...(time !== undefined && { time: String(time) }) }).catch(
      () => undefined,
    )) as { readonly data?: { readonly result: readonly { readonly value: readonly [number, string] }[] } } | undefined;
    return Number(answer?.data?.result[0]?.value[1] ?? 0);
  };

  beforeAll(async () => {
    env = { MILLRACE_LOG_LEVEL: 'silent', MILLRACE_PORT: String(await freePort()) };
    server = await startServer(data, env);
    for (const name of Object.values(datasets))
      await request(server, '/v2/datasets', { body: JSON.stringify({ name, kind: 'otel:metrics:v1' }) });
    target = await openTarget();
    const writes = Object.entries(versions).map(([version, message]) => ({
      url: `${datasetUrl(version as Version)}/api/v1/write`,
      token: server.token,
      message,
    }));
    prometheus = await startPrometheus(program, createScratchDirectory(), target.port, writes);
  }, milliseconds);
  afterAll(async () => {
    await prometheus?.stop();
    target?.close();
    await server?.stop();
    removeDirectory(data);
    removeScratch();
  });

  it(
    'writes all samples while the server is killed twice',
    async () => {
      const countScraped = (): Promise<number> => countSamples(prometheus.url, 'count_over_time(up[5m])');
      for (let kills = 1; kills <= 2; kills++) {
        await expect.poll(countScraped, { timeout: milliseconds, interval: 500 }).toBeGreaterThan(kills * enough);
        await server.kill();
        server = await startServer(data, env);
      }
      await expect.poll(countScraped, { timeout: milliseconds, interval: 500 }).toBeGreaterThan(3 * enough);
      const end = Math.floor(Date.now() / 1000);
      range = { start: end - 60, end };
      const all = 'sum(count_over_time(http_request_duration_seconds_bucket[10m]))';
      const wanted = await countSamples(prometheus.url, all, end);
      expect(wanted).toBeGreaterThan(enough);
      for (const version of Object.keys(versions))
        await expect
          .poll(() => countSamples(datasetUrl(version as Version), all, end), { timeout: milliseconds, interval: 500 })
          .toBe(wanted);
    },
    3 * milliseconds,
  );

  const normal = ({ status, error, data }: Answer) => {
    expect(error).toBe(undefined);
    expect(status).toBe('success');
    return Object.fromEntries(
      data.result.map(({ metric, values }) => [
        JSON.stringify(Object.entries(metric).toSorted(([a], [b]) => (a < b ? -1 : 1))),
        values.map(([time, value]) => `${time} ${Number(Number(value).toPrecision(10))}`),
      ]),
    );
  };

  describe.each(Object.keys(versions) as Version[])('%s', (version) => {
    it.each(queries)('%s', async (query) => {
      const form = { query, start: String(range.start), end: String(range.end), step: '2' };
      const [wanted, found] = await Promise.all([
        ask(prometheus.url, 'query_range', form),
        ask(datasetUrl(version), 'query_range', form),
      ]);
      expect(normal(found)).toEqual(normal(wanted));
    });
  });

  it('some of the queries have series', async () => {
    const form = { start: String(range.start), end: String(range.end), step: '2' };
    const all = await Promise.all(queries.map((query) => ask(prometheus.url, 'query_range', { ...form, query })));
    expect(all.filter(({ data }) => data.result.length > 0).length).toBeGreaterThanOrEqual(queries.length - 2);
  });

  it('metadata of version 2 has the types of the metrics', async () => {
    const found = (await ask(datasetUrl('version 2'), 'metadata', {})) as unknown as {
      readonly data: Readonly<Record<string, readonly { readonly type: string }[]>>;
    };
    expect(found.data['queue_length']?.[0]?.type).toBe('gauge');
    expect(found.data['http_requests_total']?.[0]?.type).toBe('counter');
  });
});

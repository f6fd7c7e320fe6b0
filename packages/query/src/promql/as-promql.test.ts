import { asPromql } from '@millrace/mpl/editor';
import { writeRequest } from '@millrace/ingest/prometheus/testing/write-request';
import { snappy } from '@millrace/ingest/testing/snappy';
import { type EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Queries in MPL, and their translations into PromQL, return the same values. */

let world: EngineTestServer;
const start = 1_790_000_040 - (1_790_000_040 % 300);
const end = start + 1800;
// No point lies on the edge of a window: PromQL includes its end, MPL its start.
const points = (valueOf: (i: number) => number) =>
  Array.from({ length: 125 }, (_, i) => [(start - 53 + 15 * i) * 1000, valueOf(i)] as const);

beforeAll(async () => {
  world = await sharedTestServer();
  await world.send('POST', '/v2/datasets', { name: 'both', kind: 'otel:metrics:v1' });
  const hosts = ['web-1', 'web-2', 'db.1'];
  const request = writeRequest([
    ...hosts.map((host, n) => ({
      labels: { __name__: 'load', host, ...(n > 0 && { zone: `z${n}` }) },
      samples: points((i) => ((i * (n + 3)) % 17) - 4),
    })),
    ...hosts.map((host, n) => ({
      labels: { __name__: 'served_total', host },
      samples: points((i) => i * 30 * (n + 1)),
    })),
    ...hosts.flatMap((host, n) =>
      ['0.1', '0.5', '+Inf'].map((le, bucket) => ({
        labels: { __name__: 'took_bucket', host, le },
        samples: points((i) => i * 10 * (n + 1) * (bucket + 1)),
      })),
    ),
  ]);
  const response = await fetch(`${world.url}/v1/ingest/both/prometheus/api/v1/write`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/x-protobuf' },
    body: Uint8Array.from(snappy(request)),
  });
  expect(response.status).toBe(204);
});
afterAll(() => world.close());

type Values = Readonly<Record<string, readonly (number | null)[]>>;

/** Without the name of the metric, which functions of PromQL drop. */
const keyOf = ({ __name__, ...labels }: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));

async function inMpl(mpl: string): Promise<Values> {
  const body = { mpl, startTime: new Date(start * 1000).toISOString(), endTime: new Date(end * 1000).toISOString() };
  const answer = await world.send('POST', '/v1/query/_mpl?format=metrics-v2', body);
  expect(answer.status).toBe(200);
  const { series } = answer.body as {
    readonly series: readonly {
      readonly tags: Readonly<Record<string, unknown>>;
      readonly data: readonly (number | null)[];
    }[];
  };
  return Object.fromEntries(
    series.map(({ tags, data }) => [
      keyOf(Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, String(value)]))),
      data,
    ]),
  );
}

async function inPromql(query: string, width: number): Promise<Values> {
  // A window of MPL has the time of its start, a range of PromQL that of its end.
  const form = new URLSearchParams({ query, start: String(start + width), end: String(end), step: String(width) });
  const response = await fetch(`${world.url}/prometheus/both/api/v1/query_range?${form}`, {
    headers: { authorization: `Bearer ${world.owner}` },
  });
  const body = (await response.json()) as {
    readonly error?: string;
    readonly data?: {
      readonly result: readonly {
        readonly metric: Readonly<Record<string, string>>;
        readonly values: readonly (readonly [number, string])[];
      }[];
    };
  };
  expect(body.error).toBe(undefined);
  return Object.fromEntries(
    body.data!.result.map(({ metric, values }) => {
      const at = new Map(values.map(([time, value]) => [time, Number(value)]));
      const length = (end - start) / width;
      return [keyOf(metric), Array.from({ length }, (_, i) => at.get(start + width * (i + 1)) ?? null)];
    }),
  );
}

const roundSeries = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, data]) => [
      key,
      data.map((value) => (value === null ? null : Number(value.toPrecision(9)))),
    ]),
  );

test.each([
  'load | align to 1m using avg',
  'load | align to 1m using sum | group using max',
  'load | align to 5m using min',
  'load | align to 5m using last | group by host using avg',
  'load | where host == "db.1" | align to 1m using count',
  'load | where zone != "z1" | align to 1m using max',
  'load | where not zone == "z1" | align to 1m using max',
  'load | where host == #/web/ | align to 1m using max',
  'load | where host in ["db.1", "web-2"] | align to 1m using max | map abs | map + 1',
  'load | align to 1m using last | map filter::gt(2)',
  'load | align to 1m using last | map is::lte(2) | group by zone using sum',
  'load | align to 1m using last | map max(0) | map min(5) | map / 2 | extend env = "p$1"',
  'load | offset -5m | align to 5m using sum',
  'served_total | align to 5m using prom::rate',
  'served_total | align to 5m using prom::rate | group using sum | map * 60',
  'took_bucket | bucket by host to 5m using interpolate_cumulative_histogram(rate, 0.5, 0.9)',
])('%s', async (query) => {
  const mpl = `both:${query}`;
  const translated = asPromql(mpl, { now: end * 1000, range: { start: start * 1000, end: end * 1000 } });
  if (translated.kind === 'problem') throw new Error(translated.message);
  const [values, same] = await Promise.all([inMpl(mpl), inPromql(translated.text, query.includes('to 1m') ? 60 : 300)]);
  expect(Object.keys(values).length).toBeGreaterThan(0);
  expect(roundSeries(same)).toEqual(roundSeries(values));
});

test('two queries of one expression', async () => {
  const mpl = '(both:load | align to 1m using sum, both:load | align to 1m using count) | compute mean using /';
  const translated = asPromql(mpl, { now: end * 1000, range: { start: start * 1000, end: end * 1000 } });
  if (translated.kind === 'problem') throw new Error(translated.message);
  expect(roundSeries(await inPromql(translated.text, 60))).toEqual(roundSeries(await inMpl(mpl)));
});

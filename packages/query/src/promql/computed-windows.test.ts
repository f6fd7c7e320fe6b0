import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SentValue, writeRequest } from '@millrace/ingest/prometheus/testing/write-request';
import { snappy } from '@millrace/ingest/testing/snappy';
import { labelsKey, labelsOf } from '@millrace/promql';
import { type EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';
import { ask, end as endMark, seriesOf } from '../../../promql/src/testing/memory.js';

/**
 * The windows that the engine computes are those of the arrays of the package `promql`, over random
 * series with resets, gaps, ends, infinities, and points that come late or twice.
 */

let world: EngineTestServer;
const dataset = 'prom-windows';
const start = 1_790_000_000_000;

/** Numbers between 0 and 1, the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

type Sample = readonly [number, SentValue];

const special = (next: () => number, value: number): SentValue =>
  next() < 0.5 ? Number.NaN : next() < 0.5 ? Infinity : -value * 1e17;

/** Properties of some series; all have resets and gaps. */
const kinds = ['plain', 'ends', 'repeats', 'specials', 'all', 'negative'] as const;

function randomSamples(next: () => number, kind: (typeof kinds)[number]): readonly Sample[] {
  const samples: Sample[] = [];
  const has = (what: (typeof kinds)[number]): boolean => kind === what || kind === 'all';
  let [time, value] = [start + Math.floor(next() * 90_000), next() * 20];
  for (let i = 0; i < 120; i++) {
    time += 1000 * Math.ceil(next() * 25) + Math.floor(next() * 3) + (next() < 0.04 ? 700_000 : 0);
    value = next() < 0.08 ? next() * 5 : value + Math.floor(next() * 10) / 4;
    samples.push([time, kind === 'negative' ? 30 - value : value]);
    if (has('repeats') && next() < 0.1) samples.push([time, value + 1]);
    if (has('specials') && next() < 0.05) samples.push([time + 1, special(next, value)]);
    if (has('ends') && next() < 0.07) samples.push([time + 2, 'end']);
    if (kind === 'all' && next() < 0.05) samples.push([time, 'end']);
  }
  return samples;
}

/** In the order of the requests. */
const samplesSent = new Map<string, readonly Sample[]>();

async function send(series: ReadonlyMap<string, readonly Sample[]>): Promise<void> {
  const body = snappy(
    writeRequest([...series].map(([id, samples]) => ({ labels: { __name__: 'm', id }, samples: [...samples] }))),
  );
  const response = await fetch(`${world.url}/prometheus/${dataset}/api/v1/write`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/x-protobuf' },
    body: Uint8Array.from(body),
  });
  expect(response.status).toBe(204);
}

beforeAll(async () => {
  world = await sharedTestServer();
  await world.send('POST', '/v2/datasets', { name: dataset, kind: 'otel:metrics:v1' });
  const next = random(7);
  const requests = Array.from({ length: 5 }, () => new Map<string, Sample[]>());
  for (const kind of kinds)
    for (const number of [0, 1, 2])
      for (const sample of randomSamples(next, kind)) {
        // Late points come with a later request.
        const at = Math.min(4, Math.floor((5 * (sample[0] - start)) / 3_000_000) + (next() < 0.1 ? 1 : 0));
        const request = requests[at]!;
        request.set(`${kind}${number}`, [...(request.get(`${kind}${number}`) ?? []), sample]);
      }
  for (const request of requests) {
    await send(request);
    for (const [id, samples] of request) samplesSent.set(id, [...(samplesSent.get(id) ?? []), ...samples]);
  }
});
afterAll(() => world.close());

/** The stored points: the last of several with the same time. */
function storedSeries(id: string) {
  const last = new Map(samplesSent.get(id));
  const points = [...last].toSorted(([a], [b]) => a - b);
  return seriesOf(
    { __name__: 'm', id },
    points.map(([time, value]) => [time, value === 'end' ? endMark : value] as const),
  );
}

/** Of a range in the past, of one that has many points in each window, and of an instant. */
const grids = [
  { start: start + 60_000, step: 17_000, length: 90 },
  { start: start - 600_000, step: 240_000, length: 14 },
  { start: start + 300_500, step: 61_000, length: 40 },
];

interface Result {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

const numberOf = (text: string): number =>
  text.endsWith('Inf') ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text);

const isClose = (a: number | undefined, b: number | undefined): boolean =>
  a === undefined || b === undefined || !Number.isFinite(b) || !Number.isFinite(a)
    ? Object.is(a, b)
    : Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));

test.each([
  'm',
  'm offset 45s',
  'timestamp(m)',
  ...['rate', 'increase', 'delta', 'irate', 'idelta', 'changes', 'resets'].map((fn) => `${fn}(m[4m])`),
  ...['avg', 'sum', 'min', 'max', 'count', 'first', 'last', 'present'].map((fn) => `${fn}_over_time(m[4m])`),
  'rate(m[17s])',
  'sum_over_time(m[10s] offset 1m)',
  'max_over_time(rate(m[2m])[5m:30s])',
  'avg_over_time(m[1h])',
])('%s', async (query) => {
  const all = [...samplesSent.keys()].map(storedSeries);
  for (const grid of grids) {
    const form = new URLSearchParams({
      query,
      start: String(grid.start / 1000),
      end: String((grid.start + (grid.length - 1) * grid.step) / 1000),
      step: String(grid.step / 1000),
    });
    const response = await fetch(`${world.url}/prometheus/${dataset}/api/v1/query_range?${form}`, {
      headers: { authorization: `Bearer ${world.owner}` },
    });
    expect(response.status).toBe(200);
    const body = (await response.json()) as { readonly data: { readonly result: readonly Result[] } };
    const found = new Map(
      body.data.result.map(({ metric, values }) => [
        labelsKey(labelsOf(Object.entries(metric))),
        new Map(values.map(([time, text]) => [Math.round(time * 1000), numberOf(text)] as const)),
      ]),
    );
    const wanted = ask(query, all, grid);
    if (wanted.kind !== 'vector') throw new Error('no vector');
    const differences: string[] = [];
    for (const { labels, values, present } of wanted.series) {
      const own = found.get(labelsKey(labels));
      for (let i = 0; i < grid.length; i++) {
        const [is, shouldBe] = [own?.get(grid.start + i * grid.step), present[i] === 1 ? values[i]! : undefined];
        if (!isClose(is, shouldBe)) differences.push(`${labels.get('id')}, time ${i}: ${is}, not ${shouldBe}`);
      }
    }
    expect(differences).toEqual([]);
    expect(found.size).toBe(wanted.series.length);
  }
});

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtPeer, startProgram, victoriaMetrics } from '../baselines/peer.js';
import { bytesOnDisk } from '../bytes-on-disk.js';
import { Connection } from '../connection.js';
import { scrapesOf } from '../data/node-metrics.js';
import type { FamilyFigures } from '../family-figures.js';
import { call, startServer } from '../server.js';
import type { Context, Suite } from '../world.js';

/**
 * Compares Millrace with another store of metrics: both get the same remote write and the same
 * PromQL, each running alone in turn with default settings. CPU time decides, because it depends
 * less on other load of the machine.
 */
export const metricsSuite: Suite = async (context) => {
  const { report, dataDirectory, directory, sizes } = context;
  const built = await builtPeer(join(dataDirectory, 'peers'), victoriaMetrics);
  if ('lack' in built) console.error(`${victoriaMetrics.name} is left out: ${built.lack}`);
  const suite = `metrics, ${40 * sizes.metricsTargets} series, ${sizes.metricsMinutes} min`;
  const openers = [openOurs, ...('path' in built ? [(at: string) => openTheirs(built.path, at)] : [])];
  const all: Measurements[] = [];
  for (const open of openers) {
    const at = join(directory, 'metrics');
    mkdirSync(at, { recursive: true });
    const store = await open(at);
    try {
      all.push(await measure(context, store, at));
    } finally {
      await store.stop();
      rmSync(at, { recursive: true, force: true });
    }
  }
  const [ours, theirs] = all;
  const figure = (name: string, unit: string, of: (one: Measurements) => readonly number[], atMost?: number): void =>
    report({
      suite,
      name,
      unit,
      better: 'lower',
      ours: of(ours!),
      against: [
        theirs === undefined
          ? { name: victoriaMetrics.name, runs: [], missing: 'not built' }
          : { name: victoriaMetrics.name, runs: of(theirs) },
      ],
      ...(theirs !== undefined && atMost !== undefined && { goals: [{ yardstick: victoriaMetrics.name, atMost }] }),
    });
  figure('ingest', 'CPU s/million points', ({ cpuSeconds, points }) => [(cpuSeconds / points) * 1e6], 1);
  figure('disk at rest', 'bytes/point', ({ restBytes, points }) => [restBytes / points], 1);
  figure('disk at rest, without the log', 'bytes/point', ({ tableBytes, points }) => [tableBytes / points], 1);
  figure('memory at most', 'MiB', ({ peakBytes }) => [peakBytes / 2 ** 20], 2);
  for (const { name } of questions) {
    figure(name, 'ms', ({ times }) => times.get(name)!, 1);
    figure(`${name}, CPU`, 'CPU ms', ({ costs }) => costs.get(name)!);
  }
};

const questions = [
  { name: 'rate of a metric', query: 'sum by (mode) (rate(node_cpu_seconds_total[5m]))' },
  {
    name: 'rate of each series of a target',
    query: 'rate(node_network_receive_bytes_total{instance=~"node-001-.*"}[5m])',
  },
  { name: 'mean of a gauge', query: 'avg(node_load1)' },
] as const;

interface Store extends FamilyFigures {
  readonly name: string;
  /** The address of the API of Prometheus. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly host: string;
  readonly port: number;
  /** Waits until a query sees all points. */
  seen(connection: Connection): Promise<void>;
  stop(): Promise<void>;
}

interface Measurements {
  readonly points: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly restBytes: number;
  /** Without the log, which keeps what the tables have had for minutes only. */
  readonly tableBytes: number;
  /** Milliseconds by the clock, and of CPU, of each run. */
  readonly times: ReadonlyMap<string, readonly number[]>;
  readonly costs: ReadonlyMap<string, readonly number[]>;
}

const startSeconds = 8;
/** Points of today: stores treat older ones as late. */
const day = 86_400_000;

async function measure({ sizes, say }: Context, store: Store, directory: string): Promise<Measurements> {
  const { metricsTargets, metricsMinutes } = sizes;
  const connection = new Connection(store.host, store.port);
  const start = Math.floor(Date.now() / day) * day;
  const end = start + metricsMinutes * 60_000;
  // A start loads programs for seconds after the first response, which is no ingest.
  await sleep(startSeconds * 1000);
  store.forgetPeak();
  const before = store.cpuSeconds();
  let points = 0;
  say(`${store.name} loads`);
  for (const scrape of scrapesOf(metricsTargets, metricsMinutes, start)) {
    const headers = {
      ...store.headers,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    };
    const request = connection.prepare('POST', `${store.base}/api/v1/write`, { headers, body: scrape.body });
    const { status, body } = await connection.request(request);
    if (status >= 300) throw new Error(`${store.name}: ${status} ${body.toString().slice(0, 300)}`);
    points += scrape.points;
  }
  await store.seen(connection);
  const cpuSeconds = store.cpuSeconds() - before;
  const asked = { start: start / 1000, end: end / 1000, step: Math.max(15, Math.round((metricsMinutes * 60) / 240)) };
  await checkCount(store, connection, { ...asked, metricsTargets });
  const times = new Map<string, number[]>();
  const costs = new Map<string, number[]>();
  for (const { name, query } of questions) {
    say(`${store.name}: ${name}`);
    for (let run = -Math.min(5, sizes.warmingRounds); run < sizes.queryRuns; run++) {
      const [started, cpu] = [performance.now(), store.cpuMilliseconds()];
      const result = await range(store, connection, query, asked);
      const cost = [performance.now() - started, store.cpuMilliseconds() - cpu] as const;
      if (result.length === 0) throw new Error(`${store.name}: no series of ${query}`);
      if (run < 0) continue;
      times.set(name, [...(times.get(name) ?? []), cost[0]]);
      costs.set(name, [...(costs.get(name) ?? []), cost[1]]);
    }
  }
  const peakBytes = store.peakBytes();
  say(`${store.name} rests`);
  await sleep(sizes.metricsRestSeconds * 1000);
  connection.close();
  const restBytes = bytesOnDisk(directory);
  const tableBytes = restBytes - bytesOnDisk(join(directory, 'log'));
  return { points, cpuSeconds, peakBytes, restBytes, tableBytes, times, costs };
}

interface AskedRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

interface SeriesOfRange {
  readonly values: readonly (readonly [number, string])[];
}

async function range(
  { name, base, headers }: Store,
  connection: Connection,
  query: string,
  { start, end, step }: AskedRange,
): Promise<readonly SeriesOfRange[]> {
  const form = new URLSearchParams({ query, start: `${start}`, end: `${end}`, step: `${step}`, nocache: '1' });
  const { status, body } = await connection.request(
    connection.prepare('GET', `${base}/api/v1/query_range?${form}`, { headers }),
  );
  if (status !== 200) throw new Error(`${name}: ${query}: ${status} ${body.toString().slice(0, 300)}`);
  return (JSON.parse(body.toString()) as { readonly data: { readonly result: readonly SeriesOfRange[] } }).data.result;
}

/** Each scrape of each target is there once. */
async function checkCount(
  store: Store,
  connection: Connection,
  { start, end, metricsTargets }: AskedRange & { readonly metricsTargets: number },
): Promise<void> {
  const seconds = end - start;
  const query = `sum(count_over_time(up[${seconds}s]))`;
  // The last instant includes all scrapes: the end itself has none.
  const at = { start: end - 1, end: end - 1, step: 15 };
  const [series] = await range(store, connection, query, at);
  const found = Number(series?.values[0]?.[1]);
  if (found !== (metricsTargets * seconds) / 15)
    throw new Error(`${store.name} has ${found} of ${(metricsTargets * seconds) / 15} points`);
}

const dataset = 'bench';

async function openOurs(directory: string): Promise<Store> {
  const server = await startServer(directory);
  await call(server, '/v2/datasets', { name: dataset, kind: 'otel:metrics:v1' });
  return { ...server, name: 'Millrace', base: `/prometheus/${dataset}`, seen: () => Promise.resolve() };
}

async function openTheirs(path: string, directory: string): Promise<Store> {
  const peer = await startProgram(path, directory, victoriaMetrics.name);
  return { ...peer, name: victoriaMetrics.name, base: '', headers: {}, seen: (connection) => peer.flush(connection) };
}

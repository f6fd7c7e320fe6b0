import type { Body } from '../data/bodies.js';
import type { Shape } from '../data/shape.js';
import { type LoadOptions, send } from '../load.js';
import { difference } from '../queries/compare.js';
import { contentsOf } from '../queries/contents.js';
import { apl, createDataset, deleteDataset, type Server } from '../server.js';
import { median, quantile, type Runs } from '../statistics.js';
import { ask, type EngineYardstick } from '../baselines/engine.js';
import { lagWhile } from './lag.js';

/** Measurements of one ingest run. */
export interface Ours {
  readonly seconds: number;
  readonly queryableSeconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly lagMilliseconds: number;
  readonly latencies: Runs;
  /** The requested aggregates, if any. */
  readonly contents: readonly (readonly unknown[])[];
}

let datasetCount = 0;

/**
 * Sends bodies to a new dataset until a query sees every event. Then deletes the dataset, like the
 * tables of the yardsticks: later merges would slow the next measurement.
 * @param aggregates queried at the end, unmeasured
 */
export async function ingestOnce(
  server: Server,
  sending: Omit<LoadOptions, 'dataset'>,
  aggregates?: string,
): Promise<Ours> {
  const dataset = `ingest-${++datasetCount}`;
  await createDataset(server, dataset);
  server.forgetPeak();
  const cpu = server.cpuSeconds();
  const started = performance.now();
  const { result: load, lag } = await lagWhile(server, () => send(server, { ...sending, dataset }));
  const sent = performance.now();
  const [[count] = []] = await apl(server, `['${dataset}'] | count`);
  const seconds = (performance.now() - started) / 1000;
  const events = sending.bodies.reduce((sum, body) => sum + body.events, 0);
  if (count !== events) throw new Error(`${events} events sent, ${String(count)} found`);
  const ours = {
    seconds,
    queryableSeconds: (performance.now() - sent) / 1000,
    cpuSeconds: server.cpuSeconds() - cpu,
    peakBytes: server.peakBytes(),
    lagMilliseconds: lag,
    latencies: load.latencies,
    contents: aggregates === undefined ? [] : await apl(server, `['${dataset}'] | summarize ${aggregates}`),
  };
  await deleteDataset(server, dataset);
  return ours;
}

/** @throws Error unless the last run stored the same data as the hand-typed table */
export async function compareContents(runs: readonly Ours[], shape: Shape, { engine }: EngineYardstick): Promise<void> {
  const theirs = await ask(engine, `SELECT ${contentsOf(shape).sql} FROM ${shape.name}`);
  const problem = difference({}, runs.at(-1)!.contents, theirs);
  if (problem !== undefined) throw new Error(`${shape.title}: ours are not those of the hand-typed table: ${problem}`);
}

export const rawBytesOf = (bodies: readonly Body[]): number => bodies.reduce((sum, body) => sum + body.rawBytes, 0);

/** The other figures of these runs. */
export function besideOf(runs: readonly Ours[], rawBytes: number, events: number): Record<string, number> {
  const of = (value: (run: Ours) => number): number => median(runs.map(value));
  return {
    'events/s': of((run) => events / run.seconds),
    'ack p50 ms': of((run) => quantile(run.latencies, 0.5)),
    'ack p99 ms': of((run) => quantile(run.latencies, 0.99)),
    'event-loop lag ms': of((run) => run.lagMilliseconds),
    'CPU s/GB': of((run) => run.cpuSeconds / (rawBytes / 1e9)),
    'peak memory MiB': of((run) => run.peakBytes / 2 ** 20),
    'queryable after ms': of((run) => run.queryableSeconds * 1000),
  };
}

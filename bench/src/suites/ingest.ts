import { writeFileSync, readFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createReadStream } from 'node:fs';
import { bodiesOf, type Body, type Encoder, fileOf, type Format, gzip } from '../data/bodies.js';
import type { Shape } from '../data/shape.js';
import { httpLogs } from '../data/http-logs.js';
import { shapesNamed } from '../data/shapes.js';
import { type Sending, send } from '../load.js';
import { apl, createDataset, type Server } from '../server.js';
import { median, quantile, type Runs } from '../statistics.js';
import { type Context, notInstalled, type Suite, type World, withWorld } from '../world.js';
import { compressFile, createJson, createTyped, jsonTable, loadJson, loadTyped, timed } from '../yardsticks/engine.js';
import { loadDuck } from '../yardsticks/duckdb.js';
import { lagWhile } from './lag.js';

/** Megabytes of events a second, before any encoding, from the first byte sent until a query sees the last event. */

interface Ours {
  readonly seconds: number;
  readonly queryableSeconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly lagMilliseconds: number;
  readonly latencies: Runs;
}

let made = 0;

async function ingestOnce(server: Server, sending: Omit<Sending, 'dataset'>): Promise<Ours> {
  const dataset = `ingest-${++made}`;
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
  return {
    seconds,
    queryableSeconds: (performance.now() - sent) / 1000,
    cpuSeconds: server.cpuSeconds() - cpu,
    peakBytes: server.peakBytes(),
    lagMilliseconds: lag,
    latencies: load.latencies,
  };
}

const megabyte = 1e6;
const rawBytesOf = (bodies: readonly Body[]): number => bodies.reduce((sum, body) => sum + body.rawBytes, 0);

function besideOf(runs: readonly Ours[], rawBytes: number, events: number): Record<string, number> {
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

export async function linesOf(path: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) lines.push(line);
  return lines;
}

const sendingOf = (shape: Shape, bodies: readonly Body[], clients: number): Omit<Sending, 'dataset'> => ({
  bodies,
  clients,
  ...(shape.timestampField !== undefined && { query: `?timestamp-field=${shape.timestampField}` }),
});

function parseAll(lines: readonly string[]): number {
  const started = performance.now();
  let keys = 0;
  for (const line of lines) keys += typeof JSON.parse(line) === 'object' ? 1 : 0;
  if (keys !== lines.length) throw new Error('not all lines are events');
  return (performance.now() - started) / 1000;
}

/** All shapes, as large bodies from a few clients, against every yardstick. */
async function compareShapes(context: Context, world: World): Promise<void> {
  const { sizes, report, say } = context;
  const { server, yardstick, duck } = world;
  for (const shape of shapesNamed(sizes.shapes)) {
    say(`ingest: ${shape.title}`);
    const events = sizes.ingestEvents[shape.name] ?? 1000;
    const path = await fileOf(context.dataDirectory, shape, events);
    const lines = await linesOf(path);
    const perBody = Math.max(1, Math.ceil((events * 4 * megabyte) / Math.max(1, lines.join('').length)));
    const bodies = await bodiesOf(lines, Math.min(perBody, Math.ceil(events / 8)));
    const rawBytes = rawBytesOf(bodies);
    const runs: Ours[] = [];
    const theirs = { json: [] as number[], typed: [] as number[], duck: [] as number[], parse: [] as number[] };
    const cpu = { json: [] as number[], typed: [] as number[] };
    for (let run = 0; run < sizes.runs; run++) {
      runs.push(await ingestOnce(server, sendingOf(shape, bodies, 4)));
      await createJson(yardstick.engine, jsonTable(shape.name));
      await createTyped(yardstick.engine, shape.name, shape);
      const start = yardstick.cpuSeconds();
      theirs.json.push(await loadJson(yardstick.engine, jsonTable(shape.name), path));
      const between = yardstick.cpuSeconds();
      theirs.typed.push(await loadTyped(yardstick.engine, shape.name, shape, path));
      cpu.json.push(between - start);
      cpu.typed.push(yardstick.cpuSeconds() - between);
      if (duck !== undefined) theirs.duck.push(await timed(() => loadDuck(duck, shape.name, shape, path)));
      theirs.parse.push(parseAll(lines));
    }
    const rate = (seconds: Runs): Runs => seconds.map((s) => rawBytes / megabyte / s);
    report({
      suite: 'ingest',
      name: `${shape.title}, NDJSON, 4 MB a request, 4 clients`,
      unit: 'MB/s',
      better: 'higher',
      ours: rate(runs.map((run) => run.seconds)),
      against: [
        { name: 'JSON type load', runs: rate(theirs.json) },
        { name: 'hand-typed load', runs: rate(theirs.typed) },
        { name: 'DuckDB load', runs: rate(theirs.duck), ...(duck === undefined && { missing: notInstalled }) },
        { name: 'JSON.parse', runs: rate(theirs.parse) },
      ],
      beside: besideOf(runs, rawBytes, events),
      goals: [
        { yardstick: 'JSON type load', atLeast: 2.5 },
        { yardstick: 'hand-typed load', atLeast: 1 },
      ],
    });
    // What it costs, whoever else uses the machine.
    const perGigabyte = (seconds: Runs): Runs => seconds.map((s) => s / (rawBytes / 1e9));
    report({
      suite: 'ingest cost',
      name: shape.title,
      unit: 'CPU s/GB',
      better: 'lower',
      ours: perGigabyte(runs.map((run) => run.cpuSeconds)),
      against: [
        { name: 'JSON type load', runs: perGigabyte(cpu.json) },
        { name: 'hand-typed load', runs: perGigabyte(cpu.typed) },
      ],
    });
  }
}

interface Variation {
  readonly name: string;
  readonly format: Format;
  readonly encode?: Encoder;
  readonly headers?: Readonly<Record<string, string>>;
  readonly perBody: number;
  readonly clients: number;
}

/** Formats, encodings, sizes of requests and numbers of clients, on the logs, against the hand-typed load of the same events. */
async function compareVariations(context: Context, { server, yardstick }: World): Promise<void> {
  const { sizes, report, say } = context;
  const shape = httpLogs;
  const scratch = join(context.directory, 'zstd');
  mkdirSync(scratch, { recursive: true });
  const zstd: Encoder = async (raw) => {
    const [from, to] = [join(scratch, 'body'), join(scratch, 'body.zst')];
    rmSync(to, { force: true });
    writeFileSync(from, raw);
    await compressFile(yardstick.engine, from, to);
    return readFileSync(to);
  };
  const base = { format: 'ndjson', perBody: Math.min(10_000, sizes.variationEvents), clients: 4 } as const;
  const variations: readonly Variation[] = [
    { ...base, name: 'JSON array', format: 'array', headers: { 'content-type': 'application/json' } },
    { ...base, name: 'CSV', format: 'csv', headers: { 'content-type': 'text/csv' } },
    { ...base, name: 'NDJSON, gzip', encode: gzip, headers: { 'content-encoding': 'gzip' } },
    { ...base, name: 'NDJSON, zstd', encode: zstd, headers: { 'content-encoding': 'zstd' } },
    ...sizes.batchSizes.map((perBody) => ({
      ...base,
      name: `NDJSON, ${perBody.toLocaleString('en')} a request`,
      perBody,
    })),
    ...sizes.clients.map((clients) => ({
      ...base,
      name: `NDJSON, 1,000 a request, ${clients} clients`,
      perBody: 1000,
      clients,
    })),
  ];
  for (const { name, format, encode, headers, perBody, clients } of variations) {
    say(`ingest: ${name}`);
    // One event a request takes a thousand times as long an event: fewer show as much.
    const events = Math.min(sizes.variationEvents, perBody * 10_000);
    const path = await fileOf(context.dataDirectory, shape, events);
    const bodies = await bodiesOf(await linesOf(path), perBody, format, encode);
    const rawBytes = rawBytesOf(bodies);
    const runs: Ours[] = [];
    const typed: number[] = [];
    for (let run = 0; run < sizes.runs; run++) {
      runs.push(
        await ingestOnce(server, { ...sendingOf(shape, bodies, clients), ...(headers !== undefined && { headers }) }),
      );
      await createTyped(yardstick.engine, shape.name, shape);
      typed.push(await loadTyped(yardstick.engine, shape.name, shape, path));
    }
    report({
      suite: 'ingest',
      name: `${shape.title}, ${name}`,
      unit: 'events/s',
      better: 'higher',
      ours: runs.map((run) => events / run.seconds),
      against: [{ name: 'hand-typed load', runs: typed.map((seconds) => events / seconds) }],
      beside: besideOf(runs, rawBytes, events),
    });
  }
}

export const ingestSuite: Suite = (context) =>
  withWorld(context, 'ingest', async (world) => {
    await compareShapes(context, world);
    if (context.sizes.shapes.includes(httpLogs.name)) await compareVariations(context, world);
  });

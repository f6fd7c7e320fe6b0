import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodiesOf, type Encoder, fileOf, type Format, gzip, linesOf } from '../data/bodies.js';
import { httpLogs } from '../data/http-logs.js';
import { clientsNamed, sendingOf } from '../load.js';
import { contentsOf } from '../queries/contents.js';
import type { Context, World } from '../world.js';
import { compressFile, createTyped, loadTyped } from '../baselines/engine.js';
import { besideOf, compareContents, ingestOnce, type Ours, rawBytesOf } from './ingest-once.js';
import { warmIngest } from './warm-ingest.js';

interface Variation {
  readonly name: string;
  readonly format: Format;
  readonly encode?: Encoder;
  readonly headers?: Readonly<Record<string, string>>;
  readonly perBody: number;
  readonly clients: number;
}

/** Two for each of four clients. */
const fewestRequests = 8;

/**
 * Measures formats, encodings, sizes of requests and numbers of clients with the logs, against the
 * hand-typed load of the same events.
 */
export async function compareVariations(context: Context, { server, yardstick }: World): Promise<void> {
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
      name: `NDJSON, 1,000 a request, ${clientsNamed(clients)}`,
      perBody: 1000,
      clients,
    })),
  ];
  for (const { name, format, encode, headers, perBody, clients } of variations) {
    say(`ingest: ${name}`);
    // With one event per request an event takes a thousand times as long, and fewer events suffice.
    // Large requests are enough for all clients.
    const events = Math.min(Math.max(sizes.variationEvents, fewestRequests * perBody), perBody * 10_000);
    const path = await fileOf(context.dataDirectory, shape, events);
    const bodies = await bodiesOf(await linesOf(path), perBody, format, encode);
    const rawBytes = rawBytesOf(bodies);
    const runs: Ours[] = [];
    const typed: number[] = [];
    const sending = { ...sendingOf(shape, bodies, clients), ...(headers !== undefined && { headers }) };
    await warmIngest(server, sending);
    for (let run = 0; run < sizes.runs; run++) {
      runs.push(await ingestOnce(server, sending, contentsOf(shape).apl));
      await createTyped(yardstick.engine, shape.name, shape);
      typed.push(await loadTyped(yardstick.engine, shape.name, shape, path));
    }
    await compareContents(runs, shape, yardstick);
    report({
      suite: 'ingest',
      name: `${shape.title}, ${name}`,
      unit: 'events/s',
      better: 'higher',
      ours: runs.map((run) => events / run.seconds),
      against: [{ name: 'hand-typed load', runs: typed.map((seconds) => events / seconds) }],
      others: besideOf(runs, rawBytes, events),
    });
  }
}

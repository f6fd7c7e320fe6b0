import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Event } from './events.js';
import { isLater, type Life } from './life.js';
import type { Batch, Dataset } from './model.js';
import { Random } from './random.js';
import type { Answer, Server } from './server.js';

/** A client that sends one batch after another, each in one request, until the server is down. */
export async function write(life: Life, name: string): Promise<void> {
  const random = new Random(life.seed, 'writer', life.cycle, name);
  while (!life.over) {
    const dataset = random.pick(life.model.datasets);
    const keyed = random.chance(0.25);
    const repeat = keyed && random.chance(0.2);
    const pause = random.chance(0.3) ? random.between(0, 40) : 0;
    let taken = false;
    await dataset.gate.pass(async () => {
      // This may have changed while it waited for the gate.
      if (life.over || dataset.gone) return;
      const { batch, events } = life.model.newBatch(dataset, keyed);
      await send(life, dataset, batch, events);
      if (repeat && batch.fate === 'acknowledged' && !life.over) await send(life, dataset, batch, events);
      taken = batch.fate === 'acknowledged';
    });
    await sleep(taken ? pause : 30);
  }
}

/** Sends a batch, possibly again, and records what was acknowledged. */
export async function send(life: Life, dataset: Dataset, batch: Batch, events: readonly Event[]): Promise<void> {
  const again = batch.fate === 'acknowledged';
  const answer = await post(life.server, dataset, batch, events).catch((error: unknown) => error);
  if (answer instanceof Error) {
    if (!life.struck)
      life.tally.violation('unexpected', `${batch.id}: no answer to an ingest: ${String(answer.cause ?? answer)}`);
    if (!again) batch.fate = 'unknown';
    return;
  }
  const { status, body, text } = answer as Answer;
  if (status !== 200) {
    if (isLater(life, status)) life.tally.count(`ingests answered ${status}`);
    else life.tally.violation('unexpected', `${batch.id}: an ingest was answered ${status} ${text.slice(0, 300)}`);
    if (!again) batch.fate = 'unknown';
    return;
  }
  const { ingested, failed } = body as { readonly ingested: number; readonly failed: number };
  if (ingested !== batch.size || failed !== 0)
    life.tally.violation('unexpected', `${batch.id}: ${ingested} of ${batch.size} events were taken, ${failed} failed`);
  if (again) return life.tally.count('batches sent twice');
  batch.fate = 'acknowledged';
  life.tally.count('batches acknowledged');
  life.tally.count('events acknowledged', batch.size);
}

function post(server: Server, dataset: Dataset, batch: Batch, events: readonly Event[]): Promise<Answer> {
  // A batch that is sent again must have the same bytes.
  const random = new Random(batch.seed, 'form', batch.id);
  const lines = random.chance(0.5);
  const text = lines ? events.map((event) => JSON.stringify(event)).join('\n') : JSON.stringify(events);
  const zipped = random.chance(0.2);
  return server.request(`/v1/datasets/${dataset.name}/ingest`, {
    body: zipped ? new Uint8Array(gzipSync(text, { level: 1 })) : text,
    headers: {
      'content-type': lines ? 'application/x-ndjson' : 'application/json',
      ...(zipped && { 'content-encoding': 'gzip' }),
      ...(batch.key !== undefined && { 'idempotency-key': batch.key }),
    },
  });
}

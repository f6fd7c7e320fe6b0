import { canonical } from './events.js';
import { extentsOf, nothing } from './extents.js';
import type { Life } from './life.js';
import { type Batch, type Dataset, type Extent, sameExtent, survivorsOf } from './model.js';
import { pages } from './query.js';

/**
 * Checks everything while no client is running: how much of each batch is stored and, for batches
 * not compared yet, every value. Afterwards the outcome of unanswered batches is known and must not
 * change.
 */
export async function verify(life: Life, which: 'new' | 'all'): Promise<void> {
  await Promise.all(life.model.datasets.map((dataset) => look(life, dataset, which)));
}

/** Verifies one dataset. */
export async function look(life: Life, dataset: Dataset, which: 'new' | 'all'): Promise<void> {
  if (dataset.gone) return;
  const found = await extentsOf(life.server, dataset);
  for (const batch of dataset.batches.values()) judge(life, dataset, batch, found.get(batch.id) ?? nothing);
  for (const [id, { events }] of found)
    if (!dataset.batches.has(id))
      life.tally.violation(
        'revived',
        `${dataset.name}: ${events} events of batch ${id}, which was dropped with its dataset`,
      );
  await compare(life, dataset, which);
}

function judge({ tally }: Life, dataset: Dataset, batch: Batch, found: Extent): void {
  const there = `${dataset.name}: ${found.events} of ${batch.extent.events} events of batch ${batch.id} (${batch.fate}) are there`;
  const whole = sameExtent(found, batch.extent);
  switch (batch.fate) {
    case 'acknowledged':
    case 'there': {
      if (whole) return;
      if (found.events > batch.extent.events)
        tally.violation(batch.extent.events < batch.size ? 'revived' : 'duplicated', there);
      else if (batch.deleting !== undefined && found.events >= batch.deleting.extent.events) return;
      else tally.violation(found.events < batch.extent.events ? 'lost' : 'changed', there);
      return;
    }
    case 'absent':
      if (found.events > 0) tally.violation('revived', there);
      return;
    case 'sent':
    case 'unknown': {
      if (found.events === 0) batch.fate = 'absent';
      else if (whole) batch.fate = 'there';
      else tally.violation(found.events > batch.extent.events ? 'duplicated' : 'torn', there);
      tally.count(found.events === 0 ? 'batches unanswered, absent' : 'batches unanswered, there');
    }
  }
}

/** Events of one page. */
const pageEvents = 20_000;

/** Reads events back and compares every value with the one that was sent. */
async function compare({ server, tally }: Life, dataset: Dataset, which: 'new' | 'all'): Promise<void> {
  const batches = dataset
    .certain()
    .filter((batch) => batch.deleting === undefined && (which === 'all' || !batch.compared));
  const first = batches[0];
  if (first === undefined) return;
  const expected = new Map<string, string>();
  for (const batch of batches)
    for (const event of survivorsOf(batch)) expected.set(`${batch.id}.${event.row}`, canonical(event));
  const wanted = new Set(batches.map(({ id }) => id));
  const question = `['${dataset.name}'] | where batch >= ${first.id}`;
  for await (const rows of pages(server, question, pageEvents))
    for (const { _sysTime: _, ...event } of rows) {
      const id = `${String(event['batch'])}.${String(event['row'])}`;
      if (!wanted.has(Number(event['batch']))) continue;
      const text = canonical(event);
      if (expected.get(id) !== text) tally.violation('changed', `${dataset.name}: event ${id} came back as ${text}`);
      expected.delete(id);
    }
  for (const id of expected.keys()) tally.violation('lost', `${dataset.name}: event ${id} was not given back`);
  tally.count(
    'events compared',
    batches.reduce((sum, { extent }) => sum + extent.events, 0),
  );
  for (const batch of batches) batch.compared = true;
}

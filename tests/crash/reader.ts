import { setTimeout as sleep } from 'node:timers/promises';
import { extentsOf, nothing } from './extents.js';
import { isLater, type Life } from './life.js';
import { type Batch, type Dataset, type Extent, sameExtent, survivorsOf } from './model.js';
import { ask, Incomplete, pages, UnansweredError } from './query.js';
import { Random } from './random.js';

/**
 * A client that queries while others send. Every batch acknowledged before the query must be in the
 * result, unless the response reports missing events because the engine was killed, and no batch
 * may be partial.
 */
export async function read(life: Life, name: string): Promise<void> {
  const random = new Random(life.seed, 'reader', life.cycle, name);
  while (!life.over) {
    const dataset = random.pick(life.model.datasets);
    const question = random.pickWeighted({ extents: 60, count: 25, paging: 15 });
    const limit = random.between(100, 3000);
    await dataset.gate.pass(async () => {
      if (life.over || dataset.gone) return;
      try {
        await questions[question](life, dataset, limit);
        life.tally.count('queries checked');
      } catch (error) {
        if (error instanceof UnansweredError && isLater(life, error.answer.status))
          life.tally.count(`queries answered ${error.answer.status}`);
        else if (error instanceof Incomplete && life.struck) life.tally.count('queries answered in part');
        else if (error instanceof UnansweredError || !life.struck)
          life.tally.violation('unexpected', `a query of ${dataset.name} was not answered: ${why(error)}`);
      }
    });
    await sleep(random.between(0, 30));
  }
}

const why = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error);

type Question = (life: Life, dataset: Dataset, limit: number) => Promise<void>;

const questions: Readonly<Record<'extents' | 'count' | 'paging', Question>> = {
  async extents({ server, tally }, dataset) {
    const before = snapshot(dataset);
    const found = await extentsOf(server, dataset);
    for (const batch of before.promised()) {
      const extent = found.get(batch.id) ?? nothing;
      if (!sameExtent(extent, batch.extent))
        tally.violation(
          extent.events > batch.extent.events ? 'duplicated' : 'lost',
          difference(dataset, batch, extent),
        );
    }
    for (const [id, extent] of found) {
      const batch = dataset.batches.get(id);
      if (batch === undefined)
        tally.violation('revived', `${dataset.name}: a query sees batch ${id} of an earlier dataset`);
      else if (before.isNew(batch) && !sameExtent(extent, batch.extent))
        tally.violation('torn', difference(dataset, batch, extent));
    }
  },

  async count({ server, tally }, dataset) {
    const before = snapshot(dataset);
    const { rows } = await ask(server, `['${dataset.name}'] | count`);
    const count = Number(Object.values(rows[0] ?? {})[0]);
    const min = before.promised().reduce((sum, { extent }) => sum + extent.events, 0);
    const max = before.max();
    if (!(count >= min))
      tally.violation('lost', `${dataset.name}: a count gives ${count}, but ${min} had been promised`);
    if (count > max)
      tally.violation('duplicated', `${dataset.name}: a count gives ${count}, but only ${max} were sent`);
  },

  async paging({ server, tally }, dataset, limit) {
    const before = snapshot(dataset);
    const from = before.promised().at(-40)?.id ?? 0;
    const seen = new Set<string>();
    const question = `['${dataset.name}'] | where batch >= ${from} | project batch, row, _time`;
    for await (const rows of pages(server, question, limit))
      for (const { batch, row } of rows) {
        const id = `${String(batch)}.${String(row)}`;
        if (seen.has(id)) tally.violation('duplicated', `${dataset.name}: paging gives event ${id} twice`);
        seen.add(id);
      }
    for (const batch of before.promised()) {
      if (batch.id < from) continue;
      const missing = survivorsOf(batch).filter(({ row }) => !seen.has(`${batch.id}.${row}`)).length;
      if (missing > 0) tally.violation('lost', `${dataset.name}: paging misses ${missing} events of batch ${batch.id}`);
    }
  },
};

/** State known before a query, to check its result against. */
interface Snapshot {
  /** Batches that were certain before the query, without a deletion started since. */
  promised(): readonly Batch[];
  /**
   * Whether a batch was sent since, or was unanswered before the query, and no deletion affects it.
   */
  isNew(batch: Batch): boolean;
  /** Maximum events that the result may contain. */
  max(): number;
}

function snapshot(dataset: Dataset): Snapshot {
  const extents = new Map<Batch, Extent>();
  const deleting = new Set<Batch>();
  for (const batch of dataset.batches.values()) {
    extents.set(batch, batch.extent);
    if (batch.deleting !== undefined) deleting.add(batch);
  }
  const certain = dataset.certain();
  const isUntouched = (batch: Batch): boolean =>
    batch.deleting === undefined && !deleting.has(batch) && (extents.get(batch) ?? batch.extent) === batch.extent;
  return {
    promised: () => certain.filter(isUntouched),
    isNew: (batch) => !certain.includes(batch) && isUntouched(batch),
    max: () => {
      let sum = 0;
      for (const batch of dataset.batches.values())
        if (batch.fate !== 'absent') sum += (extents.get(batch) ?? batch.extent).events;
      return sum;
    },
  };
}

const difference = (dataset: Dataset, batch: Batch, found: Extent): string =>
  `${dataset.name}: a query sees ${formatExtent(found)} of batch ${batch.id} (${batch.fate}), which has ${formatExtent(batch.extent)}`;

const formatExtent = ({ events, rows, check }: Extent): string => `${events} events (rows ${rows}, sum ${check})`;

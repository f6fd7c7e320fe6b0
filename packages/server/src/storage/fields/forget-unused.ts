import type { Engine } from '@millrace/engine';
import { Breath, taken } from '../../async/breath.js';
import type { Backlog } from '../insert/backlog.js';
import type { Flusher } from '../insert/flusher.js';
import { usesInOverflow } from '../tables/in-overflow.js';
import type { StoredDataset } from './dataset.js';
import type { FieldStore } from './field-store.js';
import { DatasetFields, type FieldAndType } from './fields.js';

interface ForgetDependencies {
  readonly engine: Engine;
  readonly fieldStore: FieldStore;
  readonly backlog: Backlog;
  readonly flusher: Pick<Flusher, 'exclusively'>;
}

/** Fields that are forgotten in one go, while inserts of the dataset wait: some milliseconds. */
const fieldsAtOnce = 2000;

/**
 * Forgets the fields of which no event has a value in the overflow column, in pieces: there may be
 * millions. Yields those that have no column either. What events bring meanwhile is not forgotten.
 * Wherever this ends, the rest is forgotten the next time.
 */
export async function* forgetUnused(
  dataset: StoredDataset,
  { engine, fieldStore, backlog, flusher }: ForgetDependencies,
): AsyncGenerator<readonly string[]> {
  if (!dataset.fields.overflows) return;
  // Watched before the engine is asked: what comes too late for its answer is seen here.
  const waiting = (backlog.queue(dataset.id)?.batches ?? []).map(({ block }) => block);
  const coming = dataset.watchOverflow(waiting);
  const without = (uses: readonly FieldAndType[], used: DatasetFields): readonly FieldAndType[] =>
    uses.filter(({ field, type }) => !used.isIn('overflow', field, type));
  try {
    const used = new DatasetFields();
    for await (const some of usesInOverflow(engine, dataset.id)) for (const use of some) used.add(use, 'overflow');
    for await (const some of inPieces(dataset.fields)) {
      const unused = without(some, used);
      if (unused.length === 0) continue;
      // What is being inserted has its fields written down first; what comes later follows.
      const gone = await flusher.exclusively(dataset, async () => {
        const overflow = without(unused, coming);
        // First here, so that an event that brings one back makes it news. Should the metadata
        // fail, they know a field that no event has, until the next time.
        dataset.dropOverflowed(overflow);
        await fieldStore.remove(dataset.id, { column: [], overflow });
        return overflow;
      });
      yield [...new Set(gone.map(({ field }) => field))].filter((field) => !dataset.fields.has(field));
    }
    await taken(dataset.fields.closing(), new Breath());
  } finally {
    dataset.stopWatching();
  }
}

/** Those in the overflow column, whatever is added or removed meanwhile. */
async function* inPieces(fields: DatasetFields): AsyncGenerator<readonly FieldAndType[]> {
  const breath = new Breath();
  let some: FieldAndType[] = [];
  let seen = 0;
  for (const [field, types] of fields.entries()) {
    for (const [type, { overflow }] of types) if (overflow) some.push({ field, type });
    if (++seen % fieldsAtOnce !== 0) continue;
    yield some;
    some = [];
    await breath.take();
  }
  yield some;
}

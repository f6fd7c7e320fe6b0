import type { Engine } from '@millrace/engine';
import { Yielder, runYielding } from '@millrace/runtime/async/yield';
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
  readonly flusher: Pick<Flusher, 'runExclusively'>;
}

/** Fields removed per chunk, while inserts of the dataset wait: some milliseconds. */
const fieldsAtOnce = 2000;

/**
 * Removes the fields without values in the overflow column, in chunks: there may be millions.
 * Yields those without a column too. Fields of concurrent events are kept. If interrupted, the next
 * call removes the rest.
 */
export async function* forgetUnused(
  dataset: StoredDataset,
  { engine, fieldStore, backlog, flusher }: ForgetDependencies,
): AsyncGenerator<readonly string[]> {
  if (!dataset.fields.overflows) return;
  // Watched before the engine is queried: fields missing from its result are recorded here.
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
      // Fields of batches being inserted are written first; those of later batches follow.
      const removable = await flusher.runExclusively(dataset, async () => {
        const overflow = without(unused, coming);
        // First here, so that an event that uses one again makes it a new field. If the metadata
        // fail, they have a field without events, until the next time.
        dataset.dropOverflowed(overflow);
        await fieldStore.remove(dataset.id, { column: [], overflow });
        return overflow;
      });
      yield [...new Set(removable.map(({ field }) => field))].filter((field) => !dataset.fields.has(field));
    }
    await runYielding(dataset.fields.removeClosed(), new Yielder());
  } finally {
    dataset.stopWatching();
  }
}

/** Yields the overflow fields while others are added or removed. */
async function* inPieces(fields: DatasetFields): AsyncGenerator<readonly FieldAndType[]> {
  const yielder = new Yielder();
  let some: FieldAndType[] = [];
  let seen = 0;
  for (const [field, types] of fields.entries()) {
    for (const [type, { overflow }] of types) if (overflow) some.push({ field, type });
    if (++seen % fieldsAtOnce !== 0) continue;
    yield some;
    some = [];
    await yielder.maybeYield();
  }
  yield some;
}

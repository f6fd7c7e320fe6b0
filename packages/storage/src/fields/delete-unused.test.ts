import type { Engine } from '@millrace/engine';
import { DEFAULT_BUDGET } from '@millrace/events';
import { expect, test } from 'vitest';
import { openTestMetadata } from '@millrace/metadata/testing/metadata-stores';
import { Backlog } from '../insert/backlog.js';
import { StoredDataset } from './dataset.js';
import { FieldStore } from './field-store.js';
import { forgetUnused } from './delete-unused.js';

const name = (n: number): string => `name ${n}`;
const use = (n: number) => ({ field: name(n), type: 'integer', count: 1, bytes: 8 }) as const;
const batchOf = (...numbers: readonly number[]) => ({
  uses: numbers.map(use),
  placed: numbers.map(() => false),
  block: { rows: 0, columns: [] },
});

test('unused fields are dropped step by step, except fields of arriving events', async () => {
  const metadata = await openTestMetadata();
  const fieldStore = new FieldStore(metadata.database);
  const all = Array.from({ length: 25_000 }, (_, n) => n);
  await fieldStore.add(
    1,
    all.map((n) => ({ ...use(n), where: 'overflow' })),
  );
  const dataset = new StoredDataset(1, DEFAULT_BUDGET);
  await fieldStore.restore(new Map([[1, dataset]]));
  // In progress when it begins: its names are registered, but it is not queued.
  void dataset.learnOverflowed(batchOf(6));

  const lines = Buffer.from([3, 4, 24_999].map((n) => JSON.stringify([`${name(n)}#i`])).join('\n'));
  let pieces = 0;
  const gone: string[] = [];
  const forgetting = forgetUnused(dataset, {
    engine: { query: async () => ({ body: lines }) } as unknown as Engine,
    fieldStore,
    backlog: new Backlog(),
    flusher: {
      runExclusively: async (_, task) => {
        // Of a later chunk, and of one that is already removed.
        if (++pieces === 2) await dataset.learnOverflowed(batchOf(1, 20_000, 30_000));
        return task();
      },
    },
  });
  for await (const some of forgetting) gone.push(...some);
  expect(pieces).toBeGreaterThan(10);
  const kept = [3, 4, 6, 24_999, 1, 20_000, 30_000];
  expect([...dataset.fields.names()].toSorted()).toEqual(kept.map(name).toSorted());
  expect(gone).toHaveLength(25_000 - 5);
  expect(gone).toContain(name(1));
  // Removed fields are written to the metadata again, before the engine gets their rows.
  expect(dataset.takeNews().map(({ field }) => field)).toEqual([name(1), name(30_000)]);
  const stored: string[] = [];
  for await (const { fields } of fieldStore.load()) stored.push(...fields.map(({ field }) => field));
  expect(stored.toSorted()).toEqual([3, 4, 6, 20_000, 24_999].map(name).toSorted());
  await metadata.close();
});

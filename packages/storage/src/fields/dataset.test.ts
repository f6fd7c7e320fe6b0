import { DEFAULT_BUDGET, DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import { describe, expect, test } from 'vitest';
import { StoredDataset } from './dataset.js';

const nothing = { rows: 0, columns: [] };
const rare = { field: 'new', type: 'integer', count: 1, bytes: 8 } as const;

test('what lies in the overflow column is news until it is known', async () => {
  const dataset = new StoredDataset(1, DEFAULT_BUDGET);
  dataset.learnFrom([{ field: 'known', type: 'integer', where: 'overflow' }]);
  const uses = [
    { ...rare, field: 'known' },
    { ...rare, field: 'known', type: 'string' },
    { ...rare, field: 'other' },
    { ...rare, field: 'own' },
  ] as const;
  const encoded = { uses, placed: [false, false, false, true], block: nothing };
  await dataset.learnOverflowed(encoded);
  expect(dataset.takeNews()).toEqual([
    { field: 'known', type: 'string', where: 'overflow' },
    { field: 'other', type: 'integer', where: 'overflow' },
  ]);
  await dataset.learnOverflowed(encoded);
  expect(dataset.takeNews()).toEqual([]);
});

test('a dataset with fields in the overflow column gives the next rare field no column after a restart', () => {
  const fresh = new StoredDataset(1, DEFAULT_BUDGET);
  fresh.learnFrom([{ field: 'a', type: 'string', where: 'column' }]);
  expect(fresh.placement.place({ rows: 1, uses: [rare] })).toEqual([true]);

  const crowded = new StoredDataset(2, DEFAULT_BUDGET);
  crowded.learnFrom([
    { field: 'a', type: 'string', where: 'column' },
    { field: 'b', type: 'string', where: 'overflow' },
  ]);
  expect(crowded.placement.place({ rows: 1, uses: [rare] })).toEqual([false]);
});

describe('fields that a batch need not tell of', () => {
  /** A dataset with more fields than its limit, one of them rare. */
  function crowdedDataset(): StoredDataset {
    const dataset = new StoredDataset(1, DEFAULT_BUDGET);
    dataset.learnFrom([
      { field: 'known', type: 'integer', where: 'overflow' },
      { field: 'both', type: 'integer', where: 'overflow' },
      { field: 'both', type: 'integer', where: 'column' },
    ]);
    return dataset;
  }

  const body = Buffer.from(`{"known":1}\n${'{"common":1}\n'.repeat(500)}`);
  const read = ({ placement, familiar }: StoredDataset) =>
    encodeJson(body, {
      arrivalTime: 1n,
      mapFields: new Set(),
      placement,
      limits: DEFAULT_LIMITS,
      ...(familiar !== undefined && { familiar }),
    });
  /** A batch without the fields that the dataset knows. */
  function batchOf(dataset: StoredDataset) {
    read(dataset);
    const batch = read(dataset);
    expect(batch.uses.map(({ field }) => field)).toEqual(['common']);
    return batch;
  }
  const known = { field: 'known', type: 'integer', where: 'overflow' } as const;

  test('are the known fields without a column', () => {
    expect(new StoredDataset(1, DEFAULT_BUDGET).familiar).toBeUndefined();
    const { familiar } = crowdedDataset();
    expect(['known', 'both', 'new'].map((name) => familiar?.has(name, 'integer'))).toEqual([true, false, false]);
    expect(familiar?.has('known', 'string')).toBe(false);
  });

  test('are relearned from the events after they were dropped', async () => {
    const dataset = crowdedDataset();
    const batch = batchOf(dataset);
    await dataset.learnOverflowed(batch);
    expect(dataset.takeNews().map(({ field }) => field)).not.toContain('known');
    dataset.dropOverflowed([known]);
    await dataset.learnOverflowed(batch);
    expect(dataset.takeNews()).toContainEqual(known);
  });

  test('are seen by observers in batches in flight and arriving', async () => {
    const dataset = crowdedDataset();
    const [before, after] = [batchOf(dataset), batchOf(dataset)];
    void dataset.learnOverflowed(before);
    const coming = dataset.watchOverflow([]);
    expect(coming.isIn('overflow', 'known', 'integer')).toBe(true);
    expect(dataset.familiar).toBeUndefined();
    dataset.stopWatching();
    const again = dataset.watchOverflow([]);
    await dataset.learnOverflowed(after);
    expect(again.isIn('overflow', 'known', 'integer')).toBe(true);
  });

  test('are reported again when one of them gets a column', () => {
    const dataset = crowdedDataset();
    const mark = dataset.familiar?.mark;
    dataset.learn({ rows: 1, columns: [{ name: 'known#i', type: 'Nullable(Int64)', data: new Uint8Array(9) }] }, []);
    expect(dataset.familiar?.mark).not.toBe(mark);
    expect(dataset.familiar?.has('known', 'integer')).toBe(false);
  });
});

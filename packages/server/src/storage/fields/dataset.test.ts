import { DEFAULT_BUDGET } from '@millrace/events';
import { expect, test } from 'vitest';
import { StoredDataset } from './dataset.js';

const rare = { field: 'new', type: 'integer', count: 1, bytes: 8 } as const;

test('what lies in the overflow column is news until it is known', async () => {
  const dataset = new StoredDataset(1, DEFAULT_BUDGET);
  dataset.restore([{ field: 'known', type: 'integer', where: 'overflow' }]);
  const uses = [
    { ...rare, field: 'known' },
    { ...rare, field: 'known', type: 'string' },
    { ...rare, field: 'other' },
    { ...rare, field: 'own' },
  ] as const;
  const encoded = { uses, placed: [false, false, false, true] };
  await dataset.learnOverflowed(encoded);
  expect(dataset.takeNews()).toEqual([
    { field: 'known', type: 'string', where: 'overflow' },
    { field: 'other', type: 'integer', where: 'overflow' },
  ]);
  await dataset.learnOverflowed(encoded);
  expect(dataset.takeNews()).toEqual([]);
});

test('a dataset with fields in the overflow column gives the next rare field no column of its own after a restart', () => {
  const fresh = new StoredDataset(1, DEFAULT_BUDGET);
  fresh.restore([{ field: 'a', type: 'string', where: 'column' }]);
  fresh.restored();
  expect(fresh.placement.place({ rows: 1, uses: [rare] })).toEqual([true]);

  const crowded = new StoredDataset(2, DEFAULT_BUDGET);
  crowded.restore([
    { field: 'a', type: 'string', where: 'column' },
    { field: 'b', type: 'string', where: 'overflow' },
  ]);
  crowded.restored();
  expect(crowded.placement.place({ rows: 1, uses: [rare] })).toEqual([false]);
});

import { DEFAULT_BUDGET } from '@millrace/events';
import { expect, test } from 'vitest';
import { StoredDataset } from './dataset.js';

const rare = { field: 'new', type: 'integer', count: 1, bytes: 8 } as const;

test('what lies in the overflow column is new until it is known', () => {
  const dataset = new StoredDataset(1, DEFAULT_BUDGET);
  dataset.restore([{ field: 'known', type: 'integer', where: 'overflow' }]);
  const uses = [
    { ...rare, field: 'known' },
    { ...rare, field: 'known', type: 'string' },
    { ...rare, field: 'other' },
    { ...rare, field: 'own' },
  ] as const;
  const encoded = { uses, placed: [false, false, false, true] };
  const fresh = dataset.newInOverflow(encoded);
  expect(fresh).toEqual([
    { field: 'known', type: 'string' },
    { field: 'other', type: 'integer' },
  ]);
  // Nothing is known before it is learned, which is when its frame is durable.
  expect(dataset.newInOverflow(encoded)).toEqual(fresh);
  dataset.learn({ rows: 1, columns: [] }, fresh);
  expect(dataset.newInOverflow(encoded)).toEqual([]);
  expect(dataset.takeNews()).toEqual(fresh.map((use) => ({ ...use, where: 'overflow' })));
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

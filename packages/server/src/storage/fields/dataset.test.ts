import { DEFAULT_BUDGET } from '@millrace/events';
import { expect, test } from 'vitest';
import { StoredDataset } from './dataset.js';

const rare = { field: 'new', type: 'integer', count: 1, bytes: 8 } as const;

test('a dataset whose rare fields share a column has none of its own for the next one after a restart', () => {
  const fresh = new StoredDataset(1, DEFAULT_BUDGET);
  fresh.restore([{ field: 'a', type: 'string', where: 'column' }]);
  expect(fresh.placement.place({ rows: 1, uses: [rare] })).toEqual([true]);

  const crowded = new StoredDataset(2, DEFAULT_BUDGET);
  crowded.restore([
    { field: 'a', type: 'string', where: 'column' },
    { field: 'b', type: 'string', where: 'overflow' },
  ]);
  expect(crowded.placement.place({ rows: 1, uses: [rare] })).toEqual([false]);
});

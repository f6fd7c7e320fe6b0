import { expect, it } from 'vitest';
import { append, withHarness } from '../testing/fake-harness.js';

it('rows numbered by a lost log are not taken for those of new batches', () =>
  withHarness(async (lost) => {
    const before = await lost.open([1]);
    for (let i = 0; i < 3; i++) await append(before, 1, [1]);
    await before.flush([1]);
    await withHarness(async (fresh) => {
      for (const [name, rows] of lost.fake.tables) fresh.fake.tables.set(name, rows);
      const after = await fresh.open([1]);
      expect((await append(after, 1, [1])).position).toBe(4n);
      await after.close();
    });
  }));

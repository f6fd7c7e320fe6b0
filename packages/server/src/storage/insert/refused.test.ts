import { expect, test } from 'vitest';
import { openRefusedBatches } from './refused.js';
import { append, fakeWorld, inWorld } from '../testing/fake-world.js';

/** What inserter.test.ts shows for batches refused in a running server also holds for those that came with a restored directory. */

test('a batch that came refused with the metadata, without its log, shares its position with no other', async () => {
  const original = await fakeWorld();
  const restored = await fakeWorld();
  try {
    const before = await original.open([1]);
    original.fake.fault = ({ positions }) => (positions.includes(3n) ? { kind: 'fails', code: 'rejected' } : undefined);
    for (let i = 0; i < 3; i++) await append(before, 1, [1, 2]);
    await before.flush([1]);
    expect(before.refused).toEqual([3n]);

    // The metadata of a backup that was cut at 1 also has what was refused after the cut.
    const payload = (await (await openRefusedBatches(original.metadata.database)).payload(3n))!;
    await (await openRefusedBatches(restored.metadata.database)).keep(3n, 1, payload);
    restored.fake.fault = original.fake.fault;
    const first = await restored.open([1]);
    await first.flush([1]);
    expect(first.refused).toEqual([3n]);
    expect(await append(first, 1, [5])).toEqual({ position: 4n });

    // It dies before a flush; the next one has an engine that takes everything.
    restored.fake.fault = () => undefined;
    const second = await restored.open([1]);
    await second.flush([1]);
    expect(second.refused).toEqual([]);
    expect(restored.fake.rows(1)).toEqual(['3.0', '3.1', '4.0']);
  } finally {
    await original.close();
    await restored.close();
  }
});

test('a batch counts as refused until it is stored, and no longer, however that is found out', () =>
  inWorld(async ({ fake, metadata, open }) => {
    const before = await open([1, 2]);
    fake.fault = ({ positions }) => (positions.length > 0 ? { kind: 'fails', code: 'rejected' } : undefined);
    await append(before, 1, [1]);
    await append(before, 2, [1]);
    await before.flush([1, 2]);
    expect(before.refused).toEqual([1n, 2n]);

    // A crash cuts the deletion of a dataset short; the next server goes on with it.
    const deleting = await open([1]);
    expect(deleting.refused).toEqual([]);
    await deleting.flush([1]);
    expect(deleting.refused).toEqual([1n]);
    await deleting.deleteDataset({ datasetId: 2, name: 'gone' });
    expect([deleting.stateOf(1n), deleting.stateOf(2n)]).toEqual(['logged', 'stored']);

    // It goes in at the next start, and the server dies before the metadata knows.
    fake.fault = () => undefined;
    const payload = (await (await openRefusedBatches(metadata.database)).payload(1n))!;
    await (await open([1])).flush([1]);
    await (await openRefusedBatches(metadata.database)).keep(1n, 1, payload);
    const after = await open([1]);
    expect([after.refused, after.stateOf(1n)]).toEqual([[], 'stored']);
    expect((await openRefusedBatches(metadata.database)).list()).toEqual([]);
  }));

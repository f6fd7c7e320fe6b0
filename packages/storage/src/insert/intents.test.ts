import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { append, fakeWorld, type FakeStorageHarness } from '../testing/fake-harness.js';
import type { Fault } from '../testing/fake-engine.js';

let world: FakeStorageHarness;
beforeEach(async () => {
  world = await fakeWorld();
  world.fake.isReplicated = true;
});
afterEach(() => world.close());

/** Outcomes of the first inserts; all others succeed. */
const firstInserts = (...faults: readonly (Fault | undefined)[]): void => {
  let inserts = 0;
  world.fake.fault = ({ kind }) => (kind === 'insert' ? faults[inserts++] : undefined);
};
const delayedFault: Fault = { kind: 'delayed', code: 'unavailable' };
const insertedPositions = (): readonly (readonly bigint[])[] =>
  world.fake.calls.filter(({ kind }) => kind === 'insert').map(({ positions }) => positions);

describe('an insert into replicated tables without a response', () => {
  it('is sent again as it was, whatever has come since, and is stored once if it comes in late', async () => {
    const storage = await world.open([1]);
    await append(storage, 1, [1, 2]);
    firstInserts(delayedFault);
    await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
    await append(storage, 1, [1]);
    await storage.flush([1]);
    world.fake.release();
    expect(insertedPositions()).toEqual([[1n], [1n], [2n]]);
    expect(world.fake.rows(1)).toEqual(['1.0', '1.1', '2.0']);
  });

  it('is sent again after a crash, before anything else of its dataset, and is stored once', async () => {
    const before = await world.open([1]);
    for (let i = 0; i < 3; i++) await append(before, 1, [1, 2]);
    firstInserts(delayedFault);
    await expect(before.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
    await append(before, 1, [1]);
    const after = await world.open([1]);
    await after.flush([1]);
    world.fake.release();
    expect(insertedPositions()).toEqual([[1n, 2n, 3n], [1n, 2n, 3n], [4n]]);
    expect(world.fake.rows(1)).toEqual(['1.0', '1.1', '2.0', '2.1', '3.0', '3.1', '4.0']);
  });

  it('is completed after a crash that left half of it', async () => {
    const before = await world.open([1]);
    for (let i = 0; i < 2; i++) await append(before, 1, [1, 2]);
    firstInserts({ kind: 'dies', done: 'half' });
    void before.flush([1]);
    await expect.poll(() => world.fake.rows(1)).toEqual(['1.0', '2.0']);
    const after = await world.open([1]);
    await after.flush([1]);
    expect(world.fake.rows(1)).toEqual(['1.0', '1.1', '2.0', '2.1']);
    expect(await after.verify()).toMatchObject({ batches: 2, events: 4, wrong: [] });
  });

  it('that was in is not sent again by the next start', async () => {
    const before = await world.open([1]);
    await append(before, 1, [1]);
    await before.flush([1]);
    // So much time has passed that its token is forgotten.
    world.fake.tokens.clear();
    const after = await world.open([1]);
    await append(after, 1, [1]);
    await after.flush([1]);
    expect(insertedPositions()).toEqual([[1n], [2n]]);
  });

  it('is inserted again if its token is known and its rows are missing', async () => {
    const storage = await world.open([1]);
    await append(storage, 1, [1, 2]);
    firstInserts({ kind: 'half', code: 'unavailable' });
    await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
    world.fake.tables.set('d1', []);
    await storage.flush([1]);
    expect(world.fake.rows(1)).toEqual(['1.0', '1.1']);
  });

  it('holds up nothing once it is refused: the others go in without it', async () => {
    const storage = await world.open([1]);
    for (let i = 0; i < 3; i++) await append(storage, 1, [1]);
    world.fake.fault = ({ positions }) => (positions.includes(2n) ? { kind: 'fails', code: 'rejected' } : undefined);
    await storage.flush([1]);
    expect(world.fake.rows(1)).toEqual(['1.0', '3.0']);
    expect(storage.quarantinedPositions).toEqual([2n]);
    world.fake.fault = () => undefined;
    const after = await world.open([1]);
    await after.retries.over;
    expect(world.fake.rows(1)).toEqual(['1.0', '2.0', '3.0']);
  });
});

it('where there is one copy of a table, nothing is written down', async () => {
  world.fake.isReplicated = false;
  const storage = await world.open([1]);
  await append(storage, 1, [1]);
  await storage.flush([1]);
  expect(await world.metadata.database.selectFrom('pinned_inserts').selectAll().execute()).toEqual([]);
});

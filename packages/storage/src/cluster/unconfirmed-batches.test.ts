import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '@millrace/metadata/postgres/open-postgres';
import type { PositionAllocator } from '@millrace/metadata/postgres/position-allocator';
import { queryPostgres, sharedPostgres, whyNoPostgres } from '@millrace/metadata/testing/postgres';
import { FakeEngine } from '../testing/fake-engine.js';
import { NotConfirmed } from './not-confirmed.js';
import { UnconfirmedBatches } from './unconfirmed-batches.js';

const request = { datasetId: 1, digest: 'body' };

describe.skipIf(whyNoPostgres() !== undefined)('requests without a key that were not confirmed', () => {
  let url: string;
  let nodes: readonly [Postgres, Postgres];
  const fake = new FakeEngine();
  const engine = fake.open();
  let arrivals: PositionAllocator;
  beforeAll(async () => {
    url = await (await sharedPostgres()).place();
    nodes = [await openPostgres(url), await openPostgres(url)];
    arrivals = nodes[0].arrivals(1n);
  });
  afterAll(() => Promise.all(nodes.map((each) => each.shared.close())));
  beforeEach(() => void fake.tables.set('d1', []));

  const batchesOf = async (n: 0 | 1): Promise<UnconfirmedBatches> => {
    const { database } = nodes[n];
    const batches = new UnconfirmedBatches({ engine, database, arrivals: nodes[n].arrivals(1n), patience: 100 });
    await batches.refresh();
    return batches;
  };
  const storeRow = (position: bigint): unknown => fake.tables.set('d1', [{ seq: position, row: 0, time: 0n }]);

  it('are recognized by another process once, and only once the outcome is known', async () => {
    const position = await arrivals.allocate(1, [1]);
    await (await batchesOf(0)).add(request, position, 1);
    const other = await batchesOf(1);
    await expect(other.storedPosition(request)).rejects.toThrow(NotConfirmed);
    storeRow(position);
    await arrivals.recordStored(position, 1);
    expect(await other.storedPosition({ ...request, digest: 'another body' })).toBeUndefined();
    expect(await other.storedPosition({ ...request, datasetId: 2 })).toBeUndefined();
    expect(await other.storedPosition(request)).toBe(position);
    expect(await other.storedPosition(request)).toBeUndefined();
  });

  it('are stored again when nothing of them was', async () => {
    const position = await arrivals.allocate(1, [1]);
    const batches = await batchesOf(0);
    await batches.add(request, position, 1);
    await batches.refresh();
    await arrivals.recordStored(position, 0);
    expect(await batches.storedPosition(request)).toBeUndefined();
  });

  it('are claimed by one of two processes', async () => {
    const position = await arrivals.allocate(1, [1]);
    await (await batchesOf(0)).add(request, position, 1);
    storeRow(position);
    await arrivals.recordStored(position, 1);
    const both = await Promise.all(
      [await batchesOf(0), await batchesOf(1)].map((each) => each.storedPosition(request)),
    );
    expect(both.toSorted()).toEqual([position, undefined]);
  });

  it('of two equal requests, each has one repetition', async () => {
    const first = await arrivals.allocate(1, [1, 1]);
    const batches = await batchesOf(0);
    await batches.add(request, first, 1);
    await batches.add(request, first + 1n, 1);
    await batches.refresh();
    fake.tables.set('d1', [
      { seq: first, row: 0, time: 0n },
      { seq: first + 1n, row: 0, time: 0n },
    ]);
    await arrivals.recordStored(first, 2);
    const positions = [await batches.storedPosition(request), await batches.storedPosition(request)];
    expect(positions).toEqual([first, first + 1n]);
    expect(await batches.storedPosition(request)).toBeUndefined();
  });

  it('are forgotten after ten minutes, and with their dataset', async () => {
    const position = await arrivals.allocate(1, [1]);
    const batches = await batchesOf(0);
    await batches.add(request, position, 1);
    await batches.add({ ...request, datasetId: 2 }, position, 1);
    await batches.refresh();
    storeRow(position);
    await arrivals.recordStored(position, 1);
    await queryPostgres(
      url,
      "UPDATE unconfirmed_batches SET begun = now() - interval '11 minutes' WHERE dataset_id = 1",
    );
    expect(await batches.storedPosition(request)).toBeUndefined();
    await batches.forget(2);
    await batches.expire();
    expect(await queryPostgres(url, 'SELECT 1 FROM unconfirmed_batches')).toEqual([]);
  });
});

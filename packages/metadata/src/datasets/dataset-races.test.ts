import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDataset, deleteDataset, finishCreations, finishDeletions } from './lifecycle.js';
import type { Metadata } from '../metadata.js';
import type { Storage } from '@millrace/storage/storage';
import { numberOfLog } from '@millrace/storage/truncation-checkpoint';
import { append, day, fakeWorld, type FakeStorageHarness } from '@millrace/storage/testing/fake-harness';

/** Datasets of the same name are created and deleted concurrently. */

let world: FakeStorageHarness;
let parts: { readonly metadata: Metadata; readonly data: Storage };
beforeEach(async () => {
  world = await fakeWorld();
  parts = { metadata: world.metadata, data: await world.open([]) };
});
afterEach(() => world.close());

const create = () => createDataset(parts, { name: 'x', who: 'me' });
const remove = () => deleteDataset(parts, 'x');
const ends = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.message.split(';')[0]!,
  );
const tables = (): readonly string[] => [...world.fake.tables.keys()];

/** Blocks the first statement like this; `come` resolves when it arrives. */
function hold(like: string): { readonly come: Promise<void>; letGo: () => void } {
  let letGo = (): void => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  const come = new Promise<void>((resolve) => {
    let first = true;
    world.fake.before = async ({ kind, sql }) => {
      if (!first || !(sql.includes(like) || kind === like)) return;
      first = false;
      resolve();
      await released;
    };
  });
  return { come, letGo };
}

it('a dataset deleted during its creation leaves no data behind', async () => {
  const { come, letGo } = hold('system.merge_tree_settings');
  const made = create();
  await come;
  const removed = remove();
  await sleep(20);
  letGo();
  expect([(await made).datasetId, await ends(removed)]).toEqual([1, 'done']);
  expect(tables()).toEqual([]);
  expect(parts.data.dataset(1)).toBeUndefined();
  expect(await parts.metadata.datasets.toDrop()).toEqual([]);
});

it('one that cannot be made takes no other of its name away', async () => {
  const { come, letGo } = hold('CREATE TABLE');
  let creations = 0;
  world.fake.fault = ({ sql }) =>
    sql.startsWith('CREATE TABLE') && ++creations === 1 ? { kind: 'fails', code: 'unavailable' } : undefined;
  const first = ends(create());
  await come;
  const removed = ends(remove());
  const second = ends(create());
  await sleep(20);
  letGo();
  expect([await first, await removed, await second]).toEqual([
    'the engine is not available at the moment',
    "dataset 'x' not found",
    'done',
  ]);
  const { datasetId } = parts.metadata.datasets.get('x');
  await append(parts.data, datasetId, [1]);
  await parts.data.flush([datasetId]);
  await finishDeletions(parts, (_, error) => {
    throw error;
  });
  expect(world.fake.rows(datasetId)).toEqual(['1.0']);
  expect(tables()).toEqual([`d${datasetId}`]);
});

it('a dataset whose creation can be neither finished nor undone accepts events as soon as it can be finished', async () => {
  let full = true;
  world.fake.fault = ({ sql }) =>
    full && sql.startsWith('CREATE TABLE') ? { kind: 'fails', code: 'disk-full' } : undefined;
  vi.spyOn(world.metadata.datasets, 'delete').mockRejectedValueOnce(new Error('the disk of the metadata is full'));
  expect(await ends(create())).toBe('the disk of the metadata is full');
  expect(await ends(create())).toBe("dataset 'x' already exists");
  const failures: unknown[] = [];
  const finish = () => finishCreations(parts, ({ name }) => failures.push(name));
  await finish();
  expect([failures, parts.data.dataset(1)]).toEqual([['x'], undefined]);
  full = false;
  await finish();
  await append(parts.data, 1, [1]);
  await parts.data.flush([1]);
  expect([failures, world.fake.rows(1)]).toEqual([['x'], ['1.0']]);
});

it('one that is deleted before its place is made gets none', async () => {
  vi.spyOn(parts.data, 'createDataset').mockRejectedValueOnce(new Error('the disk is full'));
  vi.spyOn(world.metadata.datasets, 'delete').mockRejectedValueOnce(new Error('the disk of the metadata is full'));
  await ends(create());
  const removed = remove();
  await finishCreations(parts, (_, error) => {
    throw error;
  });
  await removed;
  expect([tables(), parts.data.dataset(1)]).toEqual([[], undefined]);
});

it('of two that are made at once there is one', async () => {
  expect(await Promise.all([ends(create()), ends(create())])).toEqual(['done', "dataset 'x' already exists"]);
  expect(tables()).toEqual(['d1']);
});

it('one that is made while its predecessor is removed does not wait for that, and loses nothing by it', async () => {
  await create();
  const { come, letGo } = hold('DROP TABLE');
  const removed = remove();
  await come;
  expect((await create()).datasetId).toBe(2);
  await append(parts.data, 2, [1]);
  await parts.data.flush([2]);
  letGo();
  await removed;
  expect([tables(), world.fake.rows(2)]).toEqual([['d2'], ['1.0']]);
});

it('of two deletions at once one finds nothing', async () => {
  await create();
  expect(await Promise.all([ends(remove()), ends(remove())])).toEqual(['done', "dataset 'x' not found"]);
  expect(tables()).toEqual([]);
});

it('a retried deletion also waits for in-flight events', async () => {
  await create();
  await append(parts.data, 1, [1]);
  const { come, letGo } = hold('insert');
  const flushed = parts.data.flush([1]);
  await come;
  const removed = remove();
  await expect.poll(() => parts.metadata.datasets.toDrop()).toHaveLength(1);
  let over = false;
  const again = finishDeletions(parts, (_, error) => {
    throw error;
  }).then(() => (over = true));
  await sleep(20);
  expect(over).toBe(false);
  expect(await parts.metadata.datasets.toDrop()).toHaveLength(1);
  letGo();
  await Promise.all([flushed, removed, again]);
  expect([tables(), await parts.metadata.datasets.toDrop()]).toEqual([[], []]);
});

it('a trim that runs after the dataset is deleted writes nothing', async () => {
  await create();
  await append(parts.data, 1, [1]);
  const { come, letGo } = hold('DROP PARTITION');
  const trims = [1, 2].map(() => parts.data.deletions.trim({ datasetId: 1, name: 'x' }, day(10)));
  await come;
  const removed = remove();
  await expect.poll(() => parts.data.dataset(1)).toBeUndefined();
  letGo();
  await removed;
  expect(await trims[1]).toBe(0);
  await trims[0]!.catch(() => undefined);
  const checkpoints = parts.metadata.database.selectFrom('checkpoints').selectAll();
  expect(await checkpoints.where('dataset_id', '<>', numberOfLog).execute()).toEqual([]);
});

it('a deletion of expired data applies the retention at its execution', async () => {
  await create();
  for (const at of [1, 2]) await append(parts.data, 1, [at]);
  const { come, letGo } = hold('DROP PARTITION');
  const trim = parts.data.deletions.trim({ datasetId: 1, name: 'x' }, day(2));
  await come;
  let olderThan: bigint | undefined = day(3);
  const expiry = parts.data.deletions.expire({ datasetId: 1, name: 'x' }, () => olderThan);
  await sleep(20);
  olderThan = undefined;
  letGo();
  expect([await trim, await expiry]).toEqual([1, 0]);
  expect(world.fake.rows(1)).toEqual(['2.0']);
});

import { ShardedEngine } from '@millrace/engine';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { SlotsOfShards } from '../insert/slots.js';
import { database } from '../tables/database-name.js';
import { eventShards, shardTarget } from '../placement.js';
import { FakeArrivals } from '../testing/fake-positions.js';
import { FakeEngine } from '../testing/fake-engine.js';
import { createFence } from './fence.js';
import { fenceStaleInserts } from './fence-stale-inserts.js';

/** Two shards: dataset 1 is on the first, 2 on the second. */
function openShards() {
  const fakes = [new FakeEngine(), new FakeEngine()] as const;
  const engine = new ShardedEngine(
    fakes.map((fake) => fake.open()),
    database,
  );
  for (const shard of [1, 2]) shardTarget(engine, { datasetId: shard, name: '', shard });
  fakes.forEach((fake, i) => fake.tables.set(`d${i + 1}`, []));
  return { engine, fakes };
}

const fencesOf = (fakes: readonly FakeEngine[]): readonly (readonly string[])[] =>
  fakes.map(({ calls }) => calls.flatMap(({ sql }) => /`fence` VALUES \((\d+)\)/.exec(sql)?.[1] ?? []));

it('in-flight inserts are abandoned on each shard separately; an unavailable shard delays only its part', async () => {
  const { engine, fakes } = openShards();
  await createFence(engine);
  expect(fakes.map(({ calls }) => calls.length)).toEqual([1, 1]);
  const order = new FakeArrivals();
  const dead = order.of(7n);
  for (const datasetId of [1, 2, 1, 9]) await dead.allocate(datasetId, [1, 1]);
  const left = order.leftBy(new Set([7n]));
  const giveUp = () => fenceStaleInserts({ engine, arrivals: left, logger: pino({ level: 'silent' }) });
  fakes[1].state = 'down';
  // The insert of an unknown dataset is fenced too.
  expect(await giveUp()).toBe(3);
  expect((await left.stale()).map(({ datasetId }) => datasetId)).toEqual([2]);
  expect(fencesOf(fakes)).toEqual([['9'], []]);
  fakes[1].state = 'ready';
  expect(await giveUp()).toBe(1);
  expect([fencesOf(fakes), await left.stale()]).toEqual([[['9'], ['5']], []]);
  expect(await giveUp()).toBe(0);
});

it('nothing of a shard that this process does not use yet is given up', async () => {
  const { engine, fakes } = openShards();
  await createFence(engine);
  shardTarget(engine, { datasetId: 3, name: '', shard: 3 });
  const order = new FakeArrivals();
  await order.of(7n).allocate(3, [1]);
  const left = order.leftBy(new Set([7n]));
  const giveUp = () => fenceStaleInserts({ engine, arrivals: left, logger: pino({ level: 'silent' }) });
  expect(await giveUp()).toBe(0);
  const third = new FakeEngine();
  third.tables.set('d3', []);
  engine.add(third.open());
  expect([await giveUp(), fencesOf([...fakes, third]).map((fences) => fences.length)]).toEqual([1, [0, 0, 1]]);
});

it('new datasets go to shards that every process uses', async () => {
  const { engine } = openShards();
  const query = async () => ({
    body: new Uint8Array(8),
    columns: [],
    rows: 1,
    statistics: { elapsedNanoseconds: 0, rowsRead: 0, bytesRead: 0 },
  });
  for (const shard of engine.shards) vi.spyOn(shard, 'query').mockImplementation(query);
  const present = [{ datasetId: 1, name: '', shard: 1 }];
  expect(await eventShards(engine).emptiest(present)).toBe(2);
  expect(await eventShards(engine, () => 1).emptiest(present)).toBe(1);
});

it('datasets of a shard that hangs take no places from those of another', async () => {
  const { engine } = openShards();
  const slots = new SlotsOfShards<string>(engine, 1, () => false);
  let end = (): void => undefined;
  const hanging = slots.of(2).run('a', () => new Promise<void>((resolve) => (end = resolve)));
  const done: string[] = [];
  const behind = slots.of(2).run('b', async () => void done.push('b'));
  await slots.of(1).run('c', async () => void done.push('c'));
  expect(done).toEqual(['c']);
  end();
  await Promise.all([hanging, behind]);
  expect(done).toEqual(['c', 'b']);
});

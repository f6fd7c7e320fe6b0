import { type Engine, EngineError, ShardedEngine, UnknownShardError } from '@millrace/engine';
import { expect, it } from 'vitest';
import { append, type FakeStorageHarness, withHarness } from './testing/fake-harness.js';
import { FakeEngine } from './testing/fake-engine.js';
import { database } from './tables/database-name.js';
import { tableOf } from './tables/table-of-dataset.js';
import { eventShards, shardTarget } from './placement.js';

/** A log in front of two shards: dataset 1 is on the first, 2 on the second. */
const datasets = [
  { datasetId: 1, name: 'one', shard: 1 },
  { datasetId: 2, name: 'two', shard: 2 },
];

function shardedEngine(...fakes: readonly FakeEngine[]): Engine {
  const engine = new ShardedEngine(
    fakes.map((fake) => fake.open()),
    database,
  );
  for (const dataset of datasets) shardTarget(engine, dataset);
  return engine;
}

const open = (world: FakeStorageHarness, engine: Engine) =>
  world.open(
    datasets.map(({ datasetId }) => datasetId),
    { retryMilliseconds: 1 },
    engine,
  );

it('the events of each dataset are on its shard, and are counted, deleted and recounted there', () =>
  withHarness(async (world) => {
    const second = new FakeEngine();
    const storage = await open(world, shardedEngine(world.fake, second));
    await append(storage, 1, [1, 2]);
    await append(storage, 2, [1, 3, 3]);
    await storage.flushAll();
    expect([world.fake, second].map((fake) => [...fake.tables.keys()])).toEqual([['d1'], ['d2']]);
    expect(world.fake.rows(1)).toEqual(['1.0', '1.1']);
    expect(second.rows(2)).toEqual(['2.0', '2.1', '2.2']);
    expect(await storage.verify()).toMatchObject({ batches: 2, events: 5, wrong: [], missing: [] });
    const [one, two] = datasets;
    expect(await storage.deletions.trim(two!, BigInt(Date.UTC(2026, 0, 2)) * 1_000_000n)).toBe(1);
    expect([world.fake.rows(1), second.rows(2)]).toEqual([
      ['1.0', '1.1'],
      ['2.1', '2.2'],
    ]);
    await storage.deleteDataset(one!);
    expect([...world.fake.tables.keys()]).toEqual([]);
    expect(second.tables.size).toBe(1);
    await storage.close();
  }));

it('a start finds on each shard what it has of the log, and brings in the rest', () =>
  withHarness(async (world) => {
    const second = new FakeEngine();
    const storage = await open(world, shardedEngine(world.fake, second));
    await append(storage, 1, [1]);
    await append(storage, 2, [1]);
    await storage.flushAll();
    second.fault = ({ kind }) => (kind === 'insert' ? { kind: 'dies', done: 'half' } : undefined);
    await append(storage, 1, [2]);
    await append(storage, 2, [1, 20]);
    await storage.flush([1]);
    void storage.flush([2]).catch(() => undefined);
    storage.stop();
    await world.crash('kill', 1);
    second.fault = () => undefined;
    const next = await open(world, shardedEngine(world.fake, second));
    await next.flushAll();
    expect(world.fake.rows(1)).toEqual(['1.0', '3.0']);
    expect(second.rows(2)).toEqual(['2.0', '4.0', '4.1']);
    expect(await next.verify()).toMatchObject({ batches: 4, wrong: [] });
    await next.close();
  }));

it('while one shard is unavailable the datasets of the other stay available, and health names it', () =>
  withHarness(async (world) => {
    const second = new FakeEngine();
    const storage = await open(world, shardedEngine(world.fake, second));
    second.state = 'down';
    await append(storage, 1, [1]);
    await append(storage, 2, [1]);
    await storage.flush([1]);
    await expect(storage.flush([2])).rejects.toMatchObject({ code: 'unavailable' });
    expect(world.fake.rows(1)).toEqual(['1.0']);
    expect(storage.health().reasons).toContain('shard 2 is down; its datasets are unavailable');
    await storage.createDataset({ datasetId: 3, name: 'three', shard: 1 });
    await append(storage, 3, [1]);
    await storage.flush([3]);
    expect(world.fake.rows(3)).toEqual(['3.0']);
    second.state = 'ready';
    await storage.flushAll();
    expect(second.rows(2)).toEqual(['2.0']);
    expect(storage.health()).toEqual({ ready: true, acknowledges: true, complete: true, reasons: [] });
    await storage.close();
  }));

it('a new dataset is placed on the available shard with the fewest bytes, then datasets', async () => {
  const [first, second] = [new FakeEngine(), new FakeEngine()];
  const engine = shardedEngine(first, second);
  const { emptiest, ready } = eventShards(engine);
  const gibibyte = 2n ** 30n;
  expect(await emptiest([])).toBe(1);
  expect(await emptiest(datasets.slice(0, 1))).toBe(2);
  [first.bytes, second.bytes] = [gibibyte - 1n, 7n];
  expect(await emptiest(datasets)).toBe(1);
  [first.bytes, second.bytes] = [3n * gibibyte, 2n * gibibyte];
  expect(await emptiest(datasets)).toBe(2);
  second.fault = () => ({ kind: 'fails', code: 'unavailable' });
  expect(await emptiest(datasets)).toBe(1);
  first.state = 'restarting';
  expect(ready()).toEqual([false, true]);
  await expect(emptiest(datasets)).rejects.toMatchObject({ code: 'unavailable' });
  // With a single engine no query is needed.
  expect(await eventShards(second.open()).emptiest(datasets)).toBe(1);
});

it('a dataset on an unknown shard is unavailable: at its first statement, or at once with a single engine', () => {
  const dataset = { datasetId: 9, name: 'x', shard: 3 };
  const engine = shardedEngine(new FakeEngine(), new FakeEngine());
  expect(shardTarget(engine, dataset)).toBe(9);
  expect(() => engine.sharding!.of(tableOf(9))).toThrow(UnknownShardError);
  expect(() => shardTarget(new FakeEngine().open(), dataset)).toThrow(EngineError);
});

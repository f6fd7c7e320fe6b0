import { type Engine, ShardedEngine } from '@millrace/engine';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { FakeEngine } from '@millrace/storage/testing/fake-engine';
import { learnShards } from './learn-shards.js';

it('a node uses the shards that others have recorded, and tries one that fails again', async () => {
  const engine = new ShardedEngine([new FakeEngine().open()], 'millrace');
  const world = { isAway: true, opened: [] as string[], used: [] as number[], closed: 0 };
  const learn = learnShards({
    node: { useShards: (shards) => void world.used.push(shards) },
    engine,
    storage: {
      addShard: async (shard) => {
        if (world.isAway) throw new Error('away');
        engine.add(shard);
      },
    },
    openShard: async (addresses, number) => {
      world.opened.push(`${number} ${addresses}`);
      const shard: Engine = new FakeEngine().open();
      return Object.assign(shard, { close: async () => void world.closed++ });
    },
    logger: pino({ level: 'silent' }),
    pause: 0,
  });
  const addresses = ['http://a', 'http://b', 'http://c'];
  await learn(addresses);
  expect([world.used, world.closed, engine.shards.length]).toEqual([[], 1, 1]);
  world.isAway = false;
  // Heartbeats do not wait for it.
  await Promise.all([learn(addresses), learn(addresses)]);
  await learn(addresses);
  expect(world.opened).toEqual(['2 http://b', '2 http://b', '3 http://c']);
  expect([world.used, world.closed, engine.shards.length]).toEqual([[2, 3], 1, 3]);
});

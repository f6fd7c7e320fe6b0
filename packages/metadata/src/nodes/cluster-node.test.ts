import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ClusterNode } from './cluster-node.js';

const minute = 60_000;

/** A process, the clock of the database, and a leader election without competitors. */
function member() {
  const world = { here: 0, there: 0, isLeader: false, isAway: false };
  const node = new ClusterNode({
    nodes: {
      recordHeartbeat: async () => {
        if (world.isAway) throw new Error('away');
        return { live: 2, known: true, time: world.there, sharedShards: 1, shards: [] };
      },
      leave: async () => undefined,
      list: async () => [],
    },
    election: {
      get isLeader() {
        return world.isLeader;
      },
      heartbeat: async () => void (world.isLeader = true),
      release: () => void (world.isLeader = false),
      end: async () => undefined,
    },
    epoch: 1n,
    logger: pino({ level: 'silent' }),
    clock: () => world.here,
  });
  return { node, world };
}

test('a node goes by the clock of the database, and says when that of its machine is wrong', async () => {
  const { node, world } = member();
  await node.sendHeartbeat();
  expect([node.isLeader(), node.remarks]).toEqual([true, []]);
  for (const [ahead, said] of [
    [
      60 * minute,
      ['the clock of this machine is 60 minutes ahead of the clock of the database; this node uses the database clock'],
    ],
    [-10 * minute, [expect.stringContaining('10 minutes behind')]],
    [2 * minute, []],
  ] as const) {
    world.there += 1e6 * minute;
    world.here = world.there + ahead;
    // The database's clock is more precise.
    world.there += 0.3;
    await node.sendHeartbeat();
    world.there = Math.floor(world.there);
    expect([node.clock(), node.remarks]).toEqual([world.there, said]);
    // The node continues without the database.
    world.isAway = true;
    world.here += 5;
    await node.sendHeartbeat();
    expect(node.clock()).toBe(world.there + 5);
    world.isAway = false;
  }
  await node.leave();
});

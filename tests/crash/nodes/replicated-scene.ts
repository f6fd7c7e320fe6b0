import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { inspect } from '../replicated-server.ts';
import type { ReplicatedPlaces } from './replicated-places.ts';
import type { CheckOthers, Scene } from './scene.ts';

/** Faults of nodes, replicas and shared servers, with their relative frequency. */
const strikes = {
  'a node gets SIGKILL': 14,
  'two nodes get SIGKILL': 5,
  'a node gets SIGSTOP and goes on some seconds later': 12,
  'a replica gets SIGKILL': 14,
  'a replica gets SIGSTOP and goes on some seconds later': 10,
  'a replica gets SIGKILL and loses its disk': 5,
  'two replicas get SIGKILL': 4,
  'two replicas get SIGKILL in the middle of new columns': 4,
  'a node and a replica get SIGKILL': 8,
  'a node is cut off from a replica': 10,
  'a node is cut off from all replicas': 4,
  'connections to replicas break': 8,
  'Keeper gets SIGKILL': 6,
  'Keeper gets SIGKILL when it is about to hear of an insert': 6,
  'PostgreSQL gets SIGKILL': 6,
  'a node gets SIGSTOP, and meanwhile a replica SIGKILL': 6,
  'a node gets SIGSTOP for a minute': 2,
} as const;
/** Events arrive continuously, unless nothing can be written. */
const insertMilliseconds = 5000;
/** Additional faults if there are several shards. */
const shardStrikes = { 'all replicas of a shard get SIGKILL': 8 } as const;
type Strike = keyof typeof strikes | keyof typeof shardStrikes;

export const overReplicas = (places: ReplicatedPlaces): Scene => {
  const shards = places.cluster.shards.length;
  return {
    nodes: places.nodes,
    shards,
    strikes: shards === 1 ? strikes : { ...strikes, ...shardStrikes },
    strike: (how, random, checkOthers) => strike(places, how as Strike, random, checkOthers),
    inspect: (tally) => inspect(places.cluster, tally),
  };
};

/**
 * Injects a fault and repairs it while clients keep running. Returns how many processes were
 * killed.
 */
async function strike(
  places: ReplicatedPlaces,
  how: Strike,
  random: Random,
  checkOthers: CheckOthers,
): Promise<number> {
  const { nodes, cluster, postgres, restart } = places;
  const { keeper, relay } = cluster;
  const node = random.between(0, nodes.length - 1);
  const next = (node + 1) % nodes.length;
  const shard = random.between(0, cluster.shards.length - 1);
  const replicas = cluster.shards[shard]!;
  const victim = random.pick(replicas);
  const ways = [...places.ways[node]!.values()];
  const waitRandomly = (): Promise<unknown> => sleep(random.between(200, 6000));
  const shardAway = (): Promise<unknown> => Promise.all([waitRandomly(), checkOthers(shard)]);
  switch (how) {
    case 'a node gets SIGKILL':
      await nodes[node]!.kill();
      await restart(node);
      return 1;
    case 'two nodes get SIGKILL':
      await Promise.all([nodes[node]!.kill(), nodes[next]!.kill()]);
      await Promise.all([restart(node), restart(next)]);
      return 2;
    case 'a node gets SIGSTOP and goes on some seconds later':
      nodes[node]!.process.kill('SIGSTOP');
      await waitRandomly();
      nodes[node]!.process.kill('SIGCONT');
      return 0;
    case 'a node gets SIGSTOP for a minute':
      nodes[node]!.process.kill('SIGSTOP');
      await sleep(60_000);
      nodes[node]!.process.kill('SIGCONT');
      return 0;
    case 'a node gets SIGSTOP, and meanwhile a replica SIGKILL':
      nodes[node]!.process.kill('SIGSTOP');
      await sleep(random.between(0, 1000));
      await victim.kill();
      await waitRandomly();
      nodes[node]!.process.kill('SIGCONT');
      await victim.start();
      return 1;
    case 'a replica gets SIGKILL':
      await victim.kill();
      await shardAway();
      await victim.start();
      return 1;
    case 'a replica gets SIGSTOP and goes on some seconds later':
      victim.pause();
      await shardAway();
      victim.resume();
      return 0;
    case 'a replica gets SIGKILL and loses its disk':
      await victim.kill();
      victim.loseDisk();
      await shardAway();
      await victim.start();
      return 1;
    case 'two replicas get SIGKILL': {
      const others = replicas.filter((replica) => replica !== victim);
      await Promise.all(others.map((replica) => replica.kill()));
      await shardAway();
      await Promise.all(others.map((replica) => replica.start()));
      return 2;
    }
    case 'two replicas get SIGKILL in the middle of new columns': {
      const others = replicas.filter((replica) => replica !== victim);
      await Promise.all(others.map((replica) => replica.kill()));
      await shardAway();
      const paths = await victim.run("SELECT zookeeper_path FROM system.replicas WHERE match(table, '^d[0-9]+$')");
      for (const replica of others) await keeper.haveNewColumns(replica, paths.split('\n'));
      await Promise.all(others.map((replica) => replica.start()));
      return 2;
    }
    case 'all replicas of a shard get SIGKILL':
      await Promise.all(replicas.map((replica) => replica.kill()));
      await shardAway();
      await Promise.all(replicas.map((replica) => replica.start()));
      return replicas.length;
    case 'a node and a replica get SIGKILL':
      await Promise.all([nodes[node]!.kill(), victim.kill()]);
      await Promise.all([restart(node), victim.start()]);
      return 2;
    case 'a node is cut off from a replica': {
      const way = random.pick(ways);
      way.cut();
      await waitRandomly();
      way.mend();
      return 0;
    }
    case 'a node is cut off from all replicas':
      for (const way of ways) way.cut();
      await waitRandomly();
      for (const way of ways) way.mend();
      return 0;
    case 'connections to replicas break':
      for (let i = 0; i < 10; i++) {
        await sleep(random.between(20, 300));
        random.pick(places.ways.flatMap((each) => [...each.values()])).break();
      }
      return 0;
    case 'Keeper gets SIGKILL':
      await keeper.kill();
      await waitRandomly();
      await keeper.start();
      return 1;
    case 'Keeper gets SIGKILL when it is about to hear of an insert':
      await relay.holdNextInsert(insertMilliseconds);
      await keeper.kill();
      await waitRandomly();
      await keeper.start();
      return 1;
    case 'PostgreSQL gets SIGKILL':
      await postgres.kill();
      await sleep(random.between(0, 3000));
      await postgres.start();
      return 1;
  }
}

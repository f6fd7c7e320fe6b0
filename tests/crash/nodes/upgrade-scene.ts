import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { inspect } from '../replicated-server.ts';
import type { Own } from './places.ts';
import type { ReplicatedPlaces } from './replicated-places.ts';
import type { CheckOthers, Scene } from './scene.ts';

/** Each leaves all nodes at the other version. */
const strikes = {
  'the nodes are replaced by the other version': 40,
  'the nodes are replaced by the other version; the first one is taken back once': 20,
  'the nodes are replaced by the other version, with SIGKILL': 20,
  'the nodes are replaced by the other version; meanwhile a replica gets SIGKILL': 20,
} as const;
type Strike = keyof typeof strikes;

export interface Versions {
  /** Version of the nodes at the start. */
  readonly older: Own;
  readonly newer: Own;
}

/** Node after node is replaced by one of another version, forth and back, as events come. */
export function upgradeScene(places: ReplicatedPlaces, { older, newer }: Versions): Scene {
  let [present, other] = [older, newer];
  return {
    nodes: places.nodes,
    shards: 1,
    strikes,
    strike: async (how, random, checkOthers) => {
      const killed = await strike({ places, present, other, how: how as Strike, random, checkOthers });
      [present, other] = [other, present];
      return killed;
    },
    inspect: (tally) => inspect(places.cluster, tally),
  };
}

interface StrikeOptions {
  readonly places: ReplicatedPlaces;
  readonly present: Own;
  readonly other: Own;
  readonly how: Strike;
  readonly random: Random;
  readonly checkOthers: CheckOthers;
}

async function strike({ places, present, other, how, random, checkOthers }: StrikeOptions): Promise<number> {
  const { nodes, cluster, restart } = places;
  let killed = 0;
  const replace = async (n: number, own: Own): Promise<void> => {
    if (how === 'the nodes are replaced by the other version, with SIGKILL') {
      await nodes[n]!.kill();
      killed++;
    } else await nodes[n]!.stop();
    await restart(n, own);
  };
  for (const n of nodes.keys()) {
    await replace(n, other);
    // Both versions are running now, and nothing is missing.
    if (n === 0 || how !== 'the nodes are replaced by the other version; meanwhile a replica gets SIGKILL')
      await checkOthers();
    if (n > 0) continue;
    if (how === 'the nodes are replaced by the other version; the first one is taken back once') {
      await replace(n, present);
      await checkOthers();
      await replace(n, other);
    } else if (how === 'the nodes are replaced by the other version; meanwhile a replica gets SIGKILL') {
      const victim = random.pick(cluster.replicas);
      await victim.kill();
      killed++;
      await sleep(random.between(200, 6000));
      await victim.start();
    }
  }
  return killed;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Replica } from '../../cluster/replicas.ts';
import type { Random } from '../random.ts';
import { inspect } from '../replicated-server.ts';
import type { Tally } from '../tally.ts';
import type { ReplicatedPlaces } from './replicated-places.ts';
import type { CheckOthers, Scene } from './scene.ts';

/** Each adds a replica, and then takes the oldest one away. */
const strikes = {
  'a replica is replaced': 40,
  'a replica is replaced; the new one gets SIGKILL while it is filled': 20,
  'a replica is replaced; another one gets SIGKILL before it is': 20,
  'a replica is replaced; a node gets SIGKILL instead of SIGTERM': 20,
} as const;
type Strike = keyof typeof strikes;

const patienceMilliseconds = 240_000;

/** Adds and removes replicas, as `docs/scaling.md` describes. */
export const replacingReplicas = (places: ReplicatedPlaces): Scene => ({
  nodes: places.nodes,
  shards: 1,
  strikes,
  strike: (how, random, checkOthers) => strike(places, how as Strike, random, checkOthers),
  inspect: async (tally) => {
    await inspect(places.cluster, tally);
    await compareWithKeeper(places, tally);
  },
});

async function strike(
  places: ReplicatedPlaces,
  how: Strike,
  random: Random,
  checkOthers: CheckOthers,
): Promise<number> {
  const { cluster, nodes } = places;
  const oldest = cluster.replicas[0]!;
  const added = await places.add();
  let killed = 0;
  const dies = how === 'a replica is replaced; a node gets SIGKILL instead of SIGTERM' ? random.between(0, 2) : -1;
  for (const n of nodes.keys()) {
    await (n === dies ? nodes[n]!.kill() : nodes[n]!.stop());
    await places.restart(n);
    if (n === dies) killed++;
    if (n > 0) continue;
    // The first node that knows it has started creating its tables.
    const victim =
      how === 'a replica is replaced; the new one gets SIGKILL while it is filled'
        ? added
        : how === 'a replica is replaced; another one gets SIGKILL before it is'
          ? cluster.replicas[1]!
          : undefined;
    if (victim === undefined) continue;
    await sleep(random.between(0, 2000));
    await victim.kill();
    killed++;
    await sleep(random.between(0, 2000));
    await victim.start();
  }
  await until(`${added.name} is a home`, () => places.isHome(added));
  await checkOthers();

  places.forget(oldest);
  for (const n of nodes.keys()) {
    await nodes[n]!.stop();
    await places.restart(n);
  }
  await checkOthers();
  await cluster.remove(oldest);
  // Rejected until Keeper has noticed that the replica is down.
  const drop = `SYSTEM DROP REPLICA '${oldest.name}' FROM DATABASE millrace`;
  await until(`Keeper forgets ${oldest.name}`, () => succeeds(cluster.replicas[0]!, drop));
  await checkOthers();
  return killed;
}

/** Keeper knows exactly the existing replicas of each table. */
async function compareWithKeeper({ cluster }: ReplicatedPlaces, tally: Tally): Promise<void> {
  const [first] = cluster.replicas;
  const counts = await first!.run(
    "SELECT table, total_replicas, active_replicas FROM system.replicas WHERE database = 'millrace'",
  );
  const there = cluster.replicas.length;
  for (const line of counts.split('\n'))
    if (!line.endsWith(`\t${there}\t${there}`)) tally.violation('unexpected', `of ${there} replicas: ${line}`);
  tally.count('tables whose replicas Keeper knows', counts.split('\n').length);
}

const succeeds = (replica: Replica, statement: string): Promise<boolean> =>
  replica.run(statement).then(
    () => true,
    () => false,
  );

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const late = performance.now() + patienceMilliseconds; !(await holds()); await sleep(200))
    if (performance.now() > late) throw new Error(`it takes too long until ${what}`);
}

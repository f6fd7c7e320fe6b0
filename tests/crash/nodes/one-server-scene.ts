import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Places } from './places.ts';
import type { CheckOthers, Scene } from './scene.ts';

/** Faults of nodes and of shared servers, with their relative frequency. */
const strikes = {
  'one node gets SIGKILL': 30,
  'two nodes get SIGKILL': 10,
  'a node gets SIGTERM, and another SIGKILL': 10,
  'a node gets SIGSTOP and goes on some seconds later': 20,
  'a node gets SIGSTOP, and SIGKILL some seconds later': 5,
  'connections to ClickHouse break before and after inserts': 15,
  'PostgreSQL gets SIGKILL and starts again': 10,
  'ClickHouse gets SIGKILL and starts again': 15,
} as const;
type Strike = keyof typeof strikes;

export const overOneServer = (places: Places): Scene => ({
  nodes: places.nodes,
  shards: places.fronts.length,
  strikes,
  strike: (how, random, checkOthers) => strike(places, how as Strike, random, checkOthers),
});

async function strike(places: Places, how: Strike, random: Random, checkOthers: CheckOthers): Promise<number> {
  const { nodes, fronts, postgres, restart } = places;
  const [one, other] = random.chance(0.5) ? [random.between(0, 2), 0] : [0, random.between(1, 2)];
  const second = one === other ? (one + 1) % nodes.length : other;
  const shard = random.between(0, fronts.length - 1);
  const front = fronts[shard]!;
  switch (how) {
    case 'one node gets SIGKILL':
      await nodes[one]!.kill();
      await sleep(random.between(0, 1500));
      await restart(one);
      return 1;
    case 'two nodes get SIGKILL':
      await Promise.all([nodes[one]!.kill(), nodes[second]!.kill()]);
      await Promise.all([restart(one), restart(second)]);
      return 2;
    case 'a node gets SIGTERM, and another SIGKILL': {
      const stopped = nodes[one]!.stop();
      await sleep(random.between(0, 500));
      await nodes[second]!.kill();
      await stopped;
      await Promise.all([restart(one), restart(second)]);
      return 1;
    }
    case 'a node gets SIGSTOP and goes on some seconds later':
      nodes[one]!.process.kill('SIGSTOP');
      await sleep(random.between(500, 6000));
      nodes[one]!.process.kill('SIGCONT');
      return 0;
    case 'a node gets SIGSTOP, and SIGKILL some seconds later':
      nodes[one]!.process.kill('SIGSTOP');
      await sleep(random.between(500, 3000));
      await nodes[one]!.kill();
      await restart(one);
      return 1;
    case 'connections to ClickHouse break before and after inserts':
      front.watch = (_, sql, cut) => {
        if (sql.startsWith('INSERT') && random.chance(0.4)) cut();
      };
      await sleep(random.between(500, 2500));
      front.watch = () => undefined;
      return 0;
    case 'ClickHouse gets SIGKILL and starts again':
      await front.server.kill();
      await Promise.all([sleep(random.between(0, 1500)), checkOthers(shard)]);
      await front.server.start();
      return 1;
    case 'PostgreSQL gets SIGKILL and starts again':
      await postgres.kill();
      await sleep(random.between(0, 1500));
      await postgres.start();
      return 1;
  }
}

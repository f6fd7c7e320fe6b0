import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, login, type Replica } from '../cluster/replicas.js';
import type { Life } from './life.js';
import type { Random } from './random.js';
import type { Tally } from './tally.js';
import { type Scenario, tightLimits } from './scenario.js';

/** One server over replicas of ClickHouse. */

const strikes = {
  'a replica is killed': 30,
  'a replica hangs': 14,
  'a replica loses its disk': 6,
  'two replicas are killed': 6,
  'Keeper is killed': 12,
  'the server is killed': 16,
  'server and replica are killed': 16,
} as const satisfies Readonly<Record<string, number>>;

const patienceMilliseconds = 180_000;

export const overReplicas = (cluster: Cluster): Scenario => ({
  settings: {
    ...tightLimits,
    MILLRACE_CLICKHOUSE_URL: cluster.replicas.map(({ url }) => url).join(','),
    MILLRACE_CLICKHOUSE_USER: login.user,
    MILLRACE_CLICKHOUSE_PASSWORD: login.password,
  },
  strikes,
  isMoody: true,
  strike: (life, how, random) => strike(cluster, life, how as keyof typeof strikes, random),
  inspect: ({ tally }) => inspect(cluster, tally),
});

/**
 * Injects a fault. Everything that was killed or paused runs again when this resolves, except
 * possibly the server.
 */
async function strike(cluster: Cluster, life: Life, how: keyof typeof strikes, random: Random): Promise<boolean> {
  const { replicas, keeper } = cluster;
  const victim = random.pick(replicas)!;
  const away = random.between(200, 6000);
  life.struck = true;
  switch (how) {
    case 'a replica is killed':
      await victim.kill();
      await sleep(away);
      await victim.start();
      return well(life);
    case 'a replica hangs':
      victim.pause();
      await sleep(away);
      victim.resume();
      return well(life);
    case 'a replica loses its disk':
      await victim.kill();
      victim.loseDisk();
      await sleep(away);
      await victim.start();
      return well(life);
    case 'two replicas are killed': {
      const others = replicas.filter((replica) => replica !== victim);
      await Promise.all(others.map((replica) => replica.kill()));
      await sleep(away);
      await Promise.all(others.map((replica) => replica.start()));
      return well(life);
    }
    case 'Keeper is killed':
      await keeper.kill();
      await sleep(away);
      await keeper.start();
      return well(life);
    case 'the server is killed':
      await life.server.kill();
      return false;
    case 'server and replica are killed':
      await Promise.all([life.server.kill(), victim.kill()]);
      await victim.start();
      return false;
  }
}

/** Waits, while clients continue, until the server reports that it is healthy. */
async function well({ server, tally }: Life): Promise<true> {
  const began = performance.now();
  for (;;) {
    const answer = await server.request('/healthz').catch(() => undefined);
    if (answer?.status === 200) break;
    if (performance.now() - began > patienceMilliseconds || server.ended) {
      tally.violation('unexpected', `the server does not recover: ${answer?.text}\n${server.printed}`);
      break;
    }
    await sleep(100);
  }
  tally.engineBack(performance.now() - began);
  return true;
}

/** Content of a table on a replica. */
interface TableContent {
  readonly rows: string;
  readonly distinct: string;
  readonly sum: string;
}

/** Every table has the same rows on each replica of its shard, each once. */
export async function inspect({ shards }: Pick<Cluster, 'shards'>, tally: Tally): Promise<void> {
  for (const replicas of shards) await compare(replicas, tally);
}

async function compare(replicas: readonly Replica[], tally: Tally): Promise<void> {
  // A replica that lost its disk may have none yet.
  const lists = await Promise.all(
    replicas.map((replica) =>
      replica.run("SELECT name FROM system.tables WHERE database = 'millrace' AND engine LIKE 'Replicated%'"),
    ),
  );
  const names = new Set(lists.flatMap((text) => text.split('\n')).filter((line) => /^d[1-9]/.test(line)));
  for (const name of names) {
    const contents = await finalContents(replicas, name);
    tally.count('tables compared on all replicas');
    const said = contents.map((one, i) => `${replicas[i]!.name}: ${JSON.stringify(one)}`).join(', ');
    if (contents.some((one) => one === undefined || one.rows !== one.distinct))
      tally.violation(contents.includes(undefined) ? 'lost' : 'duplicated', `${name}: ${said}`);
    else if (contents.some((one) => one?.sum !== contents[0]?.sum || one?.rows !== contents[0]?.rows))
      tally.violation('lost', `${name} differs: ${said}`);
  }
}

/** Waits until the replicas are idle, with a timeout, and returns their content. */
async function finalContents(
  replicas: readonly Replica[],
  table: string,
): Promise<readonly (TableContent | undefined)[]> {
  const late = performance.now() + patienceMilliseconds;
  for (;;) {
    const contents = await Promise.all(replicas.map((replica) => contentOf(replica, table)));
    const isSame = contents.every(
      (one) => one !== undefined && one.rows === contents[0]?.rows && one.sum === contents[0]?.sum,
    );
    if (isSame || performance.now() > late) return contents;
    await sleep(200);
  }
}

async function contentOf(replica: Replica, table: string): Promise<TableContent | undefined> {
  try {
    const id = '_seq, _row';
    const answer = await replica.run(
      `SELECT count(), uniqExact(${id}), sum(cityHash64(${id})) FROM millrace.${table} SETTINGS max_execution_time = 30`,
    );
    const [rows = '', distinct = '', sum = ''] = answer.split('\t');
    return { rows, distinct, sum };
  } catch {
    return undefined;
  }
}

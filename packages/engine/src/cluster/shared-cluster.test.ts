import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { Engine } from '../engine.js';
import { errorOf, waitUntil } from '../testing/engines.js';
import { ScriptedCluster, type ScriptedOptions, type ScriptedReplica } from '../testing/fake-cluster.js';
import type { InjectedFault } from '../testing/injected-fault.js';
import { ScriptedProcess } from '../testing/fake-process.js';
import { insertOf, makeTable, numbersOf, rowsOf, scriptedDatabase, scriptedTimes } from '../testing/fake-rows.js';
import { LocalCoordination } from './coordination.js';
import { connectCluster } from './connect-cluster.js';

/** Several processes over the same replicas. */

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

interface Node {
  readonly engine: Engine;
  readonly process: ScriptedProcess;
}

/**
 * Three replicas and two processes, with tables `d1` to `d3`, whose leaders are the second, the
 * third and the first.
 * @param more replicas that no process knows yet
 */
async function open(more = 0) {
  let mishap: ScriptedOptions['mishap'] = () => undefined;
  const steps: (() => void)[] = [];
  const later = (step: () => void): void => void steps.push(step);
  const cluster = new ScriptedCluster({ replicas: 3 + more, mishap: (sql) => mishap(sql), later });
  const going = setInterval(() => cluster.replicate(), 1);
  const agreement = new LocalCoordination();
  const node = async (name: string, known: boolean, replicas = 3): Promise<Node> => {
    const process = new ScriptedProcess();
    const engine = await connectCluster(
      {
        urls: cluster.replicas.slice(0, replicas).map(({ index }) => String(index)),
        user: 'u',
        password: 'p',
        database: scriptedDatabase,
        owner: { id: 'owner', known, shared: true },
        agreement: process.agreesOn(agreement.member(name, false)),
        times: scriptedTimes,
      },
      (url) => process.pathTo(cluster.replicas[Number(url)]!),
    );
    ends.push(async () => {
      process.wake();
      await engine.close();
    });
    return { engine, process };
  };
  const nodes = [await node('a', false), await node('b', true)] as const;
  ends.push(async () => clearInterval(going));
  for (const n of [1, 2, 3]) await makeTable(nodes[0].engine, n);
  return {
    cluster,
    agreement,
    nodes,
    node,
    replicas: cluster.replicas as readonly [ScriptedReplica, ScriptedReplica, ScriptedReplica],
    set mishap(next: ScriptedOptions['mishap']) {
      mishap = next;
    },
    /** Executes the postponed statements. */
    late: () => {
      for (const step of steps.splice(0)) step();
    },
  };
}

const rowsIn = ({ engine }: Node, table: number): Promise<readonly number[]> => rowsOf(engine, table);

const leaderOf = async ({ agreement }: { agreement: LocalCoordination }, tableClass: number) =>
  agreement.member('looks', false).leaders.read(tableClass);

it('an insert that reaches a former leader late is visible at the current one once it is confirmed', async () => {
  const world = await open();
  const [a, b] = world.nodes;
  let letGo: () => void = () => undefined;
  const delayedUntil = new Promise<void>((resolve) => (letGo = resolve));
  let isSent = false;
  world.mishap = (sql) => {
    if (!sql.startsWith('INSERT') || isSent) return undefined;
    isSent = true;
    return { delayedUntil };
  };
  // The next leader fetches nothing until it is synced.
  world.cluster.laggard = world.replicas[2];
  const inserted = a.engine.insert(insertOf(1, [1], 'a'));
  await waitUntil('it is on its way', () => isSent);
  // Only this process cannot reach the leader, which is healthy otherwise.
  b.process.cut.add(1);
  await waitUntil('there is another leader', async () => {
    const leader = await leaderOf(world, 1);
    return leader?.replica === 'r3' && leader.state === 'ready';
  });
  letGo();
  await inserted;
  expect(await rowsIn(b, 1)).toEqual([1]);
  expect(world.replicas[1].copies.get('d1')!.rows).toEqual([1]);
});

it('a repeated insert is visible where it was confirmed, even if a former leader had it first', async () => {
  const world = await open();
  const [a, b] = world.nodes;
  let tries = 0;
  world.mishap = (sql) => {
    if (!sql.startsWith('INSERT')) return undefined;
    if (++tries > 1) return void world.late();
    // The leader is healthy but unreachable.
    for (const { process } of [a, b]) process.cut.add(1);
    return 'cut, executed later';
  };
  // The next leader fetches nothing until it is synced.
  world.cluster.laggard = world.replicas[2];
  await a.engine.insert(insertOf(1, [1], 'a'));
  expect(await rowsIn(b, 1)).toEqual([1]);
  expect([tries, world.replicas[1].copies.get('d1')!.rows]).toEqual([2, [1]]);
});

it('the leader has what the majority of replicas has', async () => {
  const world = await open();
  const { replication } = world.nodes[0].engine;
  world.cluster.laggard = world.replicas[1];
  world.cluster.tables.get('d1')!.write(world.replicas[0].copies.get('d1')!, 'from elsewhere', [7]);
  const query = ['SELECT rows FROM `m`.`d1`', { format: 'TabSeparated' }] as const;
  const answers = await replication!.askMost({ database: scriptedDatabase, table: 'd1' }, ...query);
  expect(answers.map(({ body }) => Buffer.from(body).toString())).toEqual(['7\n', '7\n']);
  expect(await rowsIn(world.nodes[1], 1)).toEqual([7]);
});

it('each process sees immediately the data that another confirmed', async () => {
  const world = await open();
  const [a, b] = world.nodes;
  world.cluster.laggard = world.replicas[1];
  await a.engine.insert(insertOf(1, [1], 'a'));
  for (let i = 0; i < 10; i++) {
    await a.engine.insert(insertOf(2, [10 + i], `b${i}`));
    expect(await rowsIn(b, 2)).toHaveLength(i + 1);
    await numbersOf(b.engine, 'SELECT rows FROM `m`.`d1` UNION ALL SELECT rows FROM `m`.`d2`');
    expect(world.replicas[1].copies.get('d2')!.rows).toHaveLength(i + 1);
  }
});

it('another process queries a new table at its leader', async () => {
  const world = await open();
  const [a, b] = world.nodes;
  world.cluster.laggard = world.replicas[0];
  for (let n = 4; n < 16; n++) {
    await makeTable(a.engine, n);
    await a.engine.insert(insertOf(n, [n], `t${n}`));
    expect(await rowsIn(b, n)).toEqual([n]);
  }
});

it('a leader stays while most processes reach it, and is replaced when more reach another replica', async () => {
  const world = await open();
  const [a, b] = world.nodes;
  const before = await leaderOf(world, 1);
  // A process without connections takes no leader from the other.
  for (const { index } of world.replicas) b.process.cut.add(index);
  await waitUntil('it says so', () => b.engine.health().state !== 'ready');
  await sleep(5 * scriptedTimes.silentMilliseconds);
  expect(await leaderOf(world, 1)).toEqual(before);
  await a.engine.insert(insertOf(1, [1], 'a'));
  b.process.cut.clear();
  await waitUntil('it is well again', () => b.engine.health().state === 'ready');
  // Each process reaches two of the three replicas: the one that both reach stays leader.
  b.process.cut.add(1);
  a.process.cut.add(2);
  await waitUntil('it is the one that both hear', async () => (await leaderOf(world, 1))?.replica === 'r1');
  const { generation } = (await leaderOf(world, 1))!;
  await sleep(5 * scriptedTimes.returnMilliseconds);
  expect((await leaderOf(world, 1))?.generation).toBe(generation);
  expect(await rowsIn(b, 1)).toEqual([1]);
});

it('a process that was suspended while the leader changed confirms and returns nothing from its old knowledge', async () => {
  const world = await open();
  const [a, b] = world.nodes;
  await a.engine.insert(insertOf(1, [1], 'a'));
  b.process.sleep();
  const rows = rowsIn(b, 1);
  const inserted = b.engine.insert(insertOf(1, [2], 'b'));
  world.replicas[1].kill();
  await waitUntil('there is another leader', async () => (await leaderOf(world, 1))?.replica !== 'r2');
  world.cluster.laggard = world.replicas[1];
  await a.engine.insert(insertOf(1, [3], 'c'));
  world.replicas[1].start();
  b.process.wake();
  await inserted;
  expect((await rows).slice(0, 1)).toEqual([1]);
  for (const node of world.nodes) expect(await rowsIn(node, 1)).toEqual([1, 2, 3]);
});

it('while the leaders cannot be read, no result is returned or confirmed', async () => {
  const world = await open();
  const [a] = world.nodes;
  await a.engine.insert(insertOf(1, [1], 'a'));
  a.process.isBlind = true;
  expect((await errorOf(rowsIn(a, 1))).code).toBe('unavailable');
  expect((await errorOf(a.engine.insert(insertOf(1, [2], 'b')))).outcome).toBe('elsewhere');
  await waitUntil('it says so', () => a.engine.health().state !== 'ready');
  // The coordination fails during an insert.
  a.process.isBlind = false;
  world.mishap = (sql) => {
    a.process.isBlind = sql.startsWith('INSERT');
    return undefined;
  };
  await waitUntil('it is well', () => a.engine.health().state === 'ready');
  expect((await errorOf(a.engine.insert(insertOf(1, [3], 'c')))).outcome).toBe('unknown');
  world.mishap = () => undefined;
  a.process.isBlind = false;
  await a.engine.insert(insertOf(1, [3], 'c'));
  expect(await rowsIn(a, 1)).toEqual([1, 3]);
});

it('leaders that the database lost are replaced by processes that knew later ones', async () => {
  const world = await open();
  const [a] = world.nodes;
  const first = (await leaderOf(world, 1))!;
  world.replicas[1].kill();
  await waitUntil('there is another leader', async () => {
    const leader = await leaderOf(world, 1);
    return leader?.replica === 'r3' && leader.state === 'ready';
  });
  await a.engine.insert(insertOf(1, [1], 'a'));
  world.cluster.laggard = world.replicas[1];
  world.replicas[1].start();
  await waitUntil('it answers', () => a.engine.health().reason === undefined);
  // The database was restored from a backup.
  const { leaders } = world.agreement.member('looks', false);
  await leaders.replace(1, await leaders.read(1), first);
  expect(await rowsIn(a, 1)).toEqual([1]);
  expect((await leaderOf(world, 1))!.generation).toBeGreaterThan(first.generation + 1);
});

it('a table that one process removes no other makes again, and it goes from replicas that come back', async () => {
  const world = await open();
  const [a] = world.nodes;
  world.replicas[0].kill();
  await waitUntil('it is missed', () => a.engine.health().reason !== undefined);
  await a.engine.execute('DROP TABLE IF EXISTS `m`.`d2` SYNC', { everywhere: true });
  // The process that removed it ends before the replica is back.
  await a.engine.close();
  world.agreement.leave('a');
  world.replicas[0].start();
  await waitUntil('it is gone', () => !world.replicas[0].copies.has('d2'));
  await sleep(5 * scriptedTimes.stuckMilliseconds);
  expect(world.replicas.map(({ copies }) => copies.has('d2'))).toEqual([false, false, false]);
});

it('a replica that is added during operation gets all tables, and then leads', async () => {
  const world = await open(1);
  const [a, b] = world.nodes;
  const added = world.cluster.replicas[3]!;
  for (const n of [1, 2, 3]) await a.engine.insert(insertOf(n, [n], `before ${n}`));
  // The processes are restarted with its address, one by one.
  await b.engine.close();
  world.agreement.leave('b');
  const c = await world.node('c', true, 4);
  // The other processes, which do not know the new replica, run repairs.
  await a.engine.insert(insertOf(3, [4], 'meanwhile'));
  expect(await rowsIn(c, 3)).toEqual([3, 4]);
  await a.engine.close();
  world.agreement.leave('a');
  const d = await world.node('d', true, 4);
  await waitUntil('it is a leader', async () => {
    const leader = await leaderOf(world, 3);
    return leader?.replica === 'r4' && leader.state === 'ready';
  });
  expect([...added.copies.keys()].toSorted()).toEqual(['d1', 'd2', 'd3']);
  await c.engine.insert(insertOf(3, [5], 'after'));
  for (const node of [c, d]) expect(await rowsIn(node, 3)).toEqual([3, 4, 5]);
  expect(added.copies.get('d3')!.rows.toSorted()).toEqual([3, 4, 5]);
});

it('a repair that slept before it threw a copy away throws away nothing', async () => {
  const world = await open();
  const [a, b] = world.nodes;
  await a.engine.insert(insertOf(1, [1], 'a'));
  await waitUntil('all have it', () => world.replicas.every(({ copies }) => copies.get('d1')!.rows.length === 1));
  // The first to ask repairs. It is suspended after its decision.
  const isDefinition = (sql: string): boolean => sql.startsWith('SELECT create_table_query');
  world.cluster.onStatement = (sql) => {
    if (isDefinition(sql)) a.process.sleep();
  };
  world.replicas[0].makeStuck('d1');
  await waitUntil('it has decided', () =>
    world.replicas.some(({ executedStatements: executed }) => executed.some(isDefinition)),
  );
  world.cluster.onStatement = () => undefined;
  world.agreement.leave('a');
  await waitUntil('another has repaired it', () => world.replicas[0].copies.get('d1')?.isStuck === false);
  const droppedCount = (): number =>
    world.replicas[0].executedStatements.filter((sql) => sql.startsWith('DROP TABLE IF EXISTS `m`.`d1`')).length;
  const before = droppedCount();
  a.process.wake();
  await sleep(5 * scriptedTimes.stuckMilliseconds);
  expect(droppedCount()).toBe(before);
  expect(await rowsIn(b, 1)).toEqual([1]);
});

it('what a replica shows and Keeper never had is gone before the insert that came in again is confirmed', async () => {
  const world = await open();
  const [first, second] = world.nodes;
  await first.engine.insert(insertOf(1, [1, 2], 'a'));
  const strikes = ['without Keeper', undefined] as const;
  let inserts = 0;
  world.mishap = (sql) => (sql.startsWith('INSERT') ? strikes[inserts++] : undefined);
  await first.engine.insert(insertOf(1, [3, 4], 'b'));
  expect(inserts).toBe(2);
  expect(await rowsIn(second, 1)).toEqual([1, 2, 3, 4]);
  const restarted = world.replicas.map(({ executedStatements: executed }) =>
    executed.filter((sql) => sql.startsWith('SYSTEM RESTART')),
  );
  expect(restarted.map(({ length }) => length).toSorted()).toEqual([0, 0, 1]);
});

it('a process that asks what most replicas have finds what another left without Keeper gone', async () => {
  const world = await open();
  const mishaps: InjectedFault[] = ['without Keeper', 'without Keeper'];
  const [first, second] = world.nodes;
  world.mishap = (sql) => (sql.startsWith('INSERT') ? mishaps.shift() : undefined);
  expect(await errorOf(first.engine.insert(insertOf(1, [1, 2], 'a')))).toMatchObject({ outcome: 'unknown' });
  expect(await rowsIn(second, 1)).toEqual([2]);
  const about = { database: scriptedDatabase, table: 'd1' };
  await second.engine.replication!.askMost(about, 'SELECT rows FROM `m`.`d1`', { format: 'TabSeparated' });
  expect(await rowsIn(second, 1)).toEqual([]);
});

it('a new leader shows no parts that Keeper never had', async () => {
  const world = await open();
  const [first, second] = world.nodes;
  const [other, leader] = world.replicas;
  await first.engine.insert(insertOf(1, [1, 2], 'a'));
  // A former leader of the table was cut off in the middle of an insert, unnoticed.
  world.cluster.tables.get('d1')!.writeUnexpected(other.copies.get('d1')!, 'b 1', [3]);
  world.cluster.tables.get('d1')!.writeUnexpected(world.replicas[2].copies.get('d1')!, 'b 1', [3]);
  leader.kill();
  expect(await rowsIn(second, 1)).toEqual([1, 2]);
});

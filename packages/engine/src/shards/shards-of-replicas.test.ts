import { afterEach, expect, it } from 'vitest';
import { connectCluster } from '../cluster/connect-cluster.js';
import { waitUntil } from '../testing/engines.js';
import { ScriptedCluster } from '../testing/fake-cluster.js';
import { insertOf, makeTable, rowsOf, scriptedDatabase, scriptedTimes } from '../testing/fake-rows.js';
import { ShardedEngine } from './sharded-engine.js';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Two shards of three replicas each: the table d1 is on the first, d2 on the second. */
async function open() {
  const clusters = [1, 2].map(
    () => new ScriptedCluster({ replicas: 3, mishap: () => undefined, later: () => undefined }),
  );
  const going = setInterval(() => clusters.forEach((cluster) => cluster.replicate()), 1);
  const shards = await Promise.all(
    clusters.map((cluster, i) =>
      connectCluster(
        {
          urls: cluster.replicas.map(({ index }) => String(index)),
          user: 'u',
          password: 'p',
          database: scriptedDatabase,
          owner: { id: `owner-${i + 1}`, known: false },
          times: { ...scriptedTimes, patienceMilliseconds: 200 },
        },
        (url) => cluster.replicas[Number(url)]!,
      ),
    ),
  );
  const engine = new ShardedEngine(shards, scriptedDatabase);
  ends.push(async () => {
    await engine.close();
    clearInterval(going);
  });
  for (const n of [1, 2]) {
    engine.place({ database: scriptedDatabase, table: `d${n}` }, n);
    await makeTable(engine, n);
  }
  return { engine, clusters: clusters as [ScriptedCluster, ScriptedCluster] };
}

it('each has its tables on its replicas, under a separate name in Keeper', async () => {
  const { engine, clusters } = await open();
  expect(clusters.map(({ replicas }) => replicas.map(({ copies }) => [...copies.keys()]))).toEqual([
    [['d1'], ['d1'], ['d1']],
    [['d2'], ['d2'], ['d2']],
  ]);
  const engineOf = (n: number) => engine.replication?.engineOf({ database: scriptedDatabase, table: `d${n}` });
  expect([engineOf(1), engineOf(2)]).toEqual([
    expect.stringContaining('/millrace/owner-1/{shard}/d1'),
    expect.stringContaining('/millrace/owner-2/{shard}/d2'),
  ]);
});

it('the loss of a leader affects only its shard, and so does the loss of a whole shard', async () => {
  const { engine, clusters } = await open();
  const [, second] = clusters;
  await engine.insert(insertOf(1, [1], 'a'));
  await engine.insert(insertOf(2, [2], 'b'));
  // The leader of d2.
  second.replicas[2]!.kill();
  await waitUntil('another leader has it', async () => (await rowsOf(engine, 2).catch(() => [])).length === 1);
  await engine.insert(insertOf(2, [3], 'c'));
  for (const replica of second.replicas) replica.kill();
  await waitUntil('it is away', () => engine.sharding.shards[1]!.health().state === 'down');
  expect(engine.health()).toMatchObject({ state: 'ready', reason: expect.stringContaining('shard 2 down: 3 of 3') });
  await engine.insert(insertOf(1, [4], 'd'));
  expect(await rowsOf(engine, 1)).toEqual([1, 4]);
  await expect(rowsOf(engine, 2)).rejects.toMatchObject({ code: 'unavailable' });
  for (const replica of second.replicas) replica.start();
  await waitUntil('it is back', () => engine.sharding.shards[1]!.health().state === 'ready');
  expect(await rowsOf(engine, 2)).toEqual([2, 3]);
});

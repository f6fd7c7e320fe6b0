import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryPostgres, sharedPostgres, whyNoPostgres } from '../testing/postgres.js';
import { openPostgres, type Postgres } from './open-postgres.js';
import { openBoundSharedDatabase, bindSharedDatabase } from './shared-binding.js';

describe.skipIf(whyNoPostgres() !== undefined)('processes that share a database', () => {
  let url: string;
  const opened: Postgres[] = [];
  const open = async (): Promise<Postgres> => {
    const postgres = await openPostgres(url);
    opened.push(postgres);
    return postgres;
  };
  beforeAll(async () => void (url = await (await sharedPostgres()).place()));
  afterAll(() => Promise.all(opened.map(({ shared }) => shared.close())));

  test('get numbers that rise, and are listed while they are heard of', async () => {
    const { nodes } = await open();
    const [first, second] = [
      await nodes.enter({ name: 'a', version: '1' }),
      await nodes.enter({ name: 'b', version: '2' }),
    ];
    expect(second > first).toBe(true);
    expect(await nodes.recordHeartbeat(first, 'http://a', 1)).toEqual({
      live: 2,
      known: true,
      time: expect.any(Number),
      sharedShards: 1,
      shards: [],
    });
    expect((await nodes.list()).map(({ name, url, live }) => [name, url, live])).toEqual([
      ['b', '', true],
      ['a', 'http://a', true],
    ]);
    await nodes.leave(second);
    expect(await nodes.recordHeartbeat(first, 'http://a', 1)).toMatchObject({ live: 1, known: true });
    await queryPostgres(url, `UPDATE nodes SET seen = now() - interval '2 days' WHERE epoch = ${second}`);
    expect((await nodes.list()).map(({ name }) => name)).toEqual(['a']);
    // A node that sends a heartbeat again is live again.
    await nodes.recordHeartbeat(second, '', 1);
    expect((await nodes.list()).map(({ live }) => live)).toEqual([true, true]);
    expect(await nodes.enter({ name: 'c', version: '1' })).toBeGreaterThan(second);
    // A restored database has assigned the number to another node.
    await queryPostgres(url, `UPDATE nodes SET life = 'of another' WHERE epoch = ${first}`);
    expect(await nodes.recordHeartbeat(first, 'http://a', 1)).toMatchObject({ known: false });
  });

  test('all hear of the shards that one has recorded, and how many all of them use', async () => {
    await queryPostgres(url, 'DELETE FROM nodes');
    const { nodes } = await open();
    const enter = () => nodes.enter({ name: 'a', version: '1' });
    const [first, second] = [await enter(), await enter()];
    await nodes.recordHeartbeat(first, '', 1);
    await nodes.recordShards(['a', 'b', 'c']);
    const shards = ['a', 'b', 'c'];
    expect(await nodes.recordHeartbeat(second, '', 3)).toMatchObject({ sharedShards: 1, shards });
    expect(await nodes.recordHeartbeat(first, '', 2)).toMatchObject({ sharedShards: 2, shards });
    // Others use them.
    expect(await nodes.listShards(first, 1)).toEqual(shards);
    await nodes.leave(second);
    await queryPostgres(url, "INSERT INTO dropped_datasets (id, name, dropped, shard) VALUES (9, 'x', '', 2)");
    expect(await nodes.listShards(first, 1)).toEqual(['a', 'b']);
    await queryPostgres(url, 'DELETE FROM dropped_datasets');
    expect(await nodes.listShards(first, 1)).toEqual(['a']);
  });

  test('one is leader; when it leaves or disconnects, another takes over', async () => {
    const [one, other] = [await (await open()).openElection('d'), await (await open()).openElection('d')];
    await one.heartbeat();
    await other.heartbeat();
    expect([one.isLeader, other.isLeader]).toEqual([true, false]);
    await one.heartbeat();
    await queryPostgres(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()",
    );
    await other.heartbeat();
    await one.heartbeat();
    expect([one.isLeader, other.isLeader]).toEqual([false, true]);
    await other.end();
    await one.heartbeat();
    expect(one.isLeader).toBe(true);
    await one.end();
    expect(one.isLeader).toBe(false);
  });

  test('a database is that of one directory or of several processes, whichever it was first', async () => {
    const empty = await (await sharedPostgres()).place();
    await expect(openBoundSharedDatabase(empty)).rejects.toThrow('is not one that several nodes share');
    const both = await Promise.all([bindSharedDatabase(empty, 0), bindSharedDatabase(empty, 0)]);
    opened.push(...both);
    expect(new Set(both.map(({ cluster }) => cluster)).size).toBe(1);
    opened.push(await openBoundSharedDatabase(empty));
    const taken = await (await sharedPostgres()).place();
    await (await openPostgres(taken)).shared.close();
    await queryPostgres(taken, "INSERT INTO home VALUES (1, 'a directory')");
    await expect(bindSharedDatabase(taken, 0)).rejects.toThrow('it has the metadata of one data directory');
  });
});

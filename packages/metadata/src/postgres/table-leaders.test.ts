import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryPostgres, sharedPostgres, whyNoPostgres } from '../testing/postgres.js';
import { openMetadataIn } from '../open-metadata.js';
import { openPostgres, type Postgres } from './open-postgres.js';
import type { SharedCoordination } from './shared-coordination.js';

describe.skipIf(whyNoPostgres() !== undefined)('what processes over the same replicas agree on', () => {
  let url: string;
  const ends: (() => Promise<void>)[] = [];
  const open = async (): Promise<Postgres> => {
    const postgres = await openPostgres(url);
    ends.push(() => postgres.shared.close());
    return postgres;
  };
  const member = async (): Promise<SharedCoordination> => (await memberOf(1))[0]!;
  /** The coordination of a process, for each of its shards. */
  const memberOf = async (shards: number): Promise<readonly SharedCoordination[]> => {
    const postgres = await open();
    const epoch = await postgres.nodes.enter({ name: 'n', version: '1' });
    const agreements: SharedCoordination[] = [];
    for (let shard = 1; shard <= shards; shard++) {
      const agreement = await postgres.openAgreement('c', epoch, shard);
      agreements.push(agreement);
      ends.push(() => agreement.end());
    }
    return agreements;
  };
  beforeAll(async () => void (url = await (await sharedPostgres()).place()));
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  test('exactly one of several candidates replaces a leader, and all see it', async () => {
    const all = await Promise.all([member(), member(), member()]);
    expect(await all[0].leaders.isAny()).toBe(false);
    for (let generation = 1; generation <= 5; generation++) {
      const before = await Promise.all(all.map(({ leaders }) => leaders.read(7)));
      const outcomes = await Promise.all(
        all.map(({ leaders }, n) => leaders.replace(7, before[n], { replica: `r${n}`, generation, state: 'syncing' })),
      );
      const winner = outcomes.indexOf(true);
      expect(outcomes.filter((done) => done)).toHaveLength(1);
      for (const { leaders } of all)
        expect(await leaders.read(7)).toEqual({ replica: `r${winner}`, generation, state: 'syncing' });
    }
    const leader = (await all[0].leaders.read(7))!;
    const ready = { ...leader, state: 'ready' } as const;
    const outcomes = await Promise.all(all.map(({ leaders }) => leaders.replace(7, leader, ready)));
    expect(outcomes.filter((done) => done)).toHaveLength(1);
    // A process that was suspended changes nothing.
    expect(await all[1].leaders.replace(7, leader, { ...leader, generation: 9 })).toBe(false);
    expect([await all[2].leaders.read(7), await all[2].leaders.read(8)]).toEqual([ready, undefined]);
  });

  test('each says which replicas it hears, which counts for ten seconds', async () => {
    await queryPostgres(url, "UPDATE nodes SET heard_at = '-infinity'");
    const [one, other] = [await member(), await member()];
    await one.leaders.vote(['r1', 'r2']);
    const votes = await other.leaders.vote(['r2']);
    expect([votes.voters, votes.for('r1'), votes.for('r2'), votes.for('r3')]).toEqual([2, 1, 2, 0]);
    await other.leaders.vote([]);
    expect((await one.leaders.vote(['r1'])).for('r2')).toBe(0);
    await queryPostgres(url, "UPDATE nodes SET heard_at = heard_at - interval '20 seconds'");
    expect((await one.leaders.vote(['r1'])).voters).toBe(1);
  });

  test('each shard has separate leaders, replicas, removed tables and repairs', async () => {
    await queryPostgres(url, "UPDATE nodes SET heard_at = '-infinity'");
    const [, one] = await memberOf(2);
    const [first, other] = await memberOf(2);
    if (one === undefined || first === undefined || other === undefined) throw new Error('there are two shards');
    const leader = { replica: 'r1', generation: 1, state: 'ready' } as const;
    expect(await one.leaders.isAny()).toBe(false);
    expect(await one.leaders.replace(3, undefined, leader)).toBe(true);
    expect([await other.leaders.read(3), await first.leaders.read(3)]).toEqual([leader, undefined]);
    await one.leaders.vote(['r1']);
    const [votes, votesOfFirst] = [await other.leaders.vote(['r1', 'r2']), await first.leaders.vote(['r2'])];
    expect(['r1', 'r2'].map((replica) => votes.for(replica))).toEqual([2, 1]);
    expect(['r1', 'r2'].map((replica) => votesOfFirst.for(replica))).toEqual([0, 1]);
    await one.removedTables.add('d900');
    await Promise.all([other, first].map(({ removedTables: removed }) => removed.check()));
    expect([other, first].map(({ removedTables: removed }) => removed.known.has('d900'))).toEqual([true, false]);
    expect([await one.mayRepair(), await other.mayRepair()]).toEqual([true, false]);
  });

  test('one process repairs at a time; when it leaves, another takes over', async () => {
    const [one, other] = [await member(), await member()];
    expect(await Promise.all([one.mayRepair(), one.mayRepair(), one.mayRepair()])).toEqual([true, true, true]);
    expect(await other.mayRepair()).toBe(false);
    await queryPostgres(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()",
    );
    expect([await other.mayRepair(), await one.mayRepair()]).toEqual([true, false]);
  });

  test('a table that one removed all know of, until it is gone everywhere for a day', async () => {
    const [one, other] = [await member(), await member()];
    await one.removedTables.add('d1');
    await one.removedTables.add('d1');
    await other.removedTables.check();
    expect([...one.removedTables.known, ...other.removedTables.known]).toEqual(['d1', 'd1']);
    await other.removedTables.deleteTable('d1');
    await other.removedTables.check();
    expect([...other.removedTables.known]).toEqual(['d1']);
    await queryPostgres(url, "UPDATE removed_tables SET removed = now() - interval '2 days'");
    await other.removedTables.check();
    await other.removedTables.deleteTable('d1');
    await other.removedTables.check();
    expect([...other.removedTables.known]).toEqual([]);
  });

  test('events are on one server or on replicas, as the first process said', async () => {
    const first = await open();
    expect(await first.isWhereEventsAre('replicas')).toBe(true);
    expect(await (await open()).isWhereEventsAre('server')).toBe(false);
    expect(await first.isWhereEventsAre('replicas')).toBe(true);
    // From before there were replicas.
    await queryPostgres(url, 'DELETE FROM events_place');
    const metadata = await openMetadataIn({ url });
    await metadata.datasets.create({ name: 'd', who: '' });
    await metadata.close();
    expect(await first.isWhereEventsAre('replicas')).toBe(false);
    expect(await first.isWhereEventsAre('server')).toBe(true);
  });
});

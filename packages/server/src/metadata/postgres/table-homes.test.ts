import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, sharedPostgres, whyNoPostgres } from '../../testing/postgres.js';
import { openMetadataIn } from '../open-metadata.js';
import { openPostgres, type Postgres } from './open-postgres.js';
import type { SharedAgreement } from './shared-agreement.js';

describe.skipIf(whyNoPostgres() !== undefined)('what processes over the same replicas agree on', () => {
  let url: string;
  const ends: (() => Promise<void>)[] = [];
  const open = async (): Promise<Postgres> => {
    const postgres = await openPostgres(url);
    ends.push(() => postgres.shared.close());
    return postgres;
  };
  const member = async (): Promise<SharedAgreement> => {
    const postgres = await open();
    const agreement = await postgres.openAgreement('c', await postgres.nodes.enter({ name: 'n', version: '1' }));
    ends.push(() => agreement.end());
    return agreement;
  };
  beforeAll(async () => void (url = await (await sharedPostgres()).place()));
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  test('of those who replace a home at once one does, and all see it', async () => {
    const all = await Promise.all([member(), member(), member()]);
    expect(await all[0].homes.isAny()).toBe(false);
    for (let generation = 1; generation <= 5; generation++) {
      const before = await Promise.all(all.map(({ homes }) => homes.read(7)));
      const outcomes = await Promise.all(
        all.map(({ homes }, n) => homes.replace(7, before[n], { replica: `r${n}`, generation, state: 'syncing' })),
      );
      const winner = outcomes.indexOf(true);
      expect(outcomes.filter((done) => done)).toHaveLength(1);
      for (const { homes } of all)
        expect(await homes.read(7)).toEqual({ replica: `r${winner}`, generation, state: 'syncing' });
    }
    const home = (await all[0].homes.read(7))!;
    const ready = { ...home, state: 'ready' } as const;
    const outcomes = await Promise.all(all.map(({ homes }) => homes.replace(7, home, ready)));
    expect(outcomes.filter((done) => done)).toHaveLength(1);
    // Whoever slept meanwhile changes nothing.
    expect(await all[1].homes.replace(7, home, { ...home, generation: 9 })).toBe(false);
    expect([await all[2].homes.read(7), await all[2].homes.read(8)]).toEqual([ready, undefined]);
  });

  test('each says which replicas it hears, which counts for ten seconds', async () => {
    await asked(url, "UPDATE nodes SET heard_at = '-infinity'");
    const [one, other] = [await member(), await member()];
    await one.homes.vote(['r1', 'r2']);
    const votes = await other.homes.vote(['r2']);
    expect([votes.voters, votes.for('r1'), votes.for('r2'), votes.for('r3')]).toEqual([2, 1, 2, 0]);
    await other.homes.vote([]);
    expect((await one.homes.vote(['r1'])).for('r2')).toBe(0);
    await asked(url, "UPDATE nodes SET heard_at = heard_at - interval '20 seconds'");
    expect((await one.homes.vote(['r1'])).voters).toBe(1);
  });

  test('one repairs at a time; when it goes, another does', async () => {
    const [one, other] = [await member(), await member()];
    expect(await Promise.all([one.mayRepair(), one.mayRepair(), one.mayRepair()])).toEqual([true, true, true]);
    expect(await other.mayRepair()).toBe(false);
    await asked(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()",
    );
    expect([await other.mayRepair(), await one.mayRepair()]).toEqual([true, false]);
  });

  test('a table that one removed all know of, until it is gone everywhere for a day', async () => {
    const [one, other] = [await member(), await member()];
    await one.removed.add('d1');
    await one.removed.add('d1');
    await other.removed.look();
    expect([...one.removed.known, ...other.removed.known]).toEqual(['d1', 'd1']);
    await other.removed.gone('d1');
    await other.removed.look();
    expect([...other.removed.known]).toEqual(['d1']);
    await asked(url, "UPDATE removed_tables SET removed = now() - interval '2 days'");
    await other.removed.look();
    await other.removed.gone('d1');
    await other.removed.look();
    expect([...other.removed.known]).toEqual([]);
  });

  test('events are on one server or on replicas, as the first process said', async () => {
    const first = await open();
    expect(await first.isWhereEventsAre('replicas')).toBe(true);
    expect(await (await open()).isWhereEventsAre('server')).toBe(false);
    expect(await first.isWhereEventsAre('replicas')).toBe(true);
    // Before there were replicas.
    await asked(url, 'DELETE FROM events_place');
    const metadata = await openMetadataIn({ url });
    await metadata.datasets.create({ name: 'd', who: '' });
    await metadata.close();
    expect(await first.isWhereEventsAre('replicas')).toBe(false);
    expect(await first.isWhereEventsAre('server')).toBe(true);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { EngineError } from '../errors.js';
import { errorOf, waitUntil } from '../testing/engines.js';
import { ScriptedCluster, type ScriptedOptions, type ScriptedReplica } from '../testing/fake-cluster.js';
import type { InjectedFault } from '../testing/injected-fault.js';
import { insertOf, makeTable, rowsOf, scriptedDatabase, scriptedTimes } from '../testing/fake-rows.js';
import type { ClusterTimes } from './cluster-engine.js';
import { connectCluster } from './connect-cluster.js';

const times: ClusterTimes = { ...scriptedTimes, syncMilliseconds: 60 };
const database = scriptedDatabase;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/**
 * Three replicas and an engine over them, with tables `d1` to `d3`, whose leaders are the second,
 * the third and the first.
 */
async function open(options: Partial<ScriptedOptions> = {}, more: Partial<ClusterTimes> = {}) {
  let mishap: ScriptedOptions['mishap'] = () => undefined;
  const steps = new Set<() => void>();
  const cluster = new ScriptedCluster({
    replicas: 3,
    mishap: (sql) => mishap(sql),
    later: (step) => void steps.add(step),
    ...options,
  });
  const going = setInterval(() => cluster.replicate(), 1);
  const engine = await connectCluster(
    {
      urls: cluster.replicas.map(({ index }) => String(index)),
      user: 'u',
      password: 'p',
      database,
      owner: { id: 'owner', known: false },
      times: { ...times, ...more },
    },
    (url) => cluster.replicas[Number(url)]!,
  );
  ends.push(async () => {
    await engine.close();
    clearInterval(going);
  });
  for (const n of [1, 2, 3]) await makeTable(engine, n);
  return {
    cluster,
    engine,
    replicas: cluster.replicas as readonly [ScriptedReplica, ScriptedReplica, ScriptedReplica],
    /** Sets the faults of later statements. */
    set mishap(next: ScriptedOptions['mishap']) {
      mishap = next;
    },
    /** Executes the postponed statements. */
    late: () => {
      for (const step of steps) step();
      steps.clear();
    },
  };
}

/** Injects a fault once, into statements with this beginning. */
const injectOnce = (mishap: InjectedFault, begins = 'INSERT'): ScriptedOptions['mishap'] => {
  let left = 1;
  return (sql) => (sql.startsWith(begins) && left-- > 0 ? mishap : undefined);
};

describe('an insert', () => {
  const ends: readonly InjectedFault[] = [
    'refused',
    'cut before',
    'cut after',
    'cut, executed later',
    'half, then 999',
    { error: 'Code: 242' },
    { error: 'Code: 999' },
    { error: 'Code: 285' },
    { error: 'Code: 252' },
  ];

  it.each(ends.map((mishap) => [JSON.stringify(mishap), mishap] as const))(
    'that ends with %s is repeated, and stored once',
    async (_, mishap) => {
      const world = await open();
      world.mishap = injectOnce(mishap);
      await world.engine.insert(insertOf(1, [1, 2, 3], 'a'));
      world.late();
      expect(await rowsOf(world.engine, 1)).toEqual([1, 2, 3]);
      await waitUntil('all have it', () => world.replicas.every(({ copies }) => copies.get('d1')!.rows.length === 3));
    },
  );

  it('is refused for good only when nothing of it can still come', async () => {
    const world = await open();
    const mishaps: InjectedFault[] = ['cut, executed later', { error: 'Code: 16' }];
    world.mishap = (sql) => (sql.startsWith('INSERT') ? mishaps.shift() : undefined);
    const error = await errorOf(world.engine.insert(insertOf(1, [1], 'a')));
    expect([error.code, error.outcome]).toEqual(['unknown-column', 'refused']);
    world.late();
    expect(await rowsOf(world.engine, 1)).toEqual([]);
  });

  it('is not refused for good while an earlier try may still come from a replica that is away', async () => {
    const world = await open();
    let inserts = 0;
    world.mishap = (sql) => {
      if (!sql.startsWith('INSERT')) return undefined;
      inserts += 1;
      if (inserts > 1) return { error: 'Code: 16' };
      world.replicas[1].pause();
      return undefined;
    };
    const error = await errorOf(world.engine.insert(insertOf(1, [1], 'a')));
    expect(error.outcome).toBe('unknown');
    world.mishap = () => undefined;
    world.replicas[1].resume();
    await world.engine.insert(insertOf(1, [1], 'a'));
    expect(await rowsOf(world.engine, 1)).toEqual([1]);
  });

  it('fails at once without a quorum or without Keeper, and queries go on', async () => {
    const world = await open({}, { patienceMilliseconds: 60_000 });
    await world.engine.insert(insertOf(3, [1], 'a'));
    await waitUntil('all have it', () => world.replicas.every(({ copies }) => copies.get('d3')!.rows.length === 1));
    world.cluster.keeper = false;
    expect((await errorOf(world.engine.insert(insertOf(3, [2], 'b')))).code).toBe('unavailable');
    expect(await rowsOf(world.engine, 3)).toEqual([1]);
    world.cluster.keeper = true;
    world.replicas[1].kill();
    world.replicas[2].kill();
    const error = await errorOf(world.engine.insert(insertOf(3, [2], 'b')));
    expect([error.code, error.outcome]).toEqual(['unavailable', 'elsewhere']);
    expect(await rowsOf(world.engine, 3)).toEqual([1]);
    const answering = /of 3 ClickHouse replicas do not answer/;
    await waitUntil('it is known', () => answering.test(world.engine.health().reason ?? ''));
  });
});

describe('a leader', () => {
  it('that dies is replaced by one that has everything acknowledged', async () => {
    const world = await open();
    // The next leader has nothing yet.
    world.cluster.laggard = world.replicas[2];
    for (let i = 0; i < 20; i++) await world.engine.insert(insertOf(1, [i], `a${i}`));
    expect(world.replicas[2].copies.get('d1')!.rows).toEqual([]);
    world.replicas[1].kill();
    expect(await rowsOf(world.engine, 1)).toHaveLength(20);
    world.cluster.laggard = undefined;
    await world.engine.insert(insertOf(1, [20], 'b'));
    world.replicas[1].start();
    await waitUntil('it is the leader again', async () => {
      const before = world.replicas[1].executedStatements.length;
      await rowsOf(world.engine, 1);
      return world.replicas[1].executedStatements.slice(before).some((sql) => sql.startsWith('SELECT rows'));
    });
    expect(await rowsOf(world.engine, 1)).toHaveLength(21);
  });

  it('that is back fetches what it lacks before it leads: nothing waits for that', async () => {
    const world = await open();
    await world.engine.insert(insertOf(1, [1], 'a'));
    world.replicas[1].kill();
    await world.engine.insert(insertOf(1, [2], 'b'));
    let letGo = (): void => undefined;
    const fetched = new Promise<void>((resolve) => (letGo = resolve));
    let isSyncing = false;
    world.cluster.onSync = async (index) => {
      if (index !== 1) return;
      isSyncing = true;
      await fetched;
    };
    world.replicas[1].start();
    await waitUntil('it fetches', () => isSyncing);
    await world.engine.insert(insertOf(1, [3], 'c'));
    expect(await rowsOf(world.engine, 1)).toEqual([1, 2, 3]);
    expect(world.replicas[1].executedStatements.filter((sql) => sql.startsWith('SELECT rows'))).toEqual([]);
    letGo();
    await waitUntil('it is the leader again', async () => {
      await rowsOf(world.engine, 1);
      return world.replicas[1].executedStatements.some((sql) => sql.startsWith('SELECT rows'));
    });
    expect(await rowsOf(world.engine, 1)).toEqual([1, 2, 3]);
  });

  it('is never a replica that lacks what was confirmed: while only such a one is there, nothing is answered', async () => {
    const world = await open({}, { patienceMilliseconds: 100 });
    world.cluster.laggard = world.replicas[2];
    await world.engine.insert(insertOf(1, [1], 'a'));
    world.replicas[0].kill();
    world.replicas[1].kill();
    await waitUntil('both are missed', () => world.engine.health().reason?.startsWith('2 of 3') === true);
    expect((await errorOf(rowsOf(world.engine, 1))).code).toBe('unavailable');
    world.replicas[0].start();
    await waitUntil('it has what it lacked', () =>
      rowsOf(world.engine, 1).then(
        (rows) => rows.length === 1,
        () => false,
      ),
    );
    expect(world.replicas[2].copies.get('d1')!.rows).toEqual([1]);
  });

  it('a hanging reader is replaced and its statement retried', async () => {
    const world = await open();
    await world.engine.insert(insertOf(1, [1], 'a'));
    world.replicas[1].pause();
    expect(await rowsOf(world.engine, 1)).toEqual([1]);
    await world.engine.insert(insertOf(1, [2], 'b'));
    world.replicas[1].resume();
    expect(await rowsOf(world.engine, 1)).toEqual([1, 2]);
  });

  it('is queried about the tables of other replicas only when it has all of them', async () => {
    const world = await open();
    for (const table of [1, 2, 3]) await world.engine.insert(insertOf(table, [table], `a${table}`));
    const sql = 'SELECT rows FROM `m`.`d1` UNION ALL SELECT rows FROM `m`.`d2`';
    await world.engine.query(sql, { format: 'TabSeparated' });
    const syncs = world.replicas[1].executedStatements.filter((one) =>
      one.startsWith('SYSTEM SYNC REPLICA `m`.`d2`'),
    ).length;
    await world.engine.query(sql, { format: 'TabSeparated' });
    await world.engine.insert(insertOf(2, [22], 'b'));
    await world.engine.query(sql, { format: 'TabSeparated' });
    const again = world.replicas[1].executedStatements.filter((one) =>
      one.startsWith('SYSTEM SYNC REPLICA `m`.`d2`'),
    ).length;
    expect(again - syncs).toBe(1);
  });
});

describe('a definition', () => {
  it('is repeated when another came first', async () => {
    const world = await open();
    world.mishap = injectOnce({ error: 'Code: 517' }, 'ALTER');
    await world.engine.execute('ALTER TABLE `m`.`d1` ADD COLUMN IF NOT EXISTS x');
    expect(world.replicas[1].executedStatements.filter((sql) => sql.startsWith('ALTER'))).toHaveLength(1);
  });

  it('of a whole table reaches replicas that were away when they are back', async () => {
    const world = await open();
    world.replicas[0].kill();
    await waitUntil('it is missed', () => world.engine.health().reason !== undefined);
    await world.engine.execute('CREATE TABLE IF NOT EXISTS `m`.`d4` (rows)', {
      everywhere: true,
      defines: { database, table: 'd4' },
    });
    await world.engine.execute('ALTER TABLE `m`.`d1` MODIFY SETTING a = 1', { everywhere: true });
    await world.engine.execute('DROP TABLE IF EXISTS `m`.`d2` SYNC', { everywhere: true });
    const { copies, executedStatements: executed } = world.replicas[0];
    expect([copies.has('d4'), copies.has('d2')]).toEqual([false, true]);
    world.replicas[0].start();
    await waitUntil('it has done everything', () =>
      executed.some((sql) => sql.startsWith('DROP TABLE') && !copies.has('d2')),
    );
    expect(copies.has('d4')).toBe(true);
    expect(executed.filter((sql) => sql.startsWith('ALTER TABLE `m`.`d1`'))).toHaveLength(1);
  });

  it('that defines something waits for room on the disks of all replicas', async () => {
    const world = await open();
    world.replicas[2].isFull = true;
    const add = (): Promise<void> =>
      world.engine.execute('ALTER TABLE `m`.`d1` ADD COLUMN x', { defines: { database: 'm', table: 'd1' } });
    expect(await errorOf(add())).toMatchObject({ code: 'disk-full', outcome: 'elsewhere' });
    world.replicas[2].isFull = false;
    await add();
    expect(world.replicas[1].executedStatements.filter((sql) => sql.startsWith('ALTER'))).toHaveLength(1);
  });

  it('an interrupted table removal is completed by repairs and not undone', async () => {
    const world = await open();
    world.mishap = injectOnce('cut after', 'DROP');
    const drop = (): Promise<void> => world.engine.execute('DROP TABLE IF EXISTS `m`.`d2` SYNC', { everywhere: true });
    expect((await errorOf(drop())).outcome).toBe('unknown');
    const has = (): readonly boolean[] => world.replicas.map(({ copies }) => copies.has('d2'));
    await waitUntil('it is gone', () => !has().includes(true));
    await sleep(10 * times.stuckMilliseconds);
    expect(has()).toEqual([false, false, false]);
    await drop();
  });

  it('an insert with unknown outcome blocks inserts that it could overwrite', async () => {
    const world = await open();
    world.mishap = injectOnce('cut, executed later', 'ALTER');
    const error = await errorOf(
      world.engine.execute('ALTER TABLE `m`.`d1` DROP COLUMN IF EXISTS x', { apart: 'narrowing' }),
    );
    expect(error.outcome).toBe('unknown');
    await world.engine.insert(insertOf(1, [1], 'a'));
    world.late();
    await sleep(5);
    expect(world.replicas[1].executedStatements.filter((sql) => sql.startsWith('ALTER'))).toEqual([]);
  });
});

describe('a replica', () => {
  it('that lost its disk gets all tables again', async () => {
    const world = await open();
    await world.engine.insert(insertOf(1, [1, 2], 'a'));
    world.replicas[0].kill();
    world.replicas[0].loseDisk();
    world.replicas[0].start();
    await waitUntil('it has all tables', () => world.replicas[0].copies.size === 3);
    expect([...world.replicas[0].copies.keys()].toSorted()).toEqual(['d1', 'd2', 'd3']);
    await waitUntil('it has everything', () => world.replicas[0].copies.get('d1')!.rows.length === 2);
    await waitUntil('it may be a leader', () => world.engine.health().reason === undefined);
  });

  it('that lost its disk, and is killed when it has some of its tables again, gets the others', async () => {
    const world = await open();
    await world.engine.insert(insertOf(1, [1, 2], 'a'));
    const [lost] = world.replicas;
    lost.kill();
    lost.loseDisk();
    let made = 0;
    world.cluster.onStatement = (sql) => {
      if (sql.startsWith('CREATE TABLE') && ++made === 2) lost.kill();
    };
    lost.start();
    await waitUntil('it was killed', () => !lost.isUp);
    expect([1, 2]).toContain(lost.copies.size);
    lost.start();
    await waitUntil('it has all tables', () => lost.copies.size === 3);
    await waitUntil('it has everything', () => lost.copies.get('d1')!.rows.length === 2);
    await waitUntil('it may be a leader', () => world.engine.health().reason === undefined);
  });

  it('rebuilds a read-only table, and keeps its data until most replicas have it', async () => {
    const world = await open();
    await world.engine.insert(insertOf(1, [1, 2], 'a'));
    world.replicas[2].kill();
    world.replicas[0].makeStuck('d1');
    const kept: number[] = [];
    world.cluster.onStatement = (sql) => {
      if (sql.startsWith('DROP TABLE IF EXISTS `m`.`d1`'))
        kept.push(...[...world.replicas[0].rescuedRows.values()].flat());
    };
    await waitUntil('it was created again', () => world.replicas[0].copies.get('d1')?.isStuck === false);
    await waitUntil('it has everything', () => world.replicas[0].copies.get('d1')!.rows.length === 2);
    expect(world.replicas[0].executedStatements.some((sql) => sql.startsWith('SYSTEM RESTART REPLICA'))).toBe(true);
    expect(kept.toSorted()).toEqual([1, 2]);
    await waitUntil('nothing is kept', () => world.replicas[0].rescuedRows.size === 0);
  });

  it('rebuilds read-only tables of several replicas one after the other', async () => {
    const world = await open();
    await world.engine.insert(insertOf(1, [1, 2], 'a'));
    await waitUntil('all have it', () => world.replicas.every(({ copies }) => copies.get('d1')!.rows.length === 2));
    for (const replica of [world.replicas[0], world.replicas[1]]) replica.makeStuck('d1');
    await waitUntil('it is said', () => world.engine.health().reason !== undefined);
    expect(world.engine.health().reason).toBe('m.d1 takes no events: 2 of its 3 copies are read-only');
    // Other tables take inserts.
    expect(world.engine.health().isReadOnly).toBeUndefined();
    await waitUntil('all are well', () => world.replicas.every(({ copies }) => copies.get('d1')?.isStuck === false));
    await world.engine.insert(insertOf(1, [3], 'b'));
    expect(await rowsOf(world.engine, 1)).toEqual([1, 2, 3]);
    await waitUntil('all have all', () => world.replicas.every(({ copies }) => copies.get('d1')!.rows.length === 3));
    await waitUntil('nothing is kept', () => world.replicas.every(({ rescuedRows: kept }) => kept.size === 0));
  });

  it('whose table stays read-only keeps it while no other has all of it', async () => {
    const world = await open();
    world.cluster.laggard = world.replicas[2];
    await world.engine.insert(insertOf(1, [1, 2], 'a'));
    // The first and the second have it, and the third cannot fetch it.
    for (const replica of [world.replicas[0], world.replicas[1]]) replica.makeStuck('d1');
    await sleep(10 * times.stuckMilliseconds);
    expect(world.replicas.slice(0, 2).map(({ copies }) => copies.get('d1')!.rows.toSorted())).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});

it('names of replicas that cannot be right are refused in words', async () => {
  const cluster = new ScriptedCluster({ replicas: 2, mishap: () => undefined, later: () => undefined });
  const opening = connectCluster(
    {
      urls: ['http://a', 'http://b'],
      user: 'u',
      password: 'p',
      database,
      owner: { id: 'owner', known: false },
      times,
    },
    // Both addresses lead to the same server.
    () => cluster.replicas[0]!,
  );
  await expect(opening).rejects.toThrow('http://a and http://b are both called r1');
  expect(await opening.catch((error: unknown) => error instanceof EngineError)).toBe(false);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Engine } from '../engine.js';
import { EngineError } from '../errors.js';
import { waitUntil } from '../testing/engines.js';
import { ScriptedCluster, type ScriptedReplica } from '../testing/fake-cluster.js';
import type { InjectedFault } from '../testing/injected-fault.js';
import { ScriptedProcess } from '../testing/fake-process.js';
import { LocalCoordination } from './coordination.js';
import { connectCluster } from './connect-cluster.js';
import { caseCount } from '../../../../tests/support/depth.js';

/**
 * Random histories: clients insert and query while replicas are killed, hang, lose their disks and
 * get stuck, Keeper fails, and statements fail in every way observed in real servers. A client
 * repeats an insert under its token until it is confirmed; after a final rejection it compares and
 * sends a new insert. Every confirmed row is then in each result exactly once, and in the end on
 * each replica exactly once.
 */

const histories = Number(process.env['CLUSTER_HISTORIES'] ?? caseCount(4, 100));
const tables = 3;
const clients = 4;
const insertsOfClient = 12;

const times = {
  watchMilliseconds: 2,
  silentMilliseconds: 8,
  busyMilliseconds: 100,
  readOnlyMilliseconds: 8,
  stuckMilliseconds: 10,
  returnMilliseconds: 10,
  syncMilliseconds: 40,
  patienceMilliseconds: 40,
  pauseMilliseconds: 1,
  closeMilliseconds: 100,
};

/** Pseudo-random numbers from 0 to 1. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const mishaps: readonly InjectedFault[] = [
  'refused',
  'cut before',
  'cut after',
  'cut, executed later',
  'half, then 999',
  { error: 'Code: 16' },
  { error: 'Code: 242' },
  { error: 'Code: 252' },
  { error: 'Code: 285' },
  { error: 'Code: 341' },
  { error: 'Code: 517' },
  { error: 'Code: 999' },
];

/** In every second history: its rows may be there twice until the insert is confirmed. */
const withoutKeeper = [...mishaps, 'without Keeper'] as const;

const nameOf = (table: number): string => `d${table}`;

async function rowsOf(engine: Engine, table: number): Promise<readonly number[]> {
  const { body } = await engine.query(`SELECT rows FROM \`m\`.\`${nameOf(table)}\``, { format: 'TabSeparated' });
  return numbersIn(body);
}

const numbersIn = (body: Uint8Array): readonly number[] =>
  Buffer.from(body).toString('utf8').split('\n').slice(0, -1).map(Number);

/** Rows that most replicas have. */
async function certainRows(engine: Engine, table: number): Promise<readonly number[]> {
  const name = { database: 'm', table: nameOf(table) };
  const results = await engine.replication!.askMost(name, `SELECT rows FROM \`m\`.\`${nameOf(table)}\``, {
    format: 'TabSeparated',
  });
  const [first = [], ...others] = results.map(({ body }) => numbersIn(body));
  return first.filter((row) => others.every((rows) => rows.includes(row)));
}

/** Runs one history, and returns the errors found. */
async function history(seed: number, count: number): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const some: readonly InjectedFault[] = seed % 2 === 0 ? mishaps : withoutKeeper;
  const wrong: string[] = [];
  let isWild = false;
  const steps: (() => void)[] = [];
  const cluster = new ScriptedCluster({
    replicas: 3,
    mishap: (sql) => (isWild && !sql.startsWith('CREATE') && random() < 0.2 ? pick(some) : undefined),
    later: (step) => void steps.push(step),
  });
  const going = setInterval(() => {
    cluster.replicate();
    // One of them lags for a while, so that it matters which replica has which rows.
    if (!isWild) cluster.laggard = undefined;
    else if (random() < 0.02) cluster.laggard = random() < 0.9 ? pick(cluster.replicas) : undefined;
    if (random() < 0.2) steps.shift()?.();
  }, 1);
  const agreement = new LocalCoordination();
  const processes: { readonly process: ScriptedProcess; readonly engine: Engine }[] = [];
  for (let n = 0; n < count; n++) {
    const process = new ScriptedProcess();
    const engine = await connectCluster(
      {
        urls: cluster.replicas.map(({ index }) => String(index)),
        user: 'u',
        password: 'p',
        database: 'm',
        owner: { id: 'owner', known: n > 0, shared: count > 1 },
        agreement: process.agreesOn(agreement.member(`${n}`, count === 1)),
        times,
      },
      (url) => process.pathTo(cluster.replicas[Number(url)]!),
    );
    processes.push({ process, engine });
  }
  const [{ engine: first }] = processes as [(typeof processes)[0]];
  const confirmed = Array.from({ length: tables + 1 }, () => new Set<number>());
  let over = false;
  let lastRow = 0;

  /** Inserts rows as the storage does; resolves when they are stored. */
  async function insert(engine: Engine, table: number, rows: readonly number[], name: string): Promise<void> {
    let left = rows;
    for (let version = 0; left.length > 0; version++) {
      const outcome = await repeat(engine, table, left, `${name}-${version}`);
      if (outcome === 'confirmed') break;
      const present = await retryForever(() => certainRows(engine, table));
      left = left.filter((row) => !present.includes(row));
    }
    for (const row of rows) confirmed[table]!.add(row);
  }

  async function repeat(
    engine: Engine,
    table: number,
    rows: readonly number[],
    token: string,
  ): Promise<'confirmed' | 'refused'> {
    for (let repeated = false; ; repeated = true) {
      try {
        await engine.insert({
          table: { database: 'm', table: nameOf(table) },
          columns: [{ name: 'rows', type: 'UInt64' }],
          chunks: [Buffer.from(rows.join(' '))],
          token,
          repeated,
        });
        return 'confirmed';
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        if (error.outcome === 'refused') return 'refused';
      }
      await sleep(2);
    }
  }

  async function retryForever<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
      }
      await sleep(2);
    }
  }

  const client = async (name: number): Promise<void> => {
    const { engine } = processes[name % count]!;
    for (let i = 0; i < insertsOfClient; i++) {
      const rows = Array.from({ length: 1 + Math.floor(random() * 4) }, () => ++lastRow);
      await insert(engine, 1 + Math.floor(random() * tables), rows, `${name}-${i}`);
      if (random() < 0.1)
        await engine.execute(`ALTER TABLE \`m\`.\`${nameOf(1 + (i % tables))}\` ADD COLUMN x`).catch(() => undefined);
    }
  };

  const reader = async (): Promise<void> => {
    while (!over) {
      const table = 1 + Math.floor(random() * tables);
      const promised = [...confirmed[table]!];
      try {
        judge(`table ${table}`, promised, await rowsOf(pick(processes).engine, table));
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
      }
      await sleep(1);
    }
  };

  function judge(where: string, promised: readonly number[], rows: readonly number[]): void {
    const found = new Set(rows);
    const twice = rows.filter((row, i) => rows.indexOf(row) !== i);
    if (twice.some((row) => some === mishaps || promised.includes(row)))
      wrong.push(`${where}: ${twice.join(', ')} are there twice`);
    const missing = promised.filter((row) => !found.has(row));
    if (missing.length > 0) wrong.push(`${where}: ${missing.join(', ')} missing`);
  }

  const strikes: readonly ((replica: ScriptedReplica) => void)[] = [
    (replica) => replica.kill(),
    (replica) => replica.kill(),
    (replica) => replica.pause(),
    () => (cluster.keeper = false),
    ...(count === 1
      ? []
      : [
          ({ index }: ScriptedReplica) => void pick(processes).process.cut.add(index),
          ({ index }: ScriptedReplica) => void pick(processes).process.cut.add(index),
          () => pick(processes).process.sleep(),
          (replica: ScriptedReplica) => {
            pick(processes).process.sleep();
            replica.kill();
          },
        ]),
  ];
  /** These lose a copy, so the other replicas must have everything. */
  const losses: typeof strikes = [
    (replica) => {
      replica.kill();
      replica.loseDisk();
    },
    (replica) => replica.makeStuck(nameOf(1 + Math.floor(random() * tables))),
  ];

  const chaos = async (): Promise<void> => {
    while (!over) {
      await sleep(random() * 20);
      const replica = pick(cluster.replicas);
      if (cluster.replicas.every(isWhole) && random() < 0.3) pick(losses)(replica);
      else if (cluster.replicas.every(isThere)) pick(strikes)(replica);
      await sleep(random() * 30);
      cluster.keeper = true;
      replica.resume();
      replica.start();
      for (const { process } of processes) {
        process.cut.clear();
        process.wake();
      }
      await Promise.race([waitUntil('it is whole', () => cluster.replicas.every(isWhole), 2000), sleep(200)]).catch(
        () => undefined,
      );
    }
  };

  const isThere = ({ answers, copies }: ScriptedReplica): boolean =>
    answers && copies.size === tables && [...copies.values()].every(({ isStuck }) => !isStuck);
  const isWhole = (replica: ScriptedReplica): boolean =>
    replica.answers &&
    [1, 2, 3].every((table) => {
      const copy = replica.copies.get(nameOf(table));
      return copy !== undefined && !copy.isStuck && cluster.tables.get(nameOf(table))!.countMissingParts(copy) === 0;
    });

  try {
    for (let table = 1; table <= tables; table++)
      await first.execute(`CREATE TABLE IF NOT EXISTS \`m\`.\`${nameOf(table)}\` (rows)`, {
        everywhere: true,
        defines: { database: 'm', table: nameOf(table) },
      });
    isWild = true;
    const others = [reader(), reader(), chaos()];
    await Promise.all(Array.from({ length: clients }, (_, name) => client(name)));
    over = true;
    await Promise.all(others);
    isWild = false;
    for (const step of steps.splice(0)) step();
    await waitUntil('all replicas are whole', () => cluster.replicas.every(isWhole));
    for (let table = 1; table <= tables; table++) {
      const all = [...confirmed[table]!];
      for (const { engine } of processes)
        judge(`table ${table} in the end`, all, await retryForever(() => rowsOf(engine, table)));
      // Replicas that were unreachable drop unexpected parts later, on their own.
      for (const replica of cluster.replicas) replica.dropUnexpected();
      for (const replica of cluster.replicas)
        judge(`table ${table} of replica ${replica.index}`, all, replica.copies.get(nameOf(table))!.rows);
    }
    return wrong;
  } finally {
    for (const { process } of processes) process.wake();
    await Promise.all(processes.map(({ engine }) => engine.close()));
    clearInterval(going);
  }
}

it.each([1, 3].flatMap((count) => Array.from({ length: histories }, (_, seed) => [count, seed] as const)))(
  'processes: %i, history %i: what was confirmed is in every answer, and on each replica, once',
  async (count, seed) => {
    expect(await history(seed, count)).toEqual([]);
  },
  60_000,
);

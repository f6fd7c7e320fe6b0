import type { Leader, Leaders, ReachabilityVotes } from '@millrace/engine';
import type { Pool } from 'pg';
import { Singleflight } from '@millrace/runtime/async/singleflight';
import type { ReachableReplicas, ShardNamespace } from './shard-namespace.js';
import { problemOf } from './problem.js';

/** A process's report about replicas counts for this long, by the clock of the database. */
const countedSeconds = 10;
/** The report is repeated after this time. */
const repeatedSeconds = 2;

/** The process, and the shard it coordinates. */
export interface OfProcess {
  readonly epoch: bigint;
  readonly shard: ShardNamespace;
  readonly reachableReplicas: ReachableReplicas;
}

interface Row extends Leader {
  readonly class: number;
}

/**
 * The leader replicas of table groups, shared by all processes of a database: a row for each group,
 * changed only by compare-and-set. A change is committed before any process acts on it, so a leader
 * read after a response is never older than the one used for the response.
 */
export class TableLeaders implements Leaders {
  readonly #pool: Pool;
  readonly #epoch: bigint;
  readonly #shard: ShardNamespace;
  readonly #reachable: ReachableReplicas;
  readonly #all: Singleflight<ReadonlyMap<number, Leader>>;

  /** @param heard the replicas that this process reaches */
  constructor(pool: Pool, { epoch, shard, reachableReplicas: reachable }: OfProcess) {
    this.#pool = pool;
    this.#epoch = epoch;
    this.#shard = shard;
    this.#reachable = reachable;
    this.#all = new Singleflight(() => this.#read());
  }

  /** @throws MetadataError */
  async read(tableClass: number): Promise<Leader | undefined> {
    return (await this.#all.get()).get(this.#shard.class(tableClass));
  }

  /** Whether there ever was a leader. @throws MetadataError */
  async isAny(): Promise<boolean> {
    return [...(await this.#all.get()).keys()].some((number) => this.#shard.hasClass(number));
  }

  /** @throws MetadataError, also when it may have been replaced */
  async replace(
    tableClass: number,
    before: Leader | undefined,
    { replica, generation, state }: Leader,
  ): Promise<boolean> {
    const after = [this.#shard.class(tableClass), replica, generation, state];
    const { count } =
      before === undefined
        ? await this.#query('INSERT INTO table_homes VALUES ($1, $2, $3, $4) ON CONFLICT (class) DO NOTHING', after)
        : await this.#query(
            `UPDATE table_homes SET replica = $2, generation = $3, state = $4
             WHERE class = $1 AND replica = $5 AND generation = $6 AND state = $7`,
            [...after, before.replica, before.generation, before.state],
          );
    return count === 1;
  }

  /** @throws MetadataError */
  async vote(reachable: readonly string[]): Promise<ReachabilityVotes> {
    const { rows } = await this.#query<{ hears: readonly string[] }>(
      `WITH own AS (
         UPDATE nodes SET hears = $2, heard_at = now()
         WHERE epoch = $1 AND (hears IS DISTINCT FROM $2 OR heard_at < now() - interval '${repeatedSeconds} seconds'))
       SELECT hears FROM nodes WHERE epoch <> $1 AND heard_at > now() - interval '${countedSeconds} seconds'`,
      [String(this.#epoch), this.#reachable.note(this.#shard, reachable)],
    );
    const all = [reachable, ...rows.map(({ hears }) => this.#shard.own(hears))];
    return { voters: all.length, for: (replica) => all.filter((some) => some.includes(replica)).length };
  }

  async #read(): Promise<ReadonlyMap<number, Leader>> {
    const { rows } = await this.#query<Row>('SELECT class, replica, generation, state FROM table_homes', []);
    return new Map(rows.map(({ class: tableClass, ...leader }) => [tableClass, leader]));
  }

  async #query<R extends object>(
    statement: string,
    values: readonly unknown[],
  ): Promise<{ readonly rows: readonly R[]; readonly count: number | null }> {
    try {
      const { rows, rowCount } = await this.#pool.query<R>(statement, [...values]);
      return { rows, count: rowCount };
    } catch (error) {
      throw problemOf(error);
    }
  }
}

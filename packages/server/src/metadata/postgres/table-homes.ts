import type { Home, Homes, Votes } from '@millrace/engine';
import type { Pool } from 'pg';
import { SharedLook } from '../../async/shared-look.js';
import type { Heard, OfShard } from './of-shard.js';
import { problemOf } from './problem.js';

/** What a process says about replicas counts for so long, by the clock of the database. */
const countedSeconds = 10;
/** It says the same again after this time. */
const repeatedSeconds = 2;

/** Whose agreement it is, and about what. */
export interface OfProcess {
  readonly epoch: bigint;
  readonly shard: OfShard;
  readonly heard: Heard;
}

interface Row extends Home {
  readonly class: number;
}

/**
 * The homes of tables, which all processes that share a database agree on: a row for each class,
 * changed by whoever finds it as they read it. A change is committed before anybody acts on it, so
 * what is read later than an answer is never older.
 */
export class TableHomes implements Homes {
  readonly #pool: Pool;
  readonly #epoch: bigint;
  readonly #shard: OfShard;
  readonly #heard: Heard;
  readonly #all: SharedLook<ReadonlyMap<number, Home>>;

  /** @param heard by this process */
  constructor(pool: Pool, { epoch, shard, heard }: OfProcess) {
    this.#pool = pool;
    this.#epoch = epoch;
    this.#shard = shard;
    this.#heard = heard;
    this.#all = new SharedLook(() => this.#read());
  }

  /** @throws MetadataError */
  async read(tableClass: number): Promise<Home | undefined> {
    return (await this.#all.now()).get(this.#shard.class(tableClass));
  }

  /** Whether there ever was a home. @throws MetadataError */
  async isAny(): Promise<boolean> {
    return [...(await this.#all.now()).keys()].some((number) => this.#shard.hasClass(number));
  }

  /** @throws MetadataError, also when it may have been replaced */
  async replace(tableClass: number, before: Home | undefined, { replica, generation, state }: Home): Promise<boolean> {
    const after = [this.#shard.class(tableClass), replica, generation, state];
    const { count } =
      before === undefined
        ? await this.#ask('INSERT INTO table_homes VALUES ($1, $2, $3, $4) ON CONFLICT (class) DO NOTHING', after)
        : await this.#ask(
            `UPDATE table_homes SET replica = $2, generation = $3, state = $4
             WHERE class = $1 AND replica = $5 AND generation = $6 AND state = $7`,
            [...after, before.replica, before.generation, before.state],
          );
    return count === 1;
  }

  /** @throws MetadataError */
  async vote(heard: readonly string[]): Promise<Votes> {
    const { rows } = await this.#ask<{ hears: readonly string[] }>(
      `WITH own AS (
         UPDATE nodes SET hears = $2, heard_at = now()
         WHERE epoch = $1 AND (hears IS DISTINCT FROM $2 OR heard_at < now() - interval '${repeatedSeconds} seconds'))
       SELECT hears FROM nodes WHERE epoch <> $1 AND heard_at > now() - interval '${countedSeconds} seconds'`,
      [String(this.#epoch), this.#heard.note(this.#shard, heard)],
    );
    const all = [heard, ...rows.map(({ hears }) => this.#shard.own(hears))];
    return { voters: all.length, for: (replica) => all.filter((some) => some.includes(replica)).length };
  }

  async #read(): Promise<ReadonlyMap<number, Home>> {
    const { rows } = await this.#ask<Row>('SELECT class, replica, generation, state FROM table_homes', []);
    return new Map(rows.map(({ class: tableClass, ...home }) => [tableClass, home]));
  }

  async #ask<R extends object>(
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

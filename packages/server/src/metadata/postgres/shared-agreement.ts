import type { Agreement } from '@millrace/engine';
import type { Pool } from 'pg';
import { SharedLook } from '../../async/shared-look.js';
import type { Duty } from './duty.js';
import { problemOf } from './problem.js';
import { SharedRemovedTables } from './removed-tables.js';
import { type OfProcess, TableHomes } from './table-homes.js';

/** What processes agree on that share replicas and a database: in the database. */
export class SharedAgreement implements Agreement {
  readonly homes: TableHomes;
  readonly removed: SharedRemovedTables;
  readonly isAlone = false;
  readonly #pool: Pool;
  readonly #repairs: Duty;
  readonly #looks: SharedLook<boolean>;

  /**
   * @param pool for what is asked with every query and insert
   * @param repairs a lock of whoever repairs replicas
   */
  constructor(pool: Pool, repairs: Duty, of: OfProcess) {
    this.#pool = pool;
    this.#repairs = repairs;
    this.homes = new TableHomes(pool, of);
    this.removed = new SharedRemovedTables(pool, of.shard);
    // One at a time, and never more waiting than one, however long the database hangs.
    this.#looks = new SharedLook(async () => {
      await repairs.beat();
      return repairs.has;
    });
  }

  mayRepair(): Promise<boolean> {
    return this.#looks.now();
  }

  async end(): Promise<void> {
    await this.#looks.now();
    await this.#repairs.end();
    await this.#pool.end();
  }
}

/** Where the events are that processes share. */
export type EventsPlace = 'server' | 'replicas';

/**
 * Whether the events are where a process looks for them. The first process decides; before there
 * were replicas, it was always one server.
 * @throws MetadataError
 */
export async function isWhereEventsAre(pool: Pool, kind: EventsPlace): Promise<boolean> {
  try {
    await pool.query(
      `INSERT INTO events_place SELECT 1, CASE WHEN EXISTS (SELECT 1 FROM datasets) THEN 'server' ELSE $1 END
       ON CONFLICT (id) DO NOTHING`,
      [kind],
    );
    const { rows } = await pool.query<{ kind: string }>('SELECT kind FROM events_place');
    return rows[0]?.kind === kind;
  } catch (error) {
    throw problemOf(error);
  }
}

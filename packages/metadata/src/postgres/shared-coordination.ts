import type { Coordination } from '@millrace/engine';
import type { Pool } from 'pg';
import { Singleflight } from '@millrace/runtime/async/singleflight';
import type { LeaderElection } from './leader-election.js';
import { problemOf } from './problem.js';
import { SharedRemovedTables } from './removed-tables.js';
import { type OfProcess, TableLeaders } from './table-leaders.js';

/** Coordination in PostgreSQL, for processes that share replicas and a database. */
export class SharedCoordination implements Coordination {
  readonly leaders: TableLeaders;
  readonly removedTables: SharedRemovedTables;
  readonly isAlone = false;
  readonly #pool: Pool;
  readonly #repairs: LeaderElection;
  readonly #looks: Singleflight<boolean>;

  /**
   * @param pool for the queries that accompany each query and insert
   * @param repairs the lock of the process that repairs replicas
   */
  constructor(pool: Pool, repairs: LeaderElection, of: OfProcess) {
    this.#pool = pool;
    this.#repairs = repairs;
    this.leaders = new TableLeaders(pool, of);
    this.removedTables = new SharedRemovedTables(pool, of.shard);
    // At most one running and one waiting, however long the database hangs.
    this.#looks = new Singleflight(async () => {
      await repairs.heartbeat();
      return repairs.isLeader;
    });
  }

  mayRepair(): Promise<boolean> {
    return this.#looks.get();
  }

  async end(): Promise<void> {
    await this.#looks.get();
    await this.#repairs.end();
    await this.#pool.end();
  }
}

/** Where shared events are stored. */
export type EventsPlace = 'server' | 'replicas';

/**
 * Whether the events are stored where this process is configured to look for them. The first
 * process decides; before there were replicas, it was always one server.
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

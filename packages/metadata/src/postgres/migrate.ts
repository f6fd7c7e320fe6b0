import type { Pool, PoolClient } from 'pg';
import { MetadataError } from '../metadata-error.js';
import { migrations, tooNew, withRowIds } from '../migrations.js';
import { isLive } from './heartbeat.js';
import { privateTables } from './private-tables.js';
import { postgresStatement } from './statement.js';
import { IncompatibleDatabaseError } from './incompatible-database.js';

/** Number of steps of each list. */
interface Steps {
  readonly common: number;
  readonly own: number;
}

/** The migration steps that a program knows. */
export interface Program {
  readonly common: readonly (readonly string[])[];
  readonly own: readonly (readonly string[])[];
  /**
   * The fewest steps that another program must know to work with tables that have all of these: an
   * older node continues while its cluster is upgraded, if columns and tables were only added.
   * Raise it to the step that removes one or changes its meaning.
   */
  readonly oldest: Steps;
}

export const thisProgram: Program = {
  common: migrations.map((step) => (step === withRowIds ? [] : step)),
  own: privateTables,
  oldest: { common: 13, own: 6 },
};

/** Programs with this many common steps support shards. */
const stepOfShards = 14;

/** Whether a program knows all of these steps. */
export const supportsSteps = ({ common, own }: Program, steps: Steps): boolean =>
  steps.common <= common.length && steps.own <= own.length;

/** A newer program has changed the tables incompatibly. */
export const outdatedError = (): MetadataError =>
  new MetadataError('outdated', new Error('start a newer version of this node'));

interface How {
  readonly program?: Program;
  /** Whether a program may work with tables changed by a newer one, if the newer one allows it. */
  readonly mayBeOlder?: boolean;
}

/**
 * Runs the steps that a database lacks: those of `migrations.ts`, then the PostgreSQL ones. All in
 * one transaction: a crash leaves none of them, and concurrent migrations wait.
 * @throws IncompatibleDatabaseError when a newer program has written it, or running nodes could not
 * continue
 */
export async function migratePostgres(
  pool: Pool,
  { program = thisProgram, mayBeOlder = false }: How = {},
): Promise<void> {
  const { common, own, oldest } = program;
  const client = await pool.connect();
  try {
    await client.query('BEGIN; SELECT pg_advisory_xact_lock(1298951276, 2)');
    await client.query(
      'CREATE TABLE IF NOT EXISTS steps_taken (id BIGINT PRIMARY KEY CHECK (id = 1), common BIGINT NOT NULL, own BIGINT NOT NULL)',
    );
    const done = await stepsIn(client, 'steps_taken');
    if (!supportsSteps(program, done)) {
      if (!mayBeOlder || !supportsSteps(program, await stepsIn(client, 'works_with')))
        throw new IncompatibleDatabaseError(tooNew(done.common, common.length).message);
    } else if (done.common < common.length || done.own < own.length) {
      for (const statement of common.slice(done.common).flat()) await client.query(postgresStatement(statement));
      for (const statement of own.slice(done.own).flat()) await client.query(statement);
      await requireNobodyOlder(client, oldest);
      await write(client, 'steps_taken', { common: common.length, own: own.length });
      await write(client, 'works_with', greaterOf(oldest, await stepsIn(client, 'works_with')));
    }
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // Closing the connection ends the transaction.
    client.release(true);
    throw error;
  }
}

/**
 * From now on a program must support shards: an older one would create the tables of each dataset
 * on the only shard it knows.
 * @throws IncompatibleDatabaseError when running nodes do not support them
 */
export async function requireShards(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN; SELECT pg_advisory_xact_lock(1298951276, 2)');
    const min = await stepsIn(client, 'works_with');
    if (min.common < stepOfShards) {
      const needed = greaterOf(min, { common: stepOfShards, own: 0 });
      await requireNobodyOlder(client, needed);
      await write(client, 'works_with', needed);
    }
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** @throws IncompatibleDatabaseError */
async function requireNobodyOlder(client: PoolClient, { common, own }: Steps): Promise<void> {
  const { rows } = await client.query<{ name: string; version: string }>(
    `SELECT name, version FROM nodes WHERE (steps_common < $1 OR steps_own < $2) AND ${isLive} ORDER BY epoch`,
    [common, own],
  );
  if (rows.length === 0) return;
  const named = rows.map(({ name, version }) => `${name} (${version})`).join(', ');
  throw new IncompatibleDatabaseError(
    `older nodes are at work that cannot go on with this version: ${named}; stop them first`,
  );
}

const greaterOf = (one: Steps, other: Steps): Steps => ({
  common: Math.max(one.common, other.common),
  own: Math.max(one.own, other.own),
});

type Table = 'steps_taken' | 'works_with';

async function stepsIn(client: PoolClient, table: Table): Promise<Steps> {
  const { rows } = await client.query<Steps>(`SELECT common, own FROM ${table}`);
  return rows[0] ?? { common: 0, own: 0 };
}

const write = (client: PoolClient, table: Table, { common, own }: Steps) =>
  client.query(
    `INSERT INTO ${table} VALUES (1, $1, $2) ON CONFLICT (id) DO UPDATE SET common = excluded.common, own = excluded.own`,
    [common, own],
  );

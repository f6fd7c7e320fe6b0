import { Kysely, PostgresDialect } from 'kysely';
import type { Database, Tables } from '../database.js';
import type { Shared } from '../metadata.js';
import { Arrivals } from './arrivals.js';
import { oneWriterAtATime } from './clients.js';
import { connectionsTo, usualPatience } from './connect.js';
import { Duty } from './duty.js';
import { migratePostgres, requireShards } from './migrate.js';
import { Nodes } from './nodes.js';
import { Heard, OfShard } from './of-shard.js';
import { problemOf } from './problem.js';
import { Settled } from './settled.js';
import { type EventsPlace, isWhereEventsAre, SharedAgreement } from './shared-agreement.js';
import { PostgresTurns } from './turns.js';
import { PostgresUnfit } from './unfit.js';
import { Versions } from './versions.js';

/**
 * Statements at a time; a request needs one for some milliseconds, and PostgreSQL allows a hundred
 * by default.
 */
const connections = 10;
/** PostgreSQL 14 is the first that ends sessions which hang. */
const leastVersion = 140_000;

export interface Postgres {
  readonly database: Database;
  readonly shared: Shared;
  /** For processes that share more than the metadata. */
  readonly nodes: Nodes;
  /** @param epoch the number of this process among them */
  arrivals(epoch: bigint): Arrivals;
  /** @param name of what one of them has to do */
  openDuty(name: string): Promise<Duty>;
  /**
   * What processes agree on that share replicas.
   * @param cluster what they are called together
   * @param epoch the number of this one
   * @param shard whose replicas they are. Default: the first
   */
  openAgreement(cluster: string, epoch: bigint, shard?: number): Promise<SharedAgreement>;
  /**
   * Datasets may be on several shards from now on.
   * @throws PostgresUnfit when nodes are at work that do not know of shards
   */
  requireShards(): Promise<void>;
  /** @throws MetadataError */
  isWhereEventsAre(kind: EventsPlace): Promise<boolean>;
}

/**
 * Opens the metadata in a PostgreSQL database, and brings its tables up to date.
 * @param options.patience how long it may take for an answer, in milliseconds
 * @param options.mayBeOlder whether this program may go on over tables that a newer one has
 * changed, where that one says so
 * @throws MetadataError when it cannot be reached, PostgresUnfit, Error when a newer program has
 * written it
 */
export async function openPostgres(
  url: string,
  { patience = usualPatience, mayBeOlder = false }: { readonly patience?: number; readonly mayBeOlder?: boolean } = {},
): Promise<Postgres> {
  const pool = await connectionsTo(url, { max: connections, patience });
  // Apart from the others: whoever waits for a place among those must not keep requests from
  // finding out what is new.
  const kept = await connectionsTo(url, { max: 1, kept: true, patience });
  const close = async (): Promise<void> => {
    await Promise.all([pool.end(), kept.end()]);
  };
  try {
    const { rows } = await pool.query<{ version: string; commits: string }>(
      `SELECT current_setting('server_version_num') AS version, current_setting('synchronous_commit') AS commits`,
    );
    const [{ version, commits } = { version: '0', commits: '' }] = rows;
    if (Number(version) < leastVersion) throw new PostgresUnfit('it is too old; at least PostgreSQL 14 is needed');
    if (commits === 'off')
      throw new PostgresUnfit('its synchronous_commit is off, and what was acknowledged would be lost in a crash');
    await migratePostgres(pool, { mayBeOlder });
  } catch (error) {
    await close();
    throw error instanceof PostgresUnfit ? error : problemOf(error);
  }
  const settled = new Settled();
  const heard = new Heard();
  const shared: Shared = {
    follow: (changed) => {
      const versions = new Versions(kept, changed, settled);
      const look = () => versions.look();
      return { look, turns: (kind) => new PostgresTurns(kept, kind, look) };
    },
    close,
  };
  const openDuty = async (name: string): Promise<Duty> =>
    new Duty(await connectionsTo(url, { max: 1, kept: true, patience }), name);
  return {
    database: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: oneWriterAtATime(pool, patience) }) }),
    shared,
    nodes: new Nodes(pool),
    arrivals: (epoch) => new Arrivals(pool, settled, epoch),
    openDuty,
    // Apart as well: every query and every insert asks for homes.
    openAgreement: async (cluster, epoch, shard = 1) =>
      new SharedAgreement(
        await connectionsTo(url, { max: 2, kept: true, patience }),
        await openDuty(shard === 1 ? `repairs ${cluster}` : `repairs ${cluster} ${shard}`),
        { epoch, heard, shard: new OfShard(shard) },
      ),
    requireShards: () => requireShards(pool),
    isWhereEventsAre: (kind) => isWhereEventsAre(pool, kind),
  };
}

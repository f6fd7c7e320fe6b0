import { Kysely, PostgresDialect } from 'kysely';
import type { Database, Tables } from '../database.js';
import type { ProcessCoordination } from '../metadata.js';
import { PositionAllocator } from './position-allocator.js';
import { serializedWriterPool } from './clients.js';
import { connectionsTo, connectMilliseconds } from './connect.js';
import { LeaderElection } from './leader-election.js';
import { migratePostgres, requireShards } from './migrate.js';
import { Nodes } from './nodes.js';
import { ReachableReplicas, ShardNamespace } from './shard-namespace.js';
import { problemOf } from './problem.js';
import { requireSessions } from './require-sessions.js';
import { Watermark } from './watermark.js';
import { type EventsPlace, isWhereEventsAre, SharedCoordination } from './shared-coordination.js';
import { PostgresTurns } from './writer-lock.js';
import { IncompatibleDatabaseError } from './incompatible-database.js';
import { Versions } from './versions.js';

/**
 * Maximum concurrent statements; a request needs one for some milliseconds, and PostgreSQL allows a
 * hundred by default.
 */
const connections = 10;
/** PostgreSQL 14 is the first that ends hanging sessions. */
const minVersion = 140_000;

export interface Postgres {
  readonly database: Database;
  readonly shared: ProcessCoordination;
  /** For processes that also share events. */
  readonly nodes: Nodes;
  /** @param epoch number of this process */
  arrivals(epoch: bigint): PositionAllocator;
  /** @param name of the leader's task */
  openElection(name: string): Promise<LeaderElection>;
  /**
   * Coordination between processes that share replicas.
   * @param cluster name of the group of processes
   * @param epoch number of this process
   * @param shard of the replicas. Default: the first
   */
  openAgreement(cluster: string, epoch: bigint, shard?: number): Promise<SharedCoordination>;
  /**
   * Allows datasets on several shards from now on.
   * @throws IncompatibleDatabaseError when running nodes do not support shards
   */
  requireShards(): Promise<void>;
  /** @throws MetadataError */
  isWhereEventsAre(kind: EventsPlace): Promise<boolean>;
}

/**
 * Opens the metadata in a PostgreSQL database, and migrates its tables.
 * @param options.patience timeout of a response, in milliseconds
 * @param options.mayBeOlder whether this program may work with tables changed by a newer one, if
 * the newer one allows it
 * @throws MetadataError when it cannot be reached, IncompatibleDatabaseError, Error when a newer
 * program has written it
 */
export async function openPostgres(
  url: string,
  {
    patience = connectMilliseconds,
    mayBeOlder = false,
  }: { readonly patience?: number; readonly mayBeOlder?: boolean } = {},
): Promise<Postgres> {
  const pool = await connectionsTo(url, { max: connections, patience });
  // Separate from the others: requests must be able to check for changes while others wait for a
  // connection.
  const kept = await connectionsTo(url, { max: 1, kept: true, patience });
  // Both the stores and the program that opened them close the pools, which end only once.
  let closed: Promise<unknown> | undefined;
  const close = async (): Promise<void> => {
    closed ??= Promise.all([pool.end(), kept.end()]);
    await closed;
  };
  try {
    const { rows } = await pool.query<{ version: string; commits: string }>(
      `SELECT current_setting('server_version_num') AS version, current_setting('synchronous_commit') AS commits`,
    );
    const [{ version, commits } = { version: '0', commits: '' }] = rows;
    if (Number(version) < minVersion)
      throw new IncompatibleDatabaseError('it is too old; at least PostgreSQL 14 is needed');
    if (commits === 'off')
      throw new IncompatibleDatabaseError(
        'its synchronous_commit is off, and what was acknowledged would be lost in a crash',
      );
    await requireSessions(pool);
    await migratePostgres(pool, { mayBeOlder });
  } catch (error) {
    await close();
    throw error instanceof IncompatibleDatabaseError ? error : problemOf(error);
  }
  const watermark = new Watermark();
  const reachableReplicas = new ReachableReplicas();
  const shared: ProcessCoordination = {
    follow: (changed) => {
      const versions = new Versions(kept, changed, watermark);
      const check = () => versions.check();
      return { check, turns: (kind) => new PostgresTurns(kept, kind, check) };
    },
    close,
  };
  const openElection = async (name: string): Promise<LeaderElection> =>
    new LeaderElection(await connectionsTo(url, { max: 1, kept: true, patience }), name);
  return {
    database: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: serializedWriterPool(pool, patience) }) }),
    shared,
    nodes: new Nodes(pool),
    arrivals: (epoch) => new PositionAllocator(pool, watermark, epoch),
    openElection,
    // Separate pools as well: every query and every insert reads the leaders.
    openAgreement: async (cluster, epoch, shard = 1) =>
      new SharedCoordination(
        await connectionsTo(url, { max: 2, kept: true, patience }),
        await openElection(shard === 1 ? `repairs ${cluster}` : `repairs ${cluster} ${shard}`),
        { epoch, reachableReplicas, shard: new ShardNamespace(shard) },
      ),
    requireShards: () => requireShards(pool),
    isWhereEventsAre: (kind) => isWhereEventsAre(pool, kind),
  };
}

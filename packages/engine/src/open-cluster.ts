import type { Engine, QueryLimits } from './engine.js';
import type { Log } from './log.js';
import type { Owner } from './remote-claim.js';
import type { ClusterTimes } from './cluster/cluster-engine.js';
import type { Coordination } from './cluster/coordination.js';

export interface ClusterAddress {
  /** HTTP URLs of the ClickHouse servers, one per replica. */
  readonly urls: readonly string[];
  readonly user: string;
  readonly password: string;
  /** The database of all tables, on each replica; created if missing. */
  readonly database: string;
  readonly owner: Owner;
  readonly limits?: QueryLimits;
  /**
   * Coordination between the processes that use the cluster. Default: only this process uses it.
   */
  readonly agreement?: Coordination;
  /** How long to wait for replicas that do not respond yet. Default 60,000. */
  readonly startMilliseconds?: number;
  /** Minimum free disk space of each replica for changes of table metadata. Default 16 MiB. */
  readonly reserveBytes?: number;
  readonly times?: Partial<ClusterTimes>;
  readonly log?: Log;
}

/**
 * Opens a database of several ClickHouse replicas, over HTTP, for one owner alone. The
 * implementation is loaded by this call.
 * @throws UnreachableError if no replica responds; EngineError if none accepts this user;
 * ClaimError if a database cannot be this owner's; ClusterError
 */
export async function openCluster(address: ClusterAddress): Promise<Engine> {
  const { connectCluster } = await import('./cluster/connect-cluster.js');
  return connectCluster(address);
}

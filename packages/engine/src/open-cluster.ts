import type { Engine, QueryLimits } from './engine.js';
import type { Log } from './log.js';
import type { Owner } from './remote-claim.js';
import type { ClusterTimes } from './cluster/cluster-engine.js';
import type { Agreement } from './cluster/agreement.js';

export interface ClusterAddress {
  /** One for each replica, of the HTTP interface of a ClickHouse server. */
  readonly urls: readonly string[];
  readonly user: string;
  readonly password: string;
  /** The database that holds all tables, on each replica; made if it is missing. */
  readonly database: string;
  readonly owner: Owner;
  readonly limits?: QueryLimits;
  /** What those who use the cluster agree on. Default: only this process uses it. */
  readonly agreement?: Agreement;
  /** How long to wait for replicas that do not answer yet. Default 60,000. */
  readonly startMilliseconds?: number;
  /** No definition of a table changes while the disk of a replica has less room. Default 16 MiB. */
  readonly reserveBytes?: number;
  readonly times?: Partial<ClusterTimes>;
  readonly log?: Log;
}

/**
 * Opens a database that several ClickHouse replicas have, over HTTP, for one owner alone. Loaded
 * only when it is called.
 * @throws UnreachableError if no replica answers; EngineError if not to this user; ClaimError if a
 * database cannot be this owner's; ClusterError
 */
export async function openCluster(address: ClusterAddress): Promise<Engine> {
  const { connectCluster } = await import('./cluster/connect-cluster.js');
  return connectCluster(address);
}

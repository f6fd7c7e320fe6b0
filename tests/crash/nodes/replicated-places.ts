import { openPostgresServer, type PostgresServer } from '../../../packages/server/src/testing/postgres.ts';
import { type Cluster, login, openCluster } from '../../cluster/replicas.ts';
import { type Nodes, startNodes } from './places.ts';
import { openRelay, type Relay } from './relay.ts';

/**
 * Nodes over ClickHouse replicas with a Keeper, and a PostgreSQL server. Each node reaches each
 * replica over a way of its own.
 */
export interface ReplicatedPlaces extends Nodes {
  readonly cluster: Cluster;
  readonly postgres: PostgresServer;
  /** Of each node, to each replica. */
  readonly relays: readonly (readonly Relay[])[];
  /** @param keep what the replicas have on disk, to be looked at */
  end(keep?: boolean): Promise<void>;
}

/** @throws CannotReplicate */
export async function openReplicatedPlaces(count = 3): Promise<ReplicatedPlaces> {
  const [postgres, cluster] = await Promise.all([openPostgresServer(), openCluster()]);
  const database = await postgres.place();
  const relays = await Promise.all(
    Array.from({ length: count }, () => Promise.all(cluster.replicas.map(({ port }) => openRelay(port)))),
  );
  const nodes = await startNodes(count, (n) => ({
    MILLRACE_CLICKHOUSE_URL: relays[n]!.map(({ url }) => url).join(','),
    MILLRACE_CLICKHOUSE_USER: login.user,
    MILLRACE_CLICKHOUSE_PASSWORD: login.password,
    MILLRACE_DATABASE_URL: database,
    MILLRACE_ACCEPT_TIMEOUT: '10s',
  }));
  return {
    ...nodes,
    cluster,
    postgres,
    relays,
    end: async (keep = false) => {
      await nodes.end();
      await Promise.all([postgres.end(), cluster.end(keep), ...relays.flat().map((relay) => relay.end())]);
    },
  };
}

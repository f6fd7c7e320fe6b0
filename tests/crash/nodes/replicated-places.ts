import { queryPostgres, openPostgresServer, type PostgresServer } from '@millrace/metadata/testing/postgres';
import { type Cluster, login, openCluster, type Replica } from '../../cluster/replicas.ts';
import { elseEnd, type Nodes, type Own, startNodes } from './places.ts';
import { openRelay, type Relay } from './relay.ts';

/** The way of a node to each replica. */
type Ways = Map<Replica, Relay>;

/**
 * Nodes over ClickHouse replicas with a Keeper, and a PostgreSQL server. Each node reaches each
 * replica over a separate proxy.
 */
export interface ReplicatedPlaces extends Nodes {
  readonly cluster: Cluster;
  readonly postgres: PostgresServer;
  /** Proxies by node. */
  readonly ways: readonly ReadonlyMap<Replica, Relay>[];
  /** Starts another replica. Nodes know it when they are started again. */
  add(): Promise<Replica>;
  /** Whether tables are at home there. */
  isHome(replica: Replica): Promise<boolean>;
  /** Nodes started from now on do not know it. It keeps running. */
  forget(replica: Replica): void;
  /** @param keep whether to keep the replicas' files for inspection */
  end(keep?: boolean): Promise<void>;
}

interface Opening {
  readonly nodes?: number;
  readonly shards?: number;
  /** Settings of the nodes at their first start. */
  readonly first?: Own;
}

/** @throws CannotReplicate */
export async function openReplicatedPlaces(opening: Opening = {}): Promise<ReplicatedPlaces> {
  const { nodes: count = 3, shards = 1, first } = opening;
  const [postgres, cluster] = await Promise.all([openPostgresServer(), openCluster({ shards })]);
  const database = await postgres.place();
  const ways = Array.from({ length: count }, (): Ways => new Map());
  const relays: Relay[] = [];
  const connect = async (replica: Replica): Promise<void> => {
    for (const way of ways) {
      const relay = await openRelay(replica.port);
      relays.push(relay);
      way.set(replica, relay);
    }
  };
  for (const replica of cluster.replicas) await connect(replica);
  const addresses = (n: number): string => {
    const urls = cluster.shards.map((replicas) => replicas.flatMap((replica) => ways[n]!.get(replica)?.url ?? []));
    return urls.map((shard) => shard.join(',')).join('; ');
  };
  const settingsOf = (n: number) => ({
    MILLRACE_CLICKHOUSE_URL: addresses(n),
    MILLRACE_CLICKHOUSE_USER: login.user,
    MILLRACE_CLICKHOUSE_PASSWORD: login.password,
    MILLRACE_DATABASE_URL: database,
    MILLRACE_ACCEPT_TIMEOUT: '10s',
  });
  const endOthers = async (keep = false): Promise<void> =>
    void (await Promise.all([postgres.end(), cluster.end(keep), ...relays.map((relay) => relay.end())]));
  const nodes = await elseEnd(startNodes(count, settingsOf, first), endOthers);
  return {
    ...nodes,
    cluster,
    postgres,
    ways,
    add: async () => {
      const replica = await cluster.add();
      await connect(replica);
      return replica;
    },
    isHome: async ({ name }) =>
      (await queryPostgres(database, `SELECT FROM table_homes WHERE replica = '${name}' AND state = 'ready'`)).length >
      0,
    forget: (replica) => ways.forEach((way) => way.delete(replica)),
    end: async (keep = false) => {
      await nodes.end();
      await endOthers(keep);
    },
  };
}

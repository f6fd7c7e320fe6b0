import { clickHouseLogin } from '../../../packages/engine/src/testing/clickhouse.ts';
import { type HttpFront, openHttpFront } from '../../../packages/engine/src/testing/http-front.ts';
import { openPostgresServer, type PostgresServer } from '../../../packages/server/src/testing/postgres.ts';
import { documentedGrants } from '../../support/clickhouse-rights.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from '../../support/server-process.ts';

/**
 * Three nodes, a ClickHouse server behind a proxy that can cut connections, and a PostgreSQL
 * server.
 */
export interface Places {
  readonly nodes: readonly ServerProcess[];
  readonly front: HttpFront;
  readonly postgres: PostgresServer;
  /** Of every node. */
  readonly settings: Readonly<Record<string, string>>;
  /** Starts a node anew; the one before has ended. */
  restart(n: number): Promise<void>;
  end(): Promise<void>;
}

export async function openPlaces(count = 3, more: Readonly<Record<string, string>> = {}): Promise<Places> {
  const directories = Array.from({ length: count }, temporaryDirectory);
  const [postgres, front] = await Promise.all([openPostgresServer(), openHttpFront({ grants: documentedGrants })]);
  const database = await postgres.place();
  const settings = {
    MILLRACE_LOG_LEVEL: 'warn',
    MILLRACE_NODES: 'shared',
    MILLRACE_CLICKHOUSE_URL: front.url,
    MILLRACE_CLICKHOUSE_USER: clickHouseLogin.user,
    MILLRACE_CLICKHOUSE_PASSWORD: clickHouseLogin.password,
    MILLRACE_DATABASE_URL: database,
    MILLRACE_ACCEPT_TIMEOUT: '3s',
    ...more,
  };
  const start = (n: number): Promise<ServerProcess> => startServer(directories[n]!, settings);
  // All at once, over databases that are empty.
  const nodes = await Promise.all(directories.map((_, n) => start(n)));
  return {
    nodes,
    front,
    postgres,
    settings,
    restart: async (n) => void (nodes[n] = await start(n)),
    end: async () => {
      await Promise.all(nodes.map((each) => each.kill()));
      await Promise.all([postgres.end(), front.end()]);
      directories.forEach(removeDirectory);
    },
  };
}

import { clickHouseLogin } from '../../../packages/engine/src/testing/clickhouse.ts';
import { type HttpFront, openHttpFront } from '../../../packages/engine/src/testing/http-front.ts';
import { openPostgresServer, type PostgresServer } from '@millrace/metadata/testing/postgres';
import { documentedGrants } from '../../support/clickhouse-rights.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from '../../support/server-process.ts';

/** Settings specific to one node. */
export interface Own {
  readonly settings?: Readonly<Record<string, string>>;
  /** The command of another version. */
  readonly program?: string;
}

/** Processes that share the events, each with a separate directory. */
export interface Nodes {
  readonly nodes: readonly ServerProcess[];
  /** Starts a node again, after its previous process has ended. */
  restart(n: number, own?: Own): Promise<void>;
  end(): Promise<void>;
}

/**
 * Three nodes, a ClickHouse server behind a proxy that can cut connections, or several as shards,
 * and a PostgreSQL server.
 */
export interface Places extends Nodes {
  /** Front of the first shard. */
  readonly front: HttpFront;
  readonly fronts: readonly HttpFront[];
  readonly postgres: PostgresServer;
  /** Common settings of the nodes. */
  readonly settings: Readonly<Record<string, string>>;
}

/** On a machine that much else uses a start may take minutes. */
const maxStarts = 12;

/**
 * @param settingsOf settings of a node, which name the shared servers
 * @param first settings of the first start
 */
export async function startNodes(
  count: number,
  settingsOf: (n: number) => Readonly<Record<string, string>>,
  first?: Own,
): Promise<Nodes> {
  const directories = Array.from({ length: count }, temporaryDirectory);
  const common = { MILLRACE_LOG_LEVEL: 'warn', MILLRACE_NODES: 'shared' };
  const start = async (n: number, { settings: more, ...other }: Own = {}): Promise<ServerProcess> => {
    const settings = { ...common, ...settingsOf(n), ...more };
    // Restarts a node that takes too long or ends because a replica is too slow, as a service
    // manager does.
    for (let attempt = 1; ; attempt++)
      try {
        return await startServer(directories[n]!, settings, other);
      } catch (error) {
        if (attempt === maxStarts || !/no server after|does not answer any more/.test(String(error))) throw error;
      }
  };
  const nodes: ServerProcess[] = [];
  let isOver = false;
  const restart = async (n: number, own?: Own): Promise<void> => {
    if (isOver) throw new Error('the nodes have ended');
    nodes[n] = await start(n, own);
  };
  const end = async (): Promise<void> => {
    isOver = true;
    await Promise.all(nodes.map((each) => each.kill()));
    directories.forEach(removeDirectory);
  };
  // All at once, over databases that are empty.
  const starts = await Promise.allSettled(directories.map((_, n) => restart(n, first)));
  for (const each of starts)
    if (each.status === 'rejected') {
      await end();
      throw each.reason;
    }
  return { nodes, restart, end };
}

/** Ends processes started before, if the nodes do not start. */
export async function elseEnd(starting: Promise<Nodes>, end: () => Promise<void>): Promise<Nodes> {
  try {
    return await starting;
  } catch (error) {
    await end();
    throw error;
  }
}

export async function openPlaces(count = 3, more: Readonly<Record<string, string>> = {}, shards = 1): Promise<Places> {
  const [postgres, ...fronts] = await Promise.all([
    openPostgresServer(),
    ...Array.from({ length: shards }, () => openHttpFront({ grants: documentedGrants })),
  ]);
  const settings = {
    MILLRACE_CLICKHOUSE_URL: fronts.map(({ url }) => url).join('; '),
    MILLRACE_CLICKHOUSE_USER: clickHouseLogin.user,
    MILLRACE_CLICKHOUSE_PASSWORD: clickHouseLogin.password,
    MILLRACE_DATABASE_URL: await postgres.place(),
    MILLRACE_ACCEPT_TIMEOUT: '3s',
    ...more,
  };
  const endOthers = async (): Promise<void> =>
    void (await Promise.all([postgres.end(), ...fronts.map((front) => front.end())]));
  const nodes = await elseEnd(
    startNodes(count, () => settings),
    endOthers,
  );
  return {
    ...nodes,
    front: fronts[0]!,
    fronts,
    postgres,
    settings,
    end: async () => {
      await nodes.end();
      await endOthers();
    },
  };
}

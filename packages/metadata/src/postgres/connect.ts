import type { Pool, PoolConfig } from 'pg';
import { unescapeNul } from './escape-nul.js';
import { clientsOf, hostsOf, PrimaryHost } from './hosts.js';

/** A network partition, or a server that hangs, must not block callers. */
export const connectMilliseconds = 10_000;

/** Type IDs of columns in PostgreSQL. */
const [int8, text] = [20, 25];

/** Share of the timeout for finding the host that accepts writes. */
const probeShare = 0.4;

const timeouts = (patience: number) => ({ connectionTimeoutMillis: patience, query_timeout: patience });

interface Connections {
  /** Maximum open connections. */
  readonly max: number;
  /** Whether idle connections stay open, because they hold locks. */
  readonly kept?: boolean;
  /** Timeout of a connection, and of a response, in milliseconds. */
  readonly patience: number;
}

/** Connections to the database, opened on demand. */
export async function connectionsTo(url: string, { max, kept = false, patience }: Connections): Promise<Pool> {
  // Loaded on demand: most servers have no such database.
  const { default: pg } = await import('pg');
  const types: PoolConfig['types'] = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
      if (oid === int8) return Number;
      if (oid === text) return unescapeNul;
      return pg.types.getTypeParser(oid, format as 'text');
    }) as typeof pg.types.getTypeParser,
  };
  const hosts = hostsOf(url);
  const primary = new PrimaryHost(
    hosts,
    (connectionString) => new pg.Client({ connectionString, ...timeouts(probeShare * patience) }),
  );
  const pool = new pg.Pool({
    connectionString: hosts.urls[0]!,
    ...(hosts.isReadWrite && { Client: clientsOf(pg.Client, primary) }),
    max,
    types,
    keepAlive: true,
    ...timeouts(patience),
    application_name: 'millrace',
    // A process that stops in the middle must not keep its locks indefinitely.
    ...(kept && {
      idleTimeoutMillis: 0,
      onConnect: async (client) => void (await client.query("SET idle_session_timeout = '60s'")),
    }),
  });
  // A connection that breaks while idle is replaced; one in use fails its statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

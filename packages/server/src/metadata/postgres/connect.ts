import type { Pool, PoolConfig } from 'pg';
import { stored } from './exact-texts.js';

/** A partition, or a server that hangs, must not hang those who ask it. */
export const usualPatience = 10_000;

/** Types of columns, by their numbers in PostgreSQL. */
const [int8, text] = [20, 25];

interface Connections {
  /** How many at a time. */
  readonly max: number;
  /** Whether they are kept while nobody uses them, because they hold something. */
  readonly kept?: boolean;
  /** How long a connection, and an answer, may take; milliseconds. */
  readonly patience: number;
}

/** Connections to the database, made when they are needed. */
export async function connectionsTo(url: string, { max, kept = false, patience }: Connections): Promise<Pool> {
  // Loaded where it is needed: most servers have no such database.
  const { default: pg } = await import('pg');
  const types: PoolConfig['types'] = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
      if (oid === int8) return Number;
      if (oid === text) return stored;
      return pg.types.getTypeParser(oid, format as 'text');
    }) as typeof pg.types.getTypeParser,
  };
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    keepAlive: true,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    application_name: 'millrace',
    // A process that stops in the middle must not keep its locks for ever.
    ...(kept && {
      idleTimeoutMillis: 0,
      onConnect: async (client) => void (await client.query("SET idle_session_timeout = '60s'")),
    }),
  });
  // A connection that breaks while nobody uses it is replaced; one that is in use fails its
  // statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

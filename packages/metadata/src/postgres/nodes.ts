import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { isLive, liveSeconds } from './heartbeat.js';
import { thisProgram } from './migrate.js';
import { problemOf } from './problem.js';

/** A node. */
export interface NodeRecord {
  /** The number assigned at its start; unique. */
  readonly epoch: number;
  readonly name: string;
  readonly version: string;
  /** Its address; empty before it listens. */
  readonly url: string;
  readonly started: string;
  /** Time of its last heartbeat. */
  readonly seen: string;
  /** Whether that was recent. */
  readonly live: boolean;
}

/** Result of a heartbeat. */
interface Heartbeat {
  /** How many processes are live. */
  readonly live: number;
  /** Whether the number is still the process's own: a restored database may have forgotten it. */
  readonly known: boolean;
  /** The database's time, milliseconds. */
  readonly time: number;
  /** How many shards every live process uses. */
  readonly sharedShards: number;
  /** Addresses of all shards as in the setting; empty if no process has recorded any. */
  readonly shards: readonly string[];
}

/** Ended nodes are listed for a day. */
const listedHours = 24;

/** The nodes that share a database. Only the numbers of events depend on it. */
export class Nodes {
  readonly #pool: Pool;
  readonly #life = randomUUID();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Registers this process; returns its number.
   * @throws MetadataError
   */
  async enter({ name, version }: Pick<NodeRecord, 'name' | 'version'>): Promise<bigint> {
    const [row] = await this.#query<{ epoch: number }>(
      `INSERT INTO nodes (name, version, url, life, steps_common, steps_own)
       VALUES ($1, $2, '', $3, $4, $5) RETURNING epoch`,
      [name, version, this.#life, String(thisProgram.common.length), String(thisProgram.own.length)],
    );
    return BigInt(row!.epoch);
  }

  /**
   * Sends a heartbeat.
   * @param shards how many this process uses
   */
  async recordHeartbeat(epoch: bigint, url: string, shards: number): Promise<Heartbeat> {
    const [row] = await this.#query<Heartbeat>(
      `WITH own AS (UPDATE nodes SET seen = now(), url = $2, shards = $4 WHERE epoch = $1 AND life = $3 RETURNING 1)
       SELECT count(*) FILTER (WHERE epoch <> $1 AND ${isLive}) + 1 AS live, EXISTS (SELECT 1 FROM own) AS known,
         CAST(extract(epoch FROM now()) * 1000 AS DOUBLE PRECISION) AS time,
         LEAST(CAST($4 AS BIGINT), min(shards) FILTER (WHERE epoch <> $1 AND ${isLive})) AS "sharedShards",
         ARRAY(SELECT addresses FROM event_shards ORDER BY number) AS shards FROM nodes`,
      [String(epoch), url, this.#life, String(shards)],
    );
    return row!;
  }

  /**
   * Records the addresses of the shards that this process uses.
   * @param addresses of each shard, as in the setting
   */
  async recordShards(addresses: readonly string[]): Promise<void> {
    await this.#query(
      `INSERT INTO event_shards (number, addresses)
       SELECT number, addresses FROM unnest(CAST($1 AS TEXT[])) WITH ORDINALITY AS own (addresses, number)
       ON CONFLICT (number) DO UPDATE SET addresses = excluded.addresses`,
      [addresses],
    );
  }

  /**
   * The addresses of all recorded shards. Those beyond the ones of this process are forgotten when
   * no dataset is on them and no other live process uses them.
   * @param own how many shards this process names
   */
  async listShards(epoch: bigint, own: number): Promise<readonly string[]> {
    await this.#query(
      `DELETE FROM event_shards WHERE number > $2
       AND number > (SELECT COALESCE(max(shards), 1) FROM nodes WHERE epoch <> $1 AND ${isLive})
       AND number > (SELECT COALESCE(max(shard), 1) FROM datasets)
       AND number > (SELECT COALESCE(max(shard), 1) FROM dropped_datasets)`,
      [String(epoch), String(own)],
    );
    const rows = await this.#query<{ addresses: string }>('SELECT addresses FROM event_shards ORDER BY number', []);
    return rows.map((row) => row.addresses);
  }

  /** Live nodes and recent ones, newest first. */
  list(): Promise<readonly NodeRecord[]> {
    return this.#query<NodeRecord>(
      `SELECT epoch, name, version, url, ${instant('started')} AS started, ${instant('seen')} AS seen, ${isLive} AS live
       FROM nodes WHERE seen > now() - interval '${listedHours} hours' ORDER BY epoch DESC`,
      [],
    );
  }

  /** Records that a process has ended. */
  async leave(epoch: bigint): Promise<void> {
    await this.#query(
      `UPDATE nodes SET seen = least(seen, now() - interval '${liveSeconds} seconds') WHERE epoch = $1`,
      [String(epoch)],
    );
  }

  async #query<Row extends object>(
    statement: string,
    values: readonly (string | readonly string[])[],
  ): Promise<readonly Row[]> {
    try {
      return (await this.#pool.query<Row>(statement, [...values])).rows;
    } catch (error) {
      throw problemOf(error);
    }
  }
}

const instant = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

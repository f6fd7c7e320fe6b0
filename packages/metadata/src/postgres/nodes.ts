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
   * Sends a heartbeat; returns how many processes are live, whether the number is still its own (a
   * restored database may have forgotten it), and the database's time, in milliseconds.
   */
  async beat(
    epoch: bigint,
    url: string,
  ): Promise<{ readonly live: number; readonly known: boolean; readonly time: number }> {
    const [row] = await this.#query<{ live: number; known: boolean; time: number }>(
      `WITH own AS (UPDATE nodes SET seen = now(), url = $2 WHERE epoch = $1 AND life = $3 RETURNING 1)
       SELECT count(*) FILTER (WHERE epoch <> $1 AND ${isLive}) + 1 AS live, EXISTS (SELECT 1 FROM own) AS known,
         CAST(extract(epoch FROM now()) * 1000 AS DOUBLE PRECISION) AS time FROM nodes`,
      [String(epoch), url, this.#life],
    );
    return row!;
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

  async #query<Row extends object>(statement: string, values: readonly string[]): Promise<readonly Row[]> {
    try {
      return (await this.#pool.query<Row>(statement, [...values])).rows;
    } catch (error) {
      throw problemOf(error);
    }
  }
}

const instant = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

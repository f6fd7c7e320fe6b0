import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { isLive, liveSeconds } from './live.js';
import { thisProgram } from './migrate.js';
import { problemOf } from './problem.js';

/** A process that shares the events with others. */
export interface NodeRecord {
  /** The number it was given when it started; no other ever has it. */
  readonly epoch: number;
  readonly name: string;
  readonly version: string;
  /** Where it listens; empty before it does. */
  readonly url: string;
  readonly started: string;
  /** When it was heard of last. */
  readonly seen: string;
  /** Whether that was lately. */
  readonly live: boolean;
}

/** Those that are gone are listed for a day. */
const listedHours = 24;

/** The list of the processes that share a database. Of events only their numbers depend on it. */
export class Nodes {
  readonly #pool: Pool;
  readonly #life = randomUUID();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Enters this process; returns its number.
   * @throws MetadataError
   */
  async enter({ name, version }: Pick<NodeRecord, 'name' | 'version'>): Promise<bigint> {
    const [row] = await this.#ask<{ epoch: number }>(
      `INSERT INTO nodes (name, version, url, life, steps_common, steps_own)
       VALUES ($1, $2, '', $3, $4, $5) RETURNING epoch`,
      [name, version, this.#life, String(thisProgram.common.length), String(thisProgram.own.length)],
    );
    return BigInt(row!.epoch);
  }

  /**
   * Says that a process is there; returns how many are, whether the number is still its own (a
   * database that was put back may have forgotten that), and the database's time, in milliseconds.
   */
  async beat(
    epoch: bigint,
    url: string,
  ): Promise<{ readonly live: number; readonly known: boolean; readonly time: number }> {
    const [row] = await this.#ask<{ live: number; known: boolean; time: number }>(
      `WITH own AS (UPDATE nodes SET seen = now(), url = $2 WHERE epoch = $1 AND life = $3 RETURNING 1)
       SELECT count(*) FILTER (WHERE epoch <> $1 AND ${isLive}) + 1 AS live, EXISTS (SELECT 1 FROM own) AS known,
         CAST(extract(epoch FROM now()) * 1000 AS DOUBLE PRECISION) AS time FROM nodes`,
      [String(epoch), url, this.#life],
    );
    return row!;
  }

  /** Those that are there, and those that were lately; the newest first. */
  list(): Promise<readonly NodeRecord[]> {
    return this.#ask<NodeRecord>(
      `SELECT epoch, name, version, url, ${instant('started')} AS started, ${instant('seen')} AS seen, ${isLive} AS live
       FROM nodes WHERE seen > now() - interval '${listedHours} hours' ORDER BY epoch DESC`,
      [],
    );
  }

  /** Says that a process has ended. */
  async leave(epoch: bigint): Promise<void> {
    await this.#ask(`UPDATE nodes SET seen = least(seen, now() - interval '${liveSeconds} seconds') WHERE epoch = $1`, [
      String(epoch),
    ]);
  }

  async #ask<Row extends object>(statement: string, values: readonly string[]): Promise<readonly Row[]> {
    try {
      return (await this.#pool.query<Row>(statement, [...values])).rows;
    } catch (error) {
      throw problemOf(error);
    }
  }
}

const instant = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

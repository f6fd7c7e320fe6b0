import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import type { Connection } from '../database.js';
import { isLive } from './heartbeat.js';
import { outdatedError, thisProgram } from './migrate.js';
import { problemOf } from './problem.js';
import type { Watermark } from './watermark.js';

/** Batches that a process inserts together: all positions from the first to the last. */
export interface Arrival {
  readonly first: bigint;
  readonly last: bigint;
}

/** An insert in flight at the last check. */
export interface InflightInsert extends Arrival {
  readonly datasetId: number;
  /** Rows of each batch. */
  readonly sizes: readonly number[];
}

/** Batches that were stored recently. */
interface StoredBatch extends Arrival {
  readonly datasetId: number;
  readonly rows: number;
}

/**
 * A position whose allocation got no response is unknown to its process once it is older than any
 * response that may still arrive.
 */
const strayMilliseconds = 30_000;
/** Finished inserts can be counted again for this long. */
const keptMinutes = 10;

/** A program that cannot work with the changes of a newer one allocates nothing. */
const allocateStatement = `
  WITH taken AS (
    UPDATE arrival_order SET last = last + CAST($3 AS BIGINT)
    WHERE NOT EXISTS (SELECT 1 FROM works_with WHERE common > $4 OR own > $5) RETURNING last)
  INSERT INTO arrivals (first, last, dataset_id, epoch, sizes)
  SELECT last - CAST($3 AS BIGINT) + 1, last, CAST($2 AS BIGINT), CAST($1 AS BIGINT), $6 FROM taken RETURNING CAST(first AS TEXT) AS first`;

/**
 * The ingest order among processes that share the events. A process allocates positions before it
 * inserts batches, and records when they are stored. Each allocation is higher than all before, so
 * nothing is added below the lowest position in flight: a reader up to there has missed nothing.
 */
export class PositionAllocator {
  readonly #pool: Pick<Pool, 'query'>;
  readonly #epoch: string;
  /** First positions of this process's inserts in flight. */
  readonly #inFlight = new Set<bigint>();
  readonly watermark: Watermark;

  /** @param epoch number of this process */
  constructor(pool: Pick<Pool, 'query'>, watermark: Watermark, epoch: bigint) {
    this.#pool = pool;
    this.watermark = watermark;
    this.#epoch = String(epoch);
  }

  /** How many inserts this process has in flight. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /**
   * Allocates a position for each batch; returns the first of them.
   * @param sizes rows of each
   * @throws MetadataError. If positions were allocated nevertheless, they are fenced later.
   */
  async allocate(datasetId: number, sizes: readonly number[]): Promise<bigint> {
    return this.#hold(await this.#query<{ first: string }>(allocateStatement, this.#takes(datasetId, sizes)));
  }

  /** Allocates one position, for some rows, within a transaction; call `release` if that fails. */
  async takeIn(connection: Connection, datasetId: number, rows: number): Promise<bigint> {
    const { rows: taken } = await connection.executeQuery<{ first: string }>(
      CompiledQuery.raw(allocateStatement, [...this.#takes(datasetId, [rows])]),
    );
    return this.#hold(taken);
  }

  /** Adopts a position that another process had in flight; false if it no longer is. */
  async takeOver(connection: Connection, first: bigint): Promise<boolean> {
    const { numAffectedRows = 0n } = await connection.executeQuery(
      CompiledQuery.raw('UPDATE arrivals SET epoch = $1, begun = now() WHERE first = $2 AND done IS NULL', [
        this.#epoch,
        String(first),
      ]),
    );
    if (numAffectedRows > 0n) this.#inFlight.add(first);
    return numAffectedRows > 0n;
  }

  /** Records that the batches are stored, completely or finally in part. @throws MetadataError */
  async recordStored(first: bigint, rows: number): Promise<void> {
    await this.#query('UPDATE arrivals SET done = now(), rows = $2 WHERE first = $1 AND done IS NULL', [
      String(first),
      String(rows),
    ]);
    this.#inFlight.delete(first);
  }

  /** Records one position as done within a transaction; call `release` after it. */
  async doneIn(connection: Connection, first: bigint, rows: number): Promise<void> {
    await connection.executeQuery(
      CompiledQuery.raw('UPDATE arrivals SET done = now(), rows = $2 WHERE first = $1 AND done IS NULL', [
        String(first),
        String(rows),
      ]),
    );
  }

  /** Leaves a position to be fenced, within a transaction. */
  async leaveIn(connection: Connection, first: bigint): Promise<void> {
    await connection.executeQuery(
      CompiledQuery.raw('UPDATE arrivals SET epoch = 0 WHERE first = $1 AND done IS NULL', [String(first)]),
    );
  }

  /** This process does nothing more about a position: if it is in flight, it will be fenced. */
  release(first: bigint): void {
    this.#inFlight.delete(first);
  }

  /**
   * Leaves positions to be fenced that this process allocated but does not hold. @throws
   * MetadataError
   */
  async tidy(): Promise<void> {
    await this.#query(
      `UPDATE arrivals SET epoch = 0 WHERE epoch = $1 AND done IS NULL AND NOT first = ANY(CAST($2 AS BIGINT[]))
       AND begun < now() - interval '${strayMilliseconds} milliseconds'`,
      [this.#epoch, `{${[...this.#inFlight].join(',')}}`],
    );
  }

  /** Inserts in flight whose process is not live. @throws MetadataError */
  async stale(): Promise<readonly InflightInsert[]> {
    const rows = await this.#query<{ first: string; last: string; datasetId: number; sizes: string }>(
      `SELECT CAST(first AS TEXT) AS first, CAST(last AS TEXT) AS last, dataset_id AS "datasetId", sizes
       FROM arrivals WHERE done IS NULL AND NOT EXISTS
       (SELECT 1 FROM nodes WHERE nodes.epoch = arrivals.epoch AND ${isLive}) ORDER BY arrivals.first`,
      [],
    );
    return rows.map(({ first, last, datasetId, sizes }) => ({
      first: BigInt(first),
      last: BigInt(last),
      datasetId,
      sizes: JSON.parse(sizes) as readonly number[],
    }));
  }

  /** The inserts are fenced. @throws MetadataError */
  async giveUp(arrivals: readonly Arrival[]): Promise<void> {
    const list = `{${arrivals.map(({ first }) => first).join(',')}}`;
    await this.#query('DELETE FROM arrivals WHERE done IS NULL AND first = ANY(CAST($1 AS BIGINT[]))', [list]);
  }

  /** Deletes old finished inserts. @throws MetadataError */
  async prune(): Promise<void> {
    await this.#query(`DELETE FROM arrivals WHERE done < now() - interval '${keptMinutes} minutes'`, []);
  }

  /** Recently stored batches, in order. @throws MetadataError */
  async listStored(): Promise<readonly StoredBatch[]> {
    const rows = await this.#query<{ first: string; last: string; datasetId: number; rows: number }>(
      `SELECT CAST(first AS TEXT) AS first, CAST(last AS TEXT) AS last, dataset_id AS "datasetId", rows
       FROM arrivals WHERE done IS NOT NULL ORDER BY arrivals.first`,
      [],
    );
    return rows.map((row) => ({ ...row, first: BigInt(row.first), last: BigInt(row.last) }));
  }

  /** Whether a position was allocated, and nothing of it is in flight. @throws MetadataError */
  async isOver(position: bigint): Promise<boolean> {
    const [row] = await this.#query<{ over: boolean }>(
      `SELECT last >= CAST($1 AS BIGINT) AND NOT EXISTS
       (SELECT 1 FROM arrivals WHERE done IS NULL AND arrivals.first <= $1 AND arrivals.last >= $1) AS over FROM arrival_order`,
      [String(position)],
    );
    return row?.over === true;
  }

  /**
   * Raises the next position above this one; returns whether it was lower.
   * @throws MetadataError
   */
  async goOnAbove(position: bigint): Promise<boolean> {
    const raised = await this.#query('UPDATE arrival_order SET last = $1 WHERE last < $1 RETURNING 1', [
      String(position),
    ]);
    return raised.length > 0;
  }

  #takes(datasetId: number, sizes: readonly number[]): readonly string[] {
    const { common, own } = thisProgram;
    return [this.#epoch, datasetId, sizes.length, common.length, own.length, JSON.stringify(sizes)].map(String);
  }

  #hold([row]: readonly { readonly first: string }[]): bigint {
    if (row === undefined) throw outdatedError();
    const first = BigInt(row.first);
    this.#inFlight.add(first);
    return first;
  }

  async #query<Row extends object>(statement: string, values: readonly string[]): Promise<readonly Row[]> {
    try {
      return (await this.#pool.query<Row>(statement, [...values])).rows;
    } catch (error) {
      throw problemOf(error);
    }
  }
}

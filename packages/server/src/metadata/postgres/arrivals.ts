import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import type { Connection } from '../database.js';
import { isLive } from './live.js';
import { outdated, thisProgram } from './migrate.js';
import { problemOf } from './problem.js';
import type { Settled } from './settled.js';

/**
 * Batches that a process brings into the engine together: all positions from the first to the last.
 */
export interface Arrival {
  readonly first: bigint;
  readonly last: bigint;
}

/** What somebody has under way, or had when that was noted last. */
export interface UnderWay extends Arrival {
  readonly datasetId: number;
  /** Rows of each batch. */
  readonly sizes: readonly number[];
}

/** Batches that were brought in lately. */
interface Brought extends Arrival {
  readonly datasetId: number;
  readonly rows: number;
}

/**
 * What a process took and does not know of, because it was never answered, is older than any answer
 * that may still come.
 */
const strayMilliseconds = 30_000;
/** What is in can be recounted for so long. */
const keptMinutes = 10;

/** Nothing is taken by a program that does wrong over what a newer one has changed. */
const taking = `
  WITH taken AS (
    UPDATE arrival_order SET last = last + CAST($3 AS BIGINT)
    WHERE NOT EXISTS (SELECT 1 FROM works_with WHERE common > $4 OR own > $5) RETURNING last)
  INSERT INTO arrivals (first, last, dataset_id, epoch, sizes)
  SELECT last - CAST($3 AS BIGINT) + 1, last, CAST($2 AS BIGINT), CAST($1 AS BIGINT), $6 FROM taken RETURNING CAST(first AS TEXT) AS first`;

/**
 * The order of arrival among processes that share the events. Whoever is about to bring batches
 * into the engine takes positions, and says when they are in. Each taking gets higher ones than all
 * before, so nothing comes below the lowest position that is under way: who has read up to there
 * has missed nothing.
 */
export class Arrivals {
  readonly #pool: Pick<Pool, 'query'>;
  readonly #epoch: string;
  /** First positions of what this process has under way. */
  readonly #held = new Set<bigint>();
  readonly settled: Settled;

  /** @param epoch the number of this process */
  constructor(pool: Pick<Pool, 'query'>, settled: Settled, epoch: bigint) {
    this.#pool = pool;
    this.settled = settled;
    this.#epoch = String(epoch);
  }

  /** How many inserts this process has under way. */
  get underWay(): number {
    return this.#held.size;
  }

  /**
   * Takes a position for each batch; returns the first of them.
   * @param sizes rows of each
   * @throws MetadataError. Positions that were taken all the same are given up later.
   */
  async take(datasetId: number, sizes: readonly number[]): Promise<bigint> {
    return this.#hold(await this.#ask<{ first: string }>(taking, this.#takes(datasetId, sizes)));
  }

  /** Takes one position, for some rows, as a part of a transaction; `letGo` if that fails. */
  async takeIn(connection: Connection, datasetId: number, rows: number): Promise<bigint> {
    const { rows: taken } = await connection.executeQuery<{ first: string }>(
      CompiledQuery.raw(taking, [...this.#takes(datasetId, [rows])]),
    );
    return this.#hold(taken);
  }

  /** Takes over a position that another process had under way; false if it is under way no more. */
  async takeOver(connection: Connection, first: bigint): Promise<boolean> {
    const { numAffectedRows = 0n } = await connection.executeQuery(
      CompiledQuery.raw('UPDATE arrivals SET epoch = $1, begun = now() WHERE first = $2 AND done IS NULL', [
        this.#epoch,
        String(first),
      ]),
    );
    if (numAffectedRows > 0n) this.#held.add(first);
    return numAffectedRows > 0n;
  }

  /** Says that they are in, or as much of them as ever will be. @throws MetadataError */
  async done(first: bigint, rows: number): Promise<void> {
    await this.#ask('UPDATE arrivals SET done = now(), rows = $2 WHERE first = $1 AND done IS NULL', [
      String(first),
      String(rows),
    ]);
    this.#held.delete(first);
  }

  /** The same for one position as a part of a transaction, after which it is to be let go of. */
  async doneIn(connection: Connection, first: bigint, rows: number): Promise<void> {
    await connection.executeQuery(
      CompiledQuery.raw('UPDATE arrivals SET done = now(), rows = $2 WHERE first = $1 AND done IS NULL', [
        String(first),
        String(rows),
      ]),
    );
  }

  /** Leaves a position to be given up, as a part of a transaction. */
  async leaveIn(connection: Connection, first: bigint): Promise<void> {
    await connection.executeQuery(
      CompiledQuery.raw('UPDATE arrivals SET epoch = 0 WHERE first = $1 AND done IS NULL', [String(first)]),
    );
  }

  /** This process does nothing more about a position: if it is under way, it is to be given up. */
  letGo(first: bigint): void {
    this.#held.delete(first);
  }

  /** Leaves what this process took and does not hold to be given up. @throws MetadataError */
  async tidy(): Promise<void> {
    await this.#ask(
      `UPDATE arrivals SET epoch = 0 WHERE epoch = $1 AND done IS NULL AND NOT first = ANY(CAST($2 AS BIGINT[]))
       AND begun < now() - interval '${strayMilliseconds} milliseconds'`,
      [this.#epoch, `{${[...this.#held].join(',')}}`],
    );
  }

  /** What is under way and nobody is at work on. @throws MetadataError */
  async stale(): Promise<readonly UnderWay[]> {
    const rows = await this.#ask<{ first: string; last: string; datasetId: number; sizes: string }>(
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

  /** Nothing more comes of these. @throws MetadataError */
  async giveUp(arrivals: readonly Arrival[]): Promise<void> {
    const list = `{${arrivals.map(({ first }) => first).join(',')}}`;
    await this.#ask('DELETE FROM arrivals WHERE done IS NULL AND first = ANY(CAST($1 AS BIGINT[]))', [list]);
  }

  /** Forgets what came in long ago. @throws MetadataError */
  async prune(): Promise<void> {
    await this.#ask(`DELETE FROM arrivals WHERE done < now() - interval '${keptMinutes} minutes'`, []);
  }

  /** What came in lately, in order. @throws MetadataError */
  async brought(): Promise<readonly Brought[]> {
    const rows = await this.#ask<{ first: string; last: string; datasetId: number; rows: number }>(
      `SELECT CAST(first AS TEXT) AS first, CAST(last AS TEXT) AS last, dataset_id AS "datasetId", rows
       FROM arrivals WHERE done IS NOT NULL ORDER BY arrivals.first`,
      [],
    );
    return rows.map((row) => ({ ...row, first: BigInt(row.first), last: BigInt(row.last) }));
  }

  /**
   * Whether a position was given to somebody, and nothing of it is under way. @throws MetadataError
   */
  async isOver(position: bigint): Promise<boolean> {
    const [row] = await this.#ask<{ over: boolean }>(
      `SELECT last >= CAST($1 AS BIGINT) AND NOT EXISTS
       (SELECT 1 FROM arrivals WHERE done IS NULL AND arrivals.first <= $1 AND arrivals.last >= $1) AS over FROM arrival_order`,
      [String(position)],
    );
    return row?.over === true;
  }

  /**
   * Positions that are taken from now on are higher; returns whether they would not have been.
   * @throws MetadataError
   */
  async goOnAbove(position: bigint): Promise<boolean> {
    const raised = await this.#ask('UPDATE arrival_order SET last = $1 WHERE last < $1 RETURNING 1', [
      String(position),
    ]);
    return raised.length > 0;
  }

  #takes(datasetId: number, sizes: readonly number[]): readonly string[] {
    const { common, own } = thisProgram;
    return [this.#epoch, datasetId, sizes.length, common.length, own.length, JSON.stringify(sizes)].map(String);
  }

  #hold([row]: readonly { readonly first: string }[]): bigint {
    if (row === undefined) throw outdated();
    const first = BigInt(row.first);
    this.#held.add(first);
    return first;
  }

  async #ask<Row extends object>(statement: string, values: readonly string[]): Promise<readonly Row[]> {
    try {
      return (await this.#pool.query<Row>(statement, [...values])).rows;
    } catch (error) {
      throw problemOf(error);
    }
  }
}

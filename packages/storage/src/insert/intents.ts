import { randomUUID } from 'node:crypto';
import type { Insert } from '@millrace/engine';
import type { Database } from '@millrace/metadata/database';
import type { Batch } from './queue.js';

/** An insert that may be in flight. */
export interface InsertIntent {
  /** With this token the engine stores repeated inserts once. */
  readonly token: string;
  /** Its batches. */
  readonly positions: readonly bigint[];
  /** Whether it contains only the rows that the engine lacked. */
  readonly missing: boolean;
}

/** Source of the insert: the log, or retries of quarantined batches. */
export type InsertSource = 'log' | 'refused';

/**
 * Inserts that may be in flight where tables are replicated. An insert into replicas cannot be
 * proven to be over: one that broke off may still be completed by an unreachable replica. So
 * nothing is inserted in its place: the same batches are sent again under the same token, even
 * after a crash. That is why each insert is recorded before it is sent. The record of a dataset's
 * last insert stays; a start finds that it is stored.
 */
export class InsertIntents {
  readonly #database: Database;
  readonly #lane: InsertSource;
  readonly #pins: Map<number, InsertIntent>;

  private constructor(database: Database, lane: InsertSource, pins: Map<number, InsertIntent>) {
    this.#database = database;
    this.#lane = lane;
    this.#pins = pins;
  }

  static async open(database: Database, lane: InsertSource): Promise<InsertIntents> {
    const rows = await database.selectFrom('pinned_inserts').selectAll().where('lane', '=', lane).execute();
    const pins = rows.map(({ dataset_id, token, positions, missing }): [number, InsertIntent] => [
      dataset_id,
      { token, positions: positions.split(',').map(BigInt), missing: missing !== 0 },
    ]);
    return new InsertIntents(database, lane, new Map(pins));
  }

  /** The inserts that may be in flight, by dataset. */
  get all(): readonly (readonly [number, InsertIntent])[] {
    return [...this.#pins];
  }

  /** The insert of a dataset that may be in flight. */
  of(datasetId: number): InsertIntent | undefined {
    return this.#pins.get(datasetId);
  }

  /** The insert of a dataset, if it has exactly these batches. */
  ofGroup(datasetId: number, group: readonly Pick<Batch, 'position'>[]): InsertIntent | undefined {
    const pin = this.#pins.get(datasetId);
    const isSame =
      pin?.positions.length === group.length && group.every(({ position }, i) => position === pin.positions[i]);
    return isSame ? pin : undefined;
  }

  /**
   * Records an insert before it is sent; returns its token, and whether it may have been sent
   * before. Resolved means durable.
   */
  async pin(
    datasetId: number,
    group: readonly Pick<Batch, 'position'>[],
    missing: boolean,
  ): Promise<Pick<Insert, 'token' | 'repeated'>> {
    const known = this.ofGroup(datasetId, group);
    if (known !== undefined) return { token: known.token, repeated: true };
    const pin: InsertIntent = { token: randomUUID(), positions: group.map(({ position }) => position), missing };
    const row = { token: pin.token, positions: pin.positions.join(','), missing: Number(missing) };
    await this.#database
      .insertInto('pinned_inserts')
      .values({ dataset_id: datasetId, lane: this.#lane, ...row })
      .onConflict((conflict) => conflict.columns(['dataset_id', 'lane']).doUpdateSet(row))
      .execute();
    this.#pins.set(datasetId, pin);
    return { token: pin.token };
  }

  /** The insert is stored, or certainly never will be. */
  release(datasetId: number): void {
    this.#pins.delete(datasetId);
  }

  /** Deletes the record of a deleted dataset. */
  async forget(datasetId: number): Promise<void> {
    this.#pins.delete(datasetId);
    await this.#database.deleteFrom('pinned_inserts').where('dataset_id', '=', datasetId).execute();
  }
}

import { randomUUID } from 'node:crypto';
import type { Insert } from '@millrace/engine';
import type { Database } from '../../metadata/database.js';
import type { Batch } from './queue.js';

/** An insert that may be under way. */
export interface Pin {
  /** Under it the engine stores the insert once, however often it is sent. */
  readonly token: string;
  /** Its batches. */
  readonly positions: readonly bigint[];
  /** Whether it brings only those rows that the engine lacked. */
  readonly missing: boolean;
}

/** Who inserts: the log, or the tries of batches that were refused. */
export type PinLane = 'log' | 'refused';

/**
 * Which inserts may be under way where tables are replicated. Nobody can make certain that an
 * insert into replicas is over, as one that broke off may come in later from a replica that is
 * away. So nothing is inserted instead of it: the same batches are sent again under the same token,
 * also after a crash. That is why each insert is written down before it is sent. The note of a
 * dataset's last insert stays; a start finds that it is in.
 */
export class Pins {
  readonly #database: Database;
  readonly #lane: PinLane;
  readonly #pins: Map<number, Pin>;

  private constructor(database: Database, lane: PinLane, pins: Map<number, Pin>) {
    this.#database = database;
    this.#lane = lane;
    this.#pins = pins;
  }

  static async open(database: Database, lane: PinLane): Promise<Pins> {
    const rows = await database.selectFrom('pinned_inserts').selectAll().where('lane', '=', lane).execute();
    const pins = rows.map(({ dataset_id, token, positions, missing }): [number, Pin] => [
      dataset_id,
      { token, positions: positions.split(',').map(BigInt), missing: missing !== 0 },
    ]);
    return new Pins(database, lane, new Map(pins));
  }

  /** The inserts that may be under way, by dataset. */
  get all(): readonly (readonly [number, Pin])[] {
    return [...this.#pins];
  }

  /** The insert of a dataset that may be under way. */
  of(datasetId: number): Pin | undefined {
    return this.#pins.get(datasetId);
  }

  /** The same, if it is of just these batches. */
  ofGroup(datasetId: number, group: readonly Pick<Batch, 'position'>[]): Pin | undefined {
    const pin = this.#pins.get(datasetId);
    const isSame =
      pin?.positions.length === group.length && group.every(({ position }, i) => position === pin.positions[i]);
    return isSame ? pin : undefined;
  }

  /**
   * The token of an insert that is about to be sent, and whether it may have been sent before;
   * resolved means that it is written down.
   */
  async pin(
    datasetId: number,
    group: readonly Pick<Batch, 'position'>[],
    missing: boolean,
  ): Promise<Pick<Insert, 'token' | 'repeated'>> {
    const known = this.ofGroup(datasetId, group);
    if (known !== undefined) return { token: known.token, repeated: true };
    const pin: Pin = { token: randomUUID(), positions: group.map(({ position }) => position), missing };
    const row = { token: pin.token, positions: pin.positions.join(','), missing: Number(missing) };
    await this.#database
      .insertInto('pinned_inserts')
      .values({ dataset_id: datasetId, lane: this.#lane, ...row })
      .onConflict((conflict) => conflict.columns(['dataset_id', 'lane']).doUpdateSet(row))
      .execute();
    this.#pins.set(datasetId, pin);
    return { token: pin.token };
  }

  /** The insert is in, or is certainly not and never will be. */
  release(datasetId: number): void {
    this.#pins.delete(datasetId);
  }

  /** The dataset is gone. */
  async forget(datasetId: number): Promise<void> {
    this.#pins.delete(datasetId);
    await this.#database.deleteFrom('pinned_inserts').where('dataset_id', '=', datasetId).execute();
  }
}

import { type Clock, timestamp } from '../clock.js';
import type { Database } from '../database.js';
import { hashSecret } from '../secrets.js';

/** Remembers values that may be used once, until they expire. */
export class SingleUse {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Uses a value up, for all nodes.
   * @param expires milliseconds since the epoch from which the value is invalid anyway
   * @returns whether this is its first use
   */
  async use(value: string, expires: number): Promise<boolean> {
    const hash = hashSecret(value);
    return this.#database.transaction().execute(async (connection) => {
      await connection.deleteFrom('used_values').where('expires', '<=', timestamp(this.#clock)).execute();
      const { numInsertedOrUpdatedRows } = await connection
        .insertInto('used_values')
        .values({ hash, expires: timestamp(() => expires) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    });
  }
}

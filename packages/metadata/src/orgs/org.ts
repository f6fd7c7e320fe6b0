import { randomBytes } from 'node:crypto';
import { type Clock, timestamp } from '../clock.js';
import type { Database } from '../database.js';

export interface OrgRecord {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly modified: string;
}

/** The organization of the server. */
export class OrgStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The organization; created on the first call. */
  async get(): Promise<OrgRecord> {
    return this.#database.transaction().execute(async (connection) => {
      const present = await connection.selectFrom('org').selectAll().executeTakeFirst();
      if (present !== undefined) return present;
      const now = timestamp(this.#clock);
      const org = { id: `millrace-${randomBytes(4).toString('hex')}`, name: 'Millrace', created: now, modified: now };
      await connection.insertInto('org').values(org).execute();
      return org;
    });
  }

  async rename(name: string): Promise<OrgRecord> {
    const { id } = await this.get();
    await this.#database
      .updateTable('org')
      .set({ name, modified: timestamp(this.#clock) })
      .where('id', '=', id)
      .execute();
    return this.get();
  }
}

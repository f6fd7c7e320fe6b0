import { randomBytes } from 'node:crypto';
import type { Database } from '../database.js';

/** Random keys that all nodes share. */
export class ServerKeys {
  readonly #database: Database;
  readonly #keys = new Map<string, Buffer>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The key of 32 bytes with a name; created on first use. */
  async get(name: string): Promise<Buffer> {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const value = randomBytes(32).toString('base64');
    await this.#database
      .insertInto('server_keys')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const stored = this.#database.selectFrom('server_keys').select('value').where('name', '=', name);
    const key = Buffer.from((await stored.executeTakeFirstOrThrow()).value, 'base64');
    this.#keys.set(name, key);
    return key;
  }
}

import { type Clock, timestamp } from './clock.js';
import type { Database } from './database.js';
import { LastUsedTracker } from './last-used.js';

/**
 * The last use of each token, in a separate table: a change of the table `tokens` makes every
 * process reload permissions, and a use does not affect those. Deleting a token deletes its row.
 */
export class TokenLastUsed {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #uses: LastUsedTracker;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#uses = new LastUsedTracker(clock);
  }

  /** Records a use of a token, by a request or by one of its sessions. */
  note(tokenId: string): void {
    if (!this.#uses.note(tokenId)) return;
    const used = timestamp(this.#clock);
    const write = this.#database
      .insertInto('token_uses')
      .values({ token_id: tokenId, used })
      .onConflict((conflict) => conflict.column('token_id').doUpdateSet({ used }));
    // Best effort; the next time step writes it again. A token deleted by now has no row.
    write.execute().catch(() => undefined);
  }

  /** The last uses of all tokens used since this table exists. */
  async all(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.selectFrom('token_uses').selectAll().execute();
    const written = new Map(rows.map(({ token_id, used }) => [token_id, Date.parse(used)]));
    return new Map(
      [...new Set([...written.keys(), ...this.#uses.ids()])].map((id) => [
        id,
        new Date(this.#uses.latest(id, written.get(id) ?? 0)).toISOString(),
      ]),
    );
  }
}

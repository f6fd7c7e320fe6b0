import { type Clock, timestamp } from './clock.js';
import type { Database } from './database.js';
import { LastUses } from './last-uses.js';

/**
 * When each token was used last. In a table of its own: a change of tokens makes every process look
 * up again what they may do, and a use changes nothing of that. A token that goes takes its row
 * along.
 */
export class TokenUses {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #uses: LastUses;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#uses = new LastUses(clock);
  }

  /** Notes that a token is used, by a request or by a session of it. */
  note(tokenId: string): void {
    if (!this.#uses.note(tokenId)) return;
    const used = timestamp(this.#clock);
    const write = this.#database
      .insertInto('token_uses')
      .values({ token_id: tokenId, used })
      .onConflict((conflict) => conflict.column('token_id').doUpdateSet({ used }));
    // Nobody waits for it, and the next step writes it again; a token that is gone by now has no
    // row.
    write.execute().catch(() => undefined);
  }

  /** The last uses of all tokens that were used since this was kept. */
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

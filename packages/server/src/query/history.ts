import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { AuthenticatedPrincipal, Principal } from '../access/allowed.js';
import type { Database } from '../metadata/database.js';
import { runEvery } from '../run-every.js';
import { isOwnedBy } from './jobs.js';

/** What queries may be kept as. One kind has its name from the language, which structured queries are not in. */
export const structuredKinds = ['analytics', 'stream'] as const;
export const historyKinds = ['apl', ...structuredKinds] as const;

/** A query that its request asked to be remembered. */
export interface HistoryEntry {
  readonly id: string;
  readonly kind: string;
  readonly created: string;
  readonly dataset: string;
  /** Id of the user whose token ran it. */
  readonly who: string;
  /** The body of the request as JSON. */
  readonly query: string;
}

interface Kept extends HistoryEntry {
  readonly token: string;
}

const collection = 'query_history';
const writeMilliseconds = 1000;

/**
 * The last queries of each token. Held in memory and written behind, because a query should not wait for a disk: a crash forgets those of the last
 * second.
 */
export class History {
  readonly #database: Database;
  readonly #perToken: number;
  readonly #entries = new Map<string, Kept>();
  /** Ids of each token, oldest first. */
  readonly #byToken = new Map<string, string[]>();
  /** Ids that are in memory and not in the database yet, and those of which it is the other way round. */
  #added = new Set<string>();
  #removed = new Set<string>();
  readonly #stop: () => Promise<void>;

  private constructor(database: Database, perToken: number, logger: Logger) {
    this.#database = database;
    this.#perToken = perToken;
    this.#stop = runEvery(writeMilliseconds, () =>
      this.#write().catch((error: unknown) =>
        logger.warn({ err: error }, 'the history of queries could not be written'),
      ),
    );
  }

  /** @param perToken queries remembered of each token */
  static async open(database: Database, perToken: number, logger: Logger): Promise<History> {
    const history = new History(database, perToken, logger);
    const rows = await database
      .selectFrom('documents')
      .select('body')
      .where('collection', '=', collection)
      .orderBy('position')
      .execute();
    for (const { body } of rows) history.#take(JSON.parse(body) as Kept);
    return history;
  }

  /** Remembers a query; its id. */
  add(owner: AuthenticatedPrincipal, entry: Omit<HistoryEntry, 'id' | 'created' | 'who'>): string {
    const kept = {
      id: randomUUID(),
      created: new Date().toISOString(),
      who: owner.userId,
      token: owner.tokenId,
      ...entry,
    };
    this.#added.add(kept.id);
    this.#take(kept);
    return kept.id;
  }

  /** A query that is the reader's own. */
  find(id: string, reader: Principal): HistoryEntry | undefined {
    const kept = this.#entries.get(id);
    if (kept === undefined || !isOwnedBy({ tokenId: kept.token, userId: kept.who }, reader)) return undefined;
    const { token: _, ...entry } = kept;
    return entry;
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    await this.#stop();
    await this.#write();
  }

  #take(kept: Kept): void {
    this.#entries.set(kept.id, kept);
    const ids = this.#byToken.get(kept.token) ?? [];
    this.#byToken.set(kept.token, ids);
    ids.push(kept.id);
    for (const oldest of ids.splice(0, Math.max(0, ids.length - this.#perToken))) {
      this.#entries.delete(oldest);
      if (!this.#added.delete(oldest)) this.#removed.add(oldest);
    }
  }

  /** A write that fails is made up for by the next one. */
  async #write(): Promise<void> {
    if (this.#added.size === 0 && this.#removed.size === 0) return;
    const [added, removed] = [this.#added, this.#removed];
    const rows = [...added].map((id) => ({
      collection,
      id,
      unique_key: null,
      dataset_id: null,
      body: JSON.stringify(this.#entries.get(id)),
    }));
    this.#added = new Set();
    this.#removed = new Set();
    try {
      await this.#database.transaction().execute(async (connection) => {
        // Those that are there were written by a transaction that failed at its very end.
        for (const row of rows)
          await connection
            .insertInto('documents')
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        for (const id of removed)
          await connection.deleteFrom('documents').where('collection', '=', collection).where('id', '=', id).execute();
      });
    } catch (error) {
      // What left the memory meanwhile never came into the database.
      for (const id of added) if (!this.#removed.delete(id)) this.#added.add(id);
      for (const id of removed) this.#removed.add(id);
      throw error;
    }
  }
}

import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { AuthenticatedPrincipal, Principal } from '@millrace/http/access/authorize';
import type { Metadata } from '@millrace/metadata/metadata';
import { runEvery } from '@millrace/runtime/async/run-every';
import { isOwnedBy } from './schedule/jobs.js';
import { requestBounds } from '@millrace/api/limits';

/** A query that its request asked to record. */
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

interface StoredEntry extends HistoryEntry {
  readonly token: string;
}

/** Limits of the history. */
interface HistoryQuota {
  /** Queries of each token. */
  readonly queryHistory: number;
  /**
   * Bytes of all tokens together; beyond it, the oldest entries of the largest token are evicted.
   * Otherwise users who may create tokens could fill the memory, token by token.
   */
  readonly queryHistoryBytes: number;
}

interface HistoryPage {
  readonly fits?: (entry: HistoryEntry) => boolean;
  readonly limit?: number;
  readonly before?: string | undefined;
}

/** Memory of an entry in addition to its query: many short queries take more than their texts. */
const entryBytes = 512;

interface OfToken {
  /** Oldest first. */
  readonly ids: string[];
  bytes: number;
}

const collection = 'query_history';
const writeMilliseconds = 1000;

/** The database that stores the history, and the source that says which tokens exist. */
type Behind = Pick<Metadata, 'database' | 'accessVersion'> & { readonly tokens: Pick<Metadata['tokens'], 'ids'> };

/**
 * The last queries of each token; they are deleted with it. The history is in memory and is written
 * later, so that queries do not wait for a disk; a crash loses the queries of the last second.
 */
export class History {
  readonly #behind: Behind;
  readonly #quota: HistoryQuota;
  readonly #entries = new Map<string, StoredEntry>();
  readonly #byToken = new Map<string, OfToken>();
  #bytes = 0;
  /**
   * Ids that are in memory and not yet in the database, and ids that are in the database and no
   * longer in memory.
   */
  #addedIds = new Set<string>();
  #removedIds = new Set<string>();
  /** The version of the rights at which no queries of deleted tokens were left. */
  #tidyAt: number | undefined;
  /**
   * Grows with each token that is new here: a query that continues after its token is deleted may
   * add the token again.
   */
  #newTokens = 0;
  readonly #stop: () => Promise<void>;

  private constructor(behind: Behind, quota: HistoryQuota, logger: Logger) {
    this.#behind = behind;
    this.#quota = quota;
    this.#stop = runEvery(writeMilliseconds, () =>
      this.#updateTable().catch((error: unknown) => logger.warn({ err: error }, 'could not write the query history')),
    );
  }

  static async open(behind: Behind, quota: HistoryQuota, logger: Logger): Promise<History> {
    const history = new History(behind, quota, logger);
    const rows = await behind.database
      .selectFrom('documents')
      .select('body')
      .where('collection', '=', collection)
      .orderBy('position')
      .execute();
    for (const { body } of rows) history.#take(JSON.parse(body) as StoredEntry);
    return history;
  }

  /** Records a query and returns its ID. */
  add(owner: AuthenticatedPrincipal, entry: Omit<HistoryEntry, 'id' | 'created' | 'who'>): string {
    const kept = {
      id: randomUUID(),
      created: new Date().toISOString(),
      who: owner.userId,
      token: owner.tokenId,
      ...entry,
    };
    this.#addedIds.add(kept.id);
    this.#take(kept);
    return kept.id;
  }

  /** The query with this id, if it is the reader's own. */
  find(id: string, reader: Principal): HistoryEntry | undefined {
    const kept = this.#entries.get(id);
    if (kept === undefined || !isOwnedBy({ tokenId: kept.token, userId: kept.who }, reader)) return undefined;
    return withoutToken(kept);
  }

  /**
   * The reader's own queries that fit, newest first.
   * @param before only queries before the one with this ID
   */
  list(reader: Principal, { fits = () => true, limit = Infinity, before }: HistoryPage = {}): readonly HistoryEntry[] {
    const own = this.#own(reader);
    const end = before === undefined ? own.length : own.findIndex(({ id }) => id === before);
    const found: HistoryEntry[] = [];
    for (let at = end - 1; at >= 0 && found.length < limit; at--) {
      const entry = withoutToken(own[at]!);
      if (fits(entry)) found.push(entry);
    }
    return found;
  }

  /** The queries that a reader may see, oldest first. */
  #own(reader: Principal): readonly StoredEntry[] {
    if (reader.kind === 'anonymous') return [];
    if (reader.kind === 'api-token')
      return (this.#byToken.get(reader.tokenId)?.ids ?? []).map((id) => this.#entries.get(id)!);
    const own: StoredEntry[] = [];
    for (const kept of this.#entries.values())
      if (isOwnedBy({ tokenId: kept.token, userId: kept.who }, reader)) own.push(kept);
    return own;
  }

  /** Writes pending changes. */
  async close(): Promise<void> {
    await this.#stop();
    await this.#updateTable();
  }

  #take(kept: StoredEntry): void {
    this.#entries.set(kept.id, kept);
    const own = this.#byToken.get(kept.token) ?? this.#begin(kept.token);
    own.ids.push(kept.id);
    own.bytes += bytesOf(kept);
    this.#bytes += bytesOf(kept);
    const { queryHistory, queryHistoryBytes } = this.#quota;
    const isTooMuch = (): boolean => own.bytes > requestBounds.historyBytesOfToken.max && own.ids.length > 1;
    while (own.ids.length > queryHistory || isTooMuch()) this.#dropOldest(own);
    // The newest stays, because its response contains its ID.
    while (this.#bytes > queryHistoryBytes && this.#entries.size > 1) this.#dropOldest(this.#largestBut(own));
  }

  /** The token with the most bytes, except one whose only query is the newest of all. */
  #largestBut(own: OfToken): OfToken {
    const others = [...this.#byToken.values()].filter((one) => one !== own || one.ids.length > 1);
    return others.reduce((max, one) => (one.bytes > max.bytes ? one : max));
  }

  #begin(token: string): OfToken {
    const own = { ids: [], bytes: 0 };
    this.#byToken.set(token, own);
    this.#tidyAt = undefined;
    this.#newTokens++;
    return own;
  }

  #dropOldest(own: OfToken): void {
    const oldest = own.ids.shift()!;
    const bytes = bytesOf(this.#entries.get(oldest)!);
    own.bytes -= bytes;
    this.#bytes -= bytes;
    this.#entries.delete(oldest);
    if (!this.#addedIds.delete(oldest)) this.#removedIds.add(oldest);
  }

  async #updateTable(): Promise<void> {
    await this.#forgetDeleted();
    await this.#write();
  }

  /**
   * Deletes the queries of deleted tokens, including tokens deleted with their user. Every deletion
   * changes the version.
   */
  async #forgetDeleted(): Promise<void> {
    const version = this.#behind.accessVersion();
    if (version === this.#tidyAt) return;
    // Tokens that appear in the history while the IDs are read may have been created after the
    // read; they are checked the next time.
    const known = [...this.#byToken];
    const newTokens = this.#newTokens;
    const present = await this.#behind.tokens.ids();
    for (const [token, own] of known) {
      if (present.has(token)) continue;
      while (own.ids.length > 0) this.#dropOldest(own);
      this.#byToken.delete(token);
    }
    if (newTokens === this.#newTokens) this.#tidyAt = version;
  }

  /** The next write retries the changes of a failed one. */
  async #write(): Promise<void> {
    if (this.#addedIds.size === 0 && this.#removedIds.size === 0) return;
    const [added, removed] = [this.#addedIds, this.#removedIds];
    const rows = [...added].map((id) => ({
      collection,
      id,
      unique_key: null,
      dataset_id: null,
      body: JSON.stringify(this.#entries.get(id)),
    }));
    this.#addedIds = new Set();
    this.#removedIds = new Set();
    try {
      await this.#behind.database.transaction().execute(async (connection) => {
        // A row that is already there was committed by a transaction that failed after that.
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
      // Entries evicted during the write never reached the database and need not be removed from
      // it.
      for (const id of added) if (!this.#removedIds.delete(id)) this.#addedIds.add(id);
      for (const id of removed) this.#removedIds.add(id);
      throw error;
    }
  }
}

const bytesOf = ({ query }: StoredEntry): number => entryBytes + Buffer.byteLength(query);

function withoutToken(kept: StoredEntry): HistoryEntry {
  const { token: _, ...entry } = kept;
  return entry;
}

import { Yielder } from '@millrace/runtime/async/yield';
import { randomBytes } from 'node:crypto';
import { httpError } from '@millrace/api/errors';
import { sql } from 'kysely';
import { changeTogether } from './change-together.js';
import type { Connection, Database } from './database.js';
import { inPages, collectPages } from '@millrace/runtime/async/paginate';
import { documentsIn, exceededLimit, type Quota, requireRoom, unlimitedQuota } from './quota.js';

/** A kind of resource whose records are documents, and its rules. */
export interface CollectionRules<T> {
  /** Name of the collection in the file; never changes. */
  readonly name: string;
  /** Name of a record in messages: `annotation`. */
  readonly kind: string;
  /** Prefix of IDs: `ann_`. */
  readonly prefix: string;
  /** The value that must be unique in the collection. */
  readonly unique?: (value: T) => string;
  /** A record's name in messages about a taken key, if not the key. */
  readonly named?: (value: T) => string;
  /**
   * Throws if a unique key belongs to something outside the collection; runs in the transaction
   * that takes the key.
   */
  readonly requireFree?: (key: string, connection: Connection) => Promise<void>;
  /** Dataset the record disappears with; read in the transaction that writes the record. */
  readonly datasetId?: (value: T, connection: Connection) => Promise<number>;
  /** Changes whenever records may have disappeared or changed together with their owner. */
  readonly ownersVersion?: () => number;
  /** Called when a unique key has become free, in the same transaction. */
  readonly freed?: (key: string, connection: Connection) => Promise<void>;
  /**
   * Called when a record is deleted, in the same transaction; removes related data in other tables.
   */
  readonly removed?: (record: T, connection: Connection) => Promise<void>;
  /** Called when a record is replaced, in the same transaction. */
  readonly replaced?: (before: T, after: T, connection: Connection) => Promise<void>;
  /** Called after each write. */
  readonly changed?: () => void;
  /**
   * Whether the oldest records are deleted for a new one: for records that programs write with each
   * run, and whose writer cannot handle a rejection.
   */
  readonly oldestGo?: true;
}

/** A page of a list. */
interface PageOf {
  readonly limit: number;
  readonly offset: number;
  /** Oldest first by default. */
  readonly order?: 'asc' | 'desc';
}

/** Maximum records per statement. */
const maxNamed = 1000;
/** Rows per statement. */
const rowsAtOnce = 200;

/**
 * Records of one kind, each stored as a JSON document in the table `documents`. `get` and `list`
 * return exactly the bytes that `create` and `update` returned.
 */
export class Collection<T extends { readonly id: string }> {
  readonly #database: Database;
  readonly #rules: CollectionRules<T>;
  readonly #quota: Quota;
  #writes = 0;
  #cache: { readonly version: string; readonly records: Promise<readonly T[]> } | undefined;

  constructor(database: Database, rules: CollectionRules<T>, quota: Quota = unlimitedQuota) {
    this.#database = database;
    this.#rules = rules;
    this.#quota = quota;
  }

  /** All records, oldest first. Every query lists them, so they are cached until a write. */
  async list(): Promise<readonly T[]> {
    // Taken before the read: a concurrent write makes another version, so a list is never taken for
    // newer than it is.
    const version = `${this.#writes} ${this.#rules.ownersVersion?.() ?? 0}`;
    if (this.#cache?.version === version) return this.#cache.records;
    const known = { version, records: this.#read() };
    this.#cache = known;
    try {
      return await known.records;
    } catch (error) {
      if (this.#cache === known) this.#cache = undefined;
      throw error;
    }
  }

  /**
   * A page of the records that fit. Reads only until the page is full, so that a request neither
   * loads the collection nor waits for it.
   */
  async page(fits: (record: T) => boolean, { limit, offset, order = 'asc' }: PageOf): Promise<readonly T[]> {
    const found: T[] = [];
    let skipped = 0;
    for await (const records of this.#pages(order))
      for (const record of records) {
        if (!fits(record)) continue;
        if (skipped < offset) skipped++;
        else if (found.push(record) === limit) return found;
      }
    return found;
  }

  #read(): Promise<readonly T[]> {
    return collectPages(this.#pages('asc'));
  }

  async *#pages(order: 'asc' | 'desc'): AsyncGenerator<readonly T[]> {
    const all = await this.#database
      .selectFrom('documents')
      .select(['position as key', sql<number>`octet_length(body)`.as('length')])
      .where('collection', '=', this.#rules.name)
      .orderBy('position', order)
      .execute();
    yield* inPages(all, async (positions) => {
      const rows = await this.#database
        .selectFrom('documents')
        .select('body')
        .where('position', 'in', positions)
        .orderBy('position', order)
        .execute();
      return rows.map(({ body }) => JSON.parse(body) as T);
    });
  }

  /** Records that disappear with a dataset, oldest first. */
  async ofDataset(datasetId: number): Promise<readonly T[]> {
    const rows = await this.#database
      .selectFrom('documents')
      .select('body')
      .where('collection', '=', this.#rules.name)
      .where('dataset_id', '=', datasetId)
      .orderBy('position')
      .execute();
    return rows.map(({ body }) => JSON.parse(body) as T);
  }

  /** @throws HttpError `not-found` */
  async get(id: string, connection: Connection = this.#database): Promise<T> {
    const found = await this.find('id', id, connection);
    if (found === undefined) throw httpError('not-found', { kind: this.#rules.kind, name: id });
    return found;
  }

  /** The record with an id or a unique key. */
  async find(by: 'id' | 'unique_key', value: string, connection: Connection = this.#database): Promise<T | undefined> {
    const row = await connection
      .selectFrom('documents')
      .select('body')
      .where('collection', '=', this.#rules.name)
      .where(by, '=', value)
      .executeTakeFirst();
    return row === undefined ? undefined : (JSON.parse(row.body) as T);
  }

  /**
   * Rejects a record whose unique key is taken, before other checks. Writing checks again.
   * @param id of the record if it exists
   * @throws HttpError `already-exists`
   */
  requireFree(value: Omit<T, 'id'>, id = ''): Promise<void> {
    return this.#checkUnique({ id, ...value } as T, this.#database);
  }

  /**
   * @param within transaction of the caller, who calls `recordWrite` when it is over; as in the
   * next methods, by default a new one
   * @throws HttpError `already-exists`, `quota-reached`
   */
  async create(value: Omit<T, 'id'>, within?: Connection): Promise<T> {
    const record = { id: `${this.#rules.prefix}${randomBytes(12).toString('hex')}`, ...value } as T;
    await this.#write(within, async (connection) => {
      await this.#checkUnique(record, connection);
      await connection
        .insertInto('documents')
        .values({ collection: this.#rules.name, id: record.id, ...(await this.#row(record, connection)) })
        .execute();
      await this.#requireRoom(connection);
    });
    return record;
  }

  /**
   * Replaces a record by the result of `change`.
   * @throws HttpError `not-found`, `already-exists`, `quota-reached`, and errors of `change`; then
   * the record stays
   */
  async update(id: string, change: (present: T) => T, within?: Connection): Promise<T> {
    return this.#write(within, async (connection) => {
      const present = await this.get(id, connection);
      const record = { ...change(present), id };
      await this.#checkUnique(record, connection);
      await connection
        .updateTable('documents')
        .set(await this.#row(record, connection))
        .where('collection', '=', this.#rules.name)
        .where('id', '=', id)
        .execute();
      // A smaller record may be written even over the quota, after the quota was lowered.
      if (JSON.stringify(record).length > JSON.stringify(present).length) await this.#requireRoom(connection);
      if (this.#rules.unique?.(present) !== this.#rules.unique?.(record)) await this.#recordFreed(present, connection);
      await this.#rules.replaced?.(present, record, connection);
      return record;
    });
  }

  /**
   * Writes records, each new or in place of the one with its ID, in a transaction of the caller,
   * together with other changes. Not for records with a unique key. The caller calls `recordWrite`
   * when the transaction is over. If the quota has no space for new records, none is written: the
   * other changes matter more.
   */
  async putAll(records: readonly T[], connection: Connection, yielder = new Yielder()): Promise<void> {
    if (records.length === 0) return;
    for (let first = 0; first < records.length; first += rowsAtOnce) {
      await yielder.maybeYield();
      const rows = [];
      for (const record of records.slice(first, first + rowsAtOnce))
        rows.push({ collection: this.#rules.name, id: record.id, ...(await this.#row(record, connection)) });
      await connection
        .insertInto('documents')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['collection', 'id']).doUpdateSet(({ ref }) => ({
            unique_key: ref('excluded.unique_key'),
            dataset_id: ref('excluded.dataset_id'),
            body: ref('excluded.body'),
          })),
        )
        .execute();
    }
    if (exceededLimit(await documentsIn(connection, this.#rules.name), this.#quota) === undefined) return;
    await this.deleteAll(
      records.map(({ id }) => id),
      connection,
    );
  }

  /**
   * Rewrites an existing record in a transaction of the caller, who calls `recordWrite` afterwards.
   * The quota does not apply: the caller removes rights. Not for records with a unique key.
   */
  async rewrite(record: T, connection: Connection): Promise<void> {
    await connection
      .updateTable('documents')
      .set({ body: JSON.stringify(record) })
      .where('collection', '=', this.#rules.name)
      .where('id', '=', record.id)
      .execute();
  }

  /**
   * Writes a record with an ID chosen by the caller, new or in place of the present one. Not for
   * records with a unique key.
   * @param make computes the new record from the present one; if it throws, nothing changes
   * @throws HttpError `quota-reached`, and errors of `make`
   */
  async write(id: string, make: (present: T | undefined) => Omit<T, 'id'>, within?: Connection): Promise<T> {
    return this.#write(within, async (connection) => {
      const record = { ...make(await this.find('id', id, connection)), id } as T;
      await this.#put(record, connection);
      await this.#requireRoom(connection, record.id);
      return record;
    });
  }

  async #put(record: T, connection: Connection): Promise<void> {
    const row = await this.#row(record, connection);
    await connection
      .insertInto('documents')
      .values({ collection: this.#rules.name, id: record.id, ...row })
      .onConflict((conflict) => conflict.columns(['collection', 'id']).doUpdateSet(row))
      .execute();
  }

  /**
   * After a transaction of a caller that wrote records, committed or not: later lists read the
   * records again.
   */
  recordWrite(): void {
    this.#writes++;
    this.#rules.changed?.();
  }

  /** @throws HttpError `not-found` */
  async delete(id: string, within?: Connection): Promise<T> {
    return this.#write(within, async (connection) => {
      const record = await this.get(id, connection);
      await connection
        .deleteFrom('documents')
        .where('collection', '=', this.#rules.name)
        .where('id', '=', id)
        .execute();
      await this.#recordFreed(record, connection);
      await this.#rules.removed?.(record, connection);
      return record;
    });
  }

  /**
   * Deletes records in a transaction of the caller, who calls `recordWrite` when it is over. Not
   * for records with a unique key.
   */
  async deleteAll(ids: readonly string[], connection: Connection): Promise<void> {
    for (let first = 0; first < ids.length; first += maxNamed)
      await connection
        .deleteFrom('documents')
        .where('collection', '=', this.#rules.name)
        .where('id', 'in', ids.slice(first, first + maxNamed))
        .execute();
  }

  /** @param written must stay if the oldest are deleted */
  async #requireRoom(connection: Connection, written = ''): Promise<void> {
    const present = () => documentsIn(connection, this.#rules.name);
    while (this.#rules.oldestGo === true && exceededLimit(await present(), this.#quota) !== undefined) {
      const oldest = await connection
        .selectFrom('documents')
        .select('id')
        .where('collection', '=', this.#rules.name)
        .where('id', '!=', written)
        .orderBy('position')
        .limit(1)
        .executeTakeFirst();
      if (oldest === undefined) break;
      await connection
        .deleteFrom('documents')
        .where('collection', '=', this.#rules.name)
        .where('id', '=', oldest.id)
        .execute();
    }
    requireRoom(this.#rules.kind, await present(), this.#quota);
  }

  async #recordFreed(record: T, connection: Connection): Promise<void> {
    const key = this.#rules.unique?.(record);
    if (key !== undefined) await this.#rules.freed?.(key, connection);
  }

  /** Runs a transaction; lists that begin after it see its writes. */
  async #write<R>(within: Connection | undefined, work: (connection: Connection) => Promise<R>): Promise<R> {
    if (within !== undefined) return work(within);
    return changeTogether(this.#database, [this], work);
  }

  async #row(record: T, connection: Connection) {
    return {
      unique_key: this.#rules.unique?.(record) ?? null,
      dataset_id: (await this.#rules.datasetId?.(record, connection)) ?? null,
      body: JSON.stringify(record),
    };
  }

  async #checkUnique(record: T, connection: Connection): Promise<void> {
    const key = this.#rules.unique?.(record);
    if (key === undefined) return;
    const holder = await this.find('unique_key', key, connection);
    if (holder !== undefined && holder.id !== record.id) {
      throw httpError('already-exists', { kind: this.#rules.kind, name: this.#rules.named?.(record) ?? key });
    }
    await this.#rules.requireFree?.(key, connection);
  }
}

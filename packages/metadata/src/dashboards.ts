import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { httpError } from '@millrace/api/errors';
import { type Clock, timestamp } from './clock.js';
import type { Connection, Database, Tables } from './database.js';
import { requestBounds } from '@millrace/api/limits';
import { inPages } from '@millrace/runtime/async/paginate';

/** A dashboard. `document` is JSON text, stored verbatim. */
export interface DashboardRecord {
  readonly uid: string;
  readonly id: string;
  /** A user's id, or `X-AXIOM-EVERYONE`. */
  readonly owner: string;
  readonly name: string;
  /** Starts at 1 and rises with each write. */
  readonly version: number;
  readonly document: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** Content of a dashboard write. */
export interface DashboardContent extends Pick<DashboardRecord, 'owner' | 'name' | 'document'> {
  readonly message: string;
}

/** Limits for dashboards. */
export interface DashboardQuota {
  readonly records: number;
  /** Of all documents together. */
  readonly bytes: number;
  /** Maximum bytes of all earlier versions of one dashboard. */
  readonly versionBytes: number;
}

/** Computes the new content of a dashboard. */
type ContentRewriter = (present: DashboardRecord) => DashboardContent;

/** Dashboards and their newest versions. */
export class DashboardStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Dashboards of some owners, by name, in pages that fit into memory. */
  async *list(
    owners: readonly string[],
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): AsyncGenerator<readonly DashboardRecord[]> {
    const all = await this.#database
      .selectFrom('dashboards')
      .select(['uid as key', lengthOfDocument.as('length')])
      .where('owner', 'in', owners)
      .orderBy('name')
      .orderBy('uid')
      .limit(limit)
      .offset(offset)
      .execute();
    yield* inPages(all, (uids) => this.#page(uids, owners));
  }

  /** Dashboards by their keys, in that order; deleted ones are left out. */
  async #page(uids: readonly string[], owners: readonly string[]): Promise<readonly DashboardRecord[]> {
    const rows = await this.#database
      .selectFrom('dashboards')
      .selectAll()
      .where('uid', 'in', uids)
      .where('owner', 'in', owners)
      .execute();
    const found = new Map(rows.map((row) => [row.uid, recordOf(row)]));
    return uids.flatMap((uid) => found.get(uid) ?? []);
  }

  async find(uid: string, connection: Connection = this.#database): Promise<DashboardRecord | undefined> {
    const row = await connection.selectFrom('dashboards').selectAll().where('uid', '=', uid).executeTakeFirst();
    return row === undefined ? undefined : recordOf(row);
  }

  /**
   * Creates or replaces a dashboard by the result of `change`, in one transaction.
   * @throws HttpError `quota-reached`, and errors of `change`; then the dashboard stays
   */
  write(
    uid: string,
    author: string,
    quota: DashboardQuota,
    change: (present: DashboardRecord | undefined) => DashboardContent,
  ): Promise<DashboardRecord> {
    return this.#database.transaction().execute(async (connection) => {
      const present = await this.find(uid, connection);
      const content = change(present);
      const record = await this.#put(uid, author, present, content, connection);
      // A smaller dashboard may be written even over the quota.
      if (present === undefined || record.document.length > present.document.length)
        await requireRoom(connection, quota);
      await forgetVersions(connection, uid, quota.versionBytes);
      return record;
    });
  }

  /**
   * Changes all dashboards of an owner, in several transactions: they may total a hundred
   * megabytes, and all other reads and writes wait for the end of a transaction.
   */
  async rewriteOwned(owner: string, author: string, change: ContentRewriter): Promise<void> {
    const all = await this.#keysOf(owner, this.#database);
    for await (const _ of inPages(all, (uids) =>
      this.#database.transaction().execute((connection) => this.#rewrite(uids, owner, author, change, connection)),
    ));
  }

  /**
   * Changes the dashboards that are left, or were added since.
   * @param connection the transaction that removes the owner
   */
  async rewriteRest(owner: string, author: string, change: ContentRewriter, connection: Connection): Promise<void> {
    const keys = (await this.#keysOf(owner, connection)).map(({ key }) => key);
    await this.#rewrite(keys, owner, author, change, connection);
  }

  async #rewrite(
    uids: readonly string[],
    owner: string,
    author: string,
    change: ContentRewriter,
    connection: Connection,
  ): Promise<readonly string[]> {
    for (const uid of uids) {
      const present = await this.find(uid, connection);
      if (present?.owner === owner) await this.#put(uid, author, present, change(present), connection);
    }
    return uids;
  }

  #keysOf(owner: string, connection: Connection) {
    return connection
      .selectFrom('dashboards')
      .select(['uid as key', lengthOfDocument.as('length')])
      .where('owner', '=', owner)
      .execute();
  }

  /** @throws HttpError `not-found`, and errors of `check` */
  async delete(uid: string, check: (present: DashboardRecord) => void): Promise<void> {
    await this.#database.transaction().execute(async (connection) => {
      const present = await this.find(uid, connection);
      if (present === undefined) throw httpError('not-found', { kind: 'dashboard', name: uid });
      check(present);
      await connection.deleteFrom('dashboard_versions').where('uid', '=', uid).execute();
      await connection.deleteFrom('dashboards').where('uid', '=', uid).execute();
    });
  }

  async #put(
    uid: string,
    author: string,
    present: DashboardRecord | undefined,
    { message, ...content }: DashboardContent,
    connection: Connection,
  ): Promise<DashboardRecord> {
    const now = timestamp(this.#clock);
    const record: DashboardRecord = {
      uid,
      ...content,
      id: present?.id ?? randomBytes(9).toString('hex'),
      version: (present?.version ?? 0) + 1,
      createdAt: present?.createdAt ?? now,
      createdBy: present?.createdBy ?? author,
      updatedAt: now,
      updatedBy: author,
    };
    const row = rowOf(record);
    if (present === undefined) await connection.insertInto('dashboards').values(row).execute();
    else await connection.updateTable('dashboards').set(row).where('uid', '=', uid).execute();
    await keepVersion(connection, record, message);
    return record;
  }
}

const lengthOfDocument = sql<number>`octet_length(document)`;

async function requireRoom(connection: Connection, quota: DashboardQuota): Promise<void> {
  const { records, bytes } = await connection
    .selectFrom('dashboards')
    .select(({ fn }) => [fn.countAll<number>().as('records'), sql<number>`sum(octet_length(document))`.as('bytes')])
    .executeTakeFirstOrThrow();
  if (Number(records) > quota.records)
    throw httpError('quota-reached', {
      problem: `there are ${quota.records} dashboards already`,
      setting: 'MILLRACE_MAX_DASHBOARDS',
    });
  if (Number(bytes) > quota.bytes)
    throw httpError('quota-reached', {
      problem: `all dashboards would take more than ${quota.bytes} bytes together`,
      setting: 'MILLRACE_MAX_ALL_DASHBOARD_BYTES',
    });
}

/** Deletes the oldest versions of a dashboard beyond the limit. */
async function forgetVersions(connection: Connection, uid: string, max: number): Promise<void> {
  const versions = await connection
    .selectFrom('dashboard_versions')
    .select(['version', lengthOfDocument.as('length')])
    .where('uid', '=', uid)
    .orderBy('version', 'desc')
    .execute();
  let bytes = 0;
  // The first one is the present version.
  const oldest = versions.slice(1).find(({ length }) => (bytes += Number(length)) > max);
  if (oldest === undefined) return;
  await connection
    .deleteFrom('dashboard_versions')
    .where('uid', '=', uid)
    .where('version', '<=', oldest.version)
    .execute();
}

async function keepVersion(connection: Connection, record: DashboardRecord, message: string): Promise<void> {
  const { uid, version, document, updatedAt: written, updatedBy: written_by } = record;
  await connection
    .insertInto('dashboard_versions')
    .values({ uid, version, document, message, written, written_by })
    .execute();
  await connection
    .deleteFrom('dashboard_versions')
    .where('uid', '=', uid)
    .where('version', '<=', version - requestBounds.dashboardVersions.max)
    .execute();
}

const recordOf = (row: Selectable<Tables['dashboards']>): DashboardRecord => ({
  uid: row.uid,
  id: row.id,
  owner: row.owner,
  name: row.name,
  version: row.version,
  document: row.document,
  createdAt: row.created,
  createdBy: row.created_by,
  updatedAt: row.updated,
  updatedBy: row.updated_by,
});

const rowOf = ({ createdAt, createdBy, updatedAt, updatedBy, ...same }: DashboardRecord): Tables['dashboards'] => ({
  ...same,
  created: createdAt,
  created_by: createdBy,
  updated: updatedAt,
  updated_by: updatedBy,
});

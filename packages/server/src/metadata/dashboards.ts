import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { httpError } from '../errors.js';
import { type Clock, timestamp } from './clock.js';
import type { Connection, Database, Tables } from './database.js';

/** A dashboard. `document` is JSON text, kept to the byte. */
export interface DashboardRecord {
  readonly uid: string;
  readonly id: string;
  /** A user's id, or `X-AXIOM-EVERYONE`. */
  readonly owner: string;
  readonly name: string;
  /** 1 when it is made, one more with each write. */
  readonly version: number;
  readonly document: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** What a write says of a dashboard. */
export interface DashboardContent extends Pick<DashboardRecord, 'owner' | 'name' | 'document'> {
  readonly message: string;
}

/** Versions of one dashboard that are kept. */
const keptVersions = 50;

/** Dashboards and their newest versions. */
export class DashboardStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Those of some owners, by name. */
  async list(
    owners: readonly string[],
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<readonly DashboardRecord[]> {
    const rows = await this.#database
      .selectFrom('dashboards')
      .selectAll()
      .where('owner', 'in', owners)
      .orderBy('name')
      .orderBy('uid')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(recordOf);
  }

  async find(uid: string, connection: Connection = this.#database): Promise<DashboardRecord | undefined> {
    const row = await connection.selectFrom('dashboards').selectAll().where('uid', '=', uid).executeTakeFirst();
    return row === undefined ? undefined : recordOf(row);
  }

  /**
   * Makes or replaces a dashboard by what `change` makes of the present one, in one transaction.
   * @param most dashboards there may be
   * @throws HttpError `quota-reached` when there are as many already, and whatever `change` throws;
   * then nothing changes
   */
  write(
    uid: string,
    author: string,
    most: number,
    change: (present: DashboardRecord | undefined) => DashboardContent,
  ): Promise<DashboardRecord> {
    return this.#database.transaction().execute(async (connection) => {
      const present = await this.find(uid, connection);
      const content = change(present);
      if (present === undefined) await requireRoom(connection, most);
      return this.#put(uid, author, present, content, connection);
    });
  }

  /**
   * Changes all dashboards of an owner.
   * @param connection the transaction that removes the owner
   */
  async rewriteOwned(
    owner: string,
    author: string,
    change: (present: DashboardRecord) => DashboardContent,
    connection: Connection,
  ): Promise<void> {
    const rows = await connection.selectFrom('dashboards').selectAll().where('owner', '=', owner).execute();
    for (const present of rows.map(recordOf))
      await this.#put(present.uid, author, present, change(present), connection);
  }

  /** @throws HttpError `not-found`, and whatever `check` throws */
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

async function requireRoom(connection: Connection, most: number): Promise<void> {
  const { present } = await connection
    .selectFrom('dashboards')
    .select(({ fn }) => fn.countAll<number>().as('present'))
    .executeTakeFirstOrThrow();
  if (Number(present) >= most)
    throw httpError('quota-reached', {
      problem: `there are ${most} dashboards already`,
      setting: 'MILLRACE_MAX_DASHBOARDS',
    });
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
    .where('version', '<=', version - keptVersions)
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

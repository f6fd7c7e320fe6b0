import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { httpError } from '@millrace/api/errors';
import { type Clock, timestamp } from './clock.js';
import type { Connection, Database, Tables } from './database.js';
import { type Quota, requireRoom, rowsIn } from './quota.js';

export interface UserRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** ID of the user's base role; groups and roles may add more. */
  readonly role: string;
  readonly created: string;
  /** Absent for users made by hand or at a sign-in. */
  readonly provisioned?: ProvisionedUser;
  /** Since when the user cannot sign in. */
  readonly deactivated?: string;
}

/** What a provider pushed of a user by SCIM. */
export interface ProvisionedUser {
  readonly userName?: string;
  readonly externalId?: string;
  readonly givenName?: string;
  readonly familyName?: string;
}

/** The users of the server. The last owner can be neither removed nor demoted. */
export class UserStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #quota: Quota;

  /**
   * @param changed called after each change; also after a failed one, because a commit may take
   * effect and still report a failure
   */
  constructor(database: Database, clock: Clock, changed: () => void, quota: Quota) {
    this.#database = database;
    this.#clock = clock;
    this.#onChange = changed;
    this.#quota = quota;
  }

  /** All users, oldest first. */
  async list(): Promise<readonly UserRecord[]> {
    const rows = await this.#database.selectFrom('users').selectAll().orderBy('created').orderBy('id').execute();
    return rows.map(recordOf);
  }

  async find(id: string, connection: Connection = this.#database): Promise<UserRecord | undefined> {
    const row = await connection.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : recordOf(row);
  }

  /** @throws HttpError `not-found` */
  async get(id: string, connection: Connection = this.#database): Promise<UserRecord> {
    const user = await this.find(id, connection);
    if (user === undefined) throw httpError('not-found', { kind: 'user', name: id });
    return user;
  }

  /** @throws HttpError `not-found` for the first unknown ID */
  async requireAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.get(id);
  }

  /** @throws HttpError `already-exists` when a user has the address, in any spelling */
  async create(user: Pick<UserRecord, 'email' | 'name' | 'role'>): Promise<UserRecord> {
    const record = { id: `usr_${randomBytes(12).toString('hex')}`, ...user, created: timestamp(this.#clock) };
    const created = this.#database.transaction().execute(async (connection) => {
      await requireFreeAddress(user.email, connection);
      await connection
        .insertInto('users')
        .values({ ...record, provisioned: null, deactivated: null })
        .execute();
      requireRoom('user', await rowsIn(connection, 'users'), this.#quota);
    });
    await created.finally(this.#onChange);
    return record;
  }

  /** @throws HttpError `not-found`, `protected-resource` */
  async update(id: string, change: Partial<Pick<UserRecord, 'name' | 'role'>>): Promise<UserRecord> {
    const updated = this.#database.transaction().execute(async (connection) => {
      const next = { ...(await this.get(id, connection)), ...change };
      await connection.updateTable('users').set({ name: next.name, role: next.role }).where('id', '=', id).execute();
      await checkOwners(connection);
      return next;
    });
    return updated.finally(this.#onChange);
  }

  /**
   * Sets what a provider pushes of a user. Deactivation deletes the user's personal tokens, and
   * their sessions with them.
   * @throws HttpError `not-found`, `already-exists`
   */
  async provision(
    id: string,
    {
      email,
      name,
      active,
      provisioned,
    }: Pick<UserRecord, 'email' | 'name'> & {
      readonly active: boolean;
      readonly provisioned: ProvisionedUser;
    },
  ): Promise<UserRecord> {
    const updated = this.#database.transaction().execute(async (connection) => {
      const before = await this.get(id, connection);
      await requireFreeAddress(email, connection, id);
      const deactivated = active ? null : (before.deactivated ?? timestamp(this.#clock));
      await connection
        .updateTable('users')
        .set({ email, name, provisioned: JSON.stringify(provisioned), deactivated })
        .where('id', '=', id)
        .execute();
      if (!active)
        await connection.deleteFrom('tokens').where('user_id', '=', id).where('kind', '=', 'personal').execute();
      return this.get(id, connection);
    });
    return updated.finally(this.#onChange);
  }

  /** The active user whom a provider pushed with this name or external ID. */
  async findProvisioned(value: string): Promise<UserRecord | undefined> {
    const rows = await this.#database.selectFrom('users').selectAll().where('provisioned', 'is not', null).execute();
    return rows
      .map(recordOf)
      .find(
        ({ provisioned: { userName = '', externalId } = {}, deactivated }) =>
          deactivated === undefined && (externalId === value || addressOf(userName) === addressOf(value)),
      );
  }

  /**
   * Whether a user could be removed now.
   * @throws HttpError `not-found`, `protected-resource`
   */
  async requireRemovable(id: string): Promise<void> {
    await this.get(id);
    await checkOwners(this.#database, id);
  }

  /**
   * Removes a user and the user's personal tokens.
   * @param leave reassigns the user's resources, in the same transaction
   * @throws HttpError `not-found`, `protected-resource`
   */
  async delete(id: string, leave?: (connection: Connection) => Promise<void>): Promise<void> {
    const deleted = this.#database.transaction().execute(async (connection) => {
      await this.get(id, connection);
      await connection.deleteFrom('tokens').where('user_id', '=', id).where('kind', '=', 'personal').execute();
      await connection.deleteFrom('users').where('id', '=', id).execute();
      await leave?.(connection);
      await checkOwners(connection);
    });
    await deleted.finally(this.#onChange);
  }

  /** The first owner, created if there is none yet. */
  async owner(): Promise<UserRecord> {
    const found = await this.#firstOwner();
    if (found !== undefined) return found;
    const making = this.create({ email: 'owner@localhost', name: 'Owner', role: 'owner' });
    // Nodes that start at the same moment may all find none.
    return making.catch(async (error: unknown) => (await this.#firstOwner()) ?? Promise.reject(error));
  }

  async #firstOwner(): Promise<UserRecord | undefined> {
    const owners = this.#database.selectFrom('users').selectAll().where('role', '=', 'owner');
    const row = await owners.orderBy('created').orderBy('id').executeTakeFirst();
    return row && recordOf(row);
  }
}

/**
 * The key for comparing addresses: neither case nor the two encodings of a letter with an accent
 * matter. SQLite cannot compute it, because it knows only the case of ASCII. Addresses are stored
 * as entered.
 */
export const addressOf = (email: string): string => email.toLowerCase().normalize('NFC');

/**
 * Checks that an owner remains, who can grant rights.
 * @param without this user
 */
async function checkOwners(connection: Connection, without = ''): Promise<void> {
  const owner = await connection
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'owner')
    .where('id', '!=', without)
    .executeTakeFirst();
  if (owner === undefined)
    throw httpError('protected-resource', { reason: 'cannot change the role of the last owner' });
}

/** @throws HttpError `already-exists` when another user has the address, in any spelling */
async function requireFreeAddress(email: string, connection: Connection, own?: string): Promise<void> {
  const others = await connection.selectFrom('users').select(['id', 'email']).execute();
  if (others.some((other) => other.id !== own && addressOf(other.email) === addressOf(email)))
    throw httpError('already-exists', { kind: 'user', name: email });
}

function recordOf(row: Selectable<Tables['users']>): UserRecord {
  const { id, email, name, role, created, provisioned, deactivated } = row;
  return {
    id,
    email,
    name,
    role,
    created,
    ...(provisioned !== null && { provisioned: JSON.parse(provisioned) as ProvisionedUser }),
    ...(deactivated !== null && { deactivated }),
  };
}

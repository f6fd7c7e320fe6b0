import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { httpError } from '@millrace/api/errors';
import { requestBounds } from '@millrace/api/limits';
import { noCapabilities } from '@millrace/api/schemas/capabilities';
import { type Clock, timestamp } from '../clock.js';
import type { Connection, Database, Tables } from '../database.js';
import { identityTokenId } from './identity-token.js';
import { hashSecret, newSecret } from '../secrets.js';
import { addressOf } from '../users.js';

/** A user's account at a sign-in provider, or an invitation to sign in with one. */
export interface IdentityRecord {
  readonly id: string;
  readonly userId: string;
  readonly provider: string;
  readonly issuer: string;
  /** Absent for an invitation. */
  readonly subject?: string;
  /** Address that the provider sent last. Not an identifier. */
  readonly email: string;
  readonly created: string;
  readonly lastSignIn?: string;
  /** End of an invitation. */
  readonly expires?: string;
}

type NewIdentity = Pick<IdentityRecord, 'userId' | 'provider' | 'issuer' | 'subject' | 'email' | 'expires'>;

const ofUser = requestBounds.identitiesOfUser.max;

/**
 * Identities of users at providers. Issuer and subject identify a user, both compared exactly; an
 * e-mail address never does, because its owner may change.
 */
export class IdentityStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onChange: () => void;

  /** @param changed called after each change, for caches of permissions */
  constructor(database: Database, clock: Clock, changed: () => void) {
    this.#database = database;
    this.#clock = clock;
    this.#onChange = changed;
  }

  /** Identities and invitations of a user, oldest first. */
  async list(userId: string): Promise<readonly IdentityRecord[]> {
    const rows = await this.#database
      .selectFrom('identities')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created')
      .orderBy('id')
      .execute();
    return rows.map(recordOf);
  }

  async find(id: string): Promise<IdentityRecord | undefined> {
    const row = await this.#database.selectFrom('identities').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : recordOf(row);
  }

  async findBySubject(issuer: string, subject: string): Promise<IdentityRecord | undefined> {
    const row = await this.#database
      .selectFrom('identities')
      .selectAll()
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row === undefined ? undefined : recordOf(row);
  }

  /**
   * Adds an identity or an invitation, and the token that its sessions belong to.
   * @throws HttpError `already-exists` when a user has this subject, `protected-resource`
   */
  async create(identity: NewIdentity): Promise<IdentityRecord> {
    const { userId, provider, issuer, subject, email, expires } = identity;
    const row = {
      id: randomUUID(),
      user_id: userId,
      provider,
      issuer,
      subject: subject ?? null,
      email,
      created: timestamp(this.#clock),
      last_sign_in: null,
      expires: expires ?? null,
    };
    const created = this.#database.transaction().execute(async (connection) => {
      await connection.deleteFrom('identities').where('expires', '<=', timestamp(this.#clock)).execute();
      const taken = connection.selectFrom('identities').select('id').where('issuer', '=', issuer);
      if (subject !== undefined && (await taken.where('subject', '=', subject).executeTakeFirst()) !== undefined)
        throw httpError('already-exists', { kind: 'identity', name: subject });
      const own = await connection.selectFrom('identities').select('id').where('user_id', '=', userId).execute();
      if (own.length >= ofUser)
        throw httpError('protected-resource', { reason: `a user has at most ${ofUser} identities; delete one` });
      await connection.insertInto('identities').values(row).execute();
      if (subject !== undefined) await this.#createToken(row, connection);
    });
    await created.finally(this.#onChange);
    return recordOf(row);
  }

  /**
   * Turns an invitation for a verified address into an identity.
   * @returns undefined if no user with this address is invited to this provider
   */
  async acceptInvitation(
    { issuer, subject }: { readonly issuer: string; readonly subject: string },
    email: string,
  ): Promise<IdentityRecord | undefined> {
    const accepted = this.#database.transaction().execute(async (connection) => {
      const found = await this.#invitation(issuer, email, connection);
      if (found === undefined) return undefined;
      const { address: _, ...row } = found;
      await connection
        .updateTable('identities')
        .set({ subject, email, expires: null })
        .where('id', '=', row.id)
        .execute();
      await this.#createToken(row, connection);
      return recordOf({ ...row, subject, email, expires: null });
    });
    return accepted.finally(this.#onChange);
  }

  /** Whether a user with this address is invited. */
  async isInvited(issuer: string, email: string): Promise<boolean> {
    return (await this.#invitation(issuer, email, this.#database)) !== undefined;
  }

  async #invitation(issuer: string, email: string, connection: Connection) {
    const invited = await connection
      .selectFrom('identities')
      .innerJoin('users', 'users.id', 'identities.user_id')
      .selectAll('identities')
      .select('users.email as address')
      .where('issuer', '=', issuer)
      .where('subject', 'is', null)
      .where('expires', '>', timestamp(this.#clock))
      .execute();
    return invited.find(({ address }) => addressOf(address) === addressOf(email));
  }

  /** Records a sign-in, and restores the token if it was deleted to end all sessions. */
  async noteSignIn({ id, email }: Pick<IdentityRecord, 'id' | 'email'>): Promise<void> {
    const noted = this.#database.transaction().execute(async (connection) => {
      await connection
        .updateTable('identities')
        .set({ email, last_sign_in: timestamp(this.#clock) })
        .where('id', '=', id)
        .execute();
      const row = await connection.selectFrom('identities').selectAll().where('id', '=', id).executeTakeFirst();
      // Deleted while the sign-in was in flight.
      if (row === undefined) throw httpError('not-found', { kind: 'identity', name: id });
      const token = connection.selectFrom('tokens').select('id').where('id', '=', identityTokenId(id));
      if ((await token.executeTakeFirst()) === undefined) await this.#createToken(row, connection);
    });
    await noted.finally(this.#onChange);
  }

  /** The last sign-in of a user with any provider; undefined if the user has no identity. */
  async lastSignIn(userId: string): Promise<string | undefined> {
    const identities = (await this.list(userId)).filter(({ subject }) => subject !== undefined);
    return identities
      .map(({ lastSignIn, created }) => lastSignIn ?? created)
      .toSorted()
      .at(-1);
  }

  /**
   * Deletes an identity with its token and sessions.
   * @throws HttpError `not-found`
   */
  async delete(userId: string, id: string): Promise<void> {
    const deleted = this.#database.transaction().execute(async (connection) => {
      const { numDeletedRows } = await connection
        .deleteFrom('identities')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw httpError('not-found', { kind: 'identity', name: id });
      await connection.deleteFrom('tokens').where('id', '=', identityTokenId(id)).execute();
    });
    await deleted.finally(this.#onChange);
  }

  /** IDs of the groups that the provider put the user in. */
  async groupsGiven(id: string): Promise<readonly string[]> {
    const rows = await this.#database
      .selectFrom('identity_groups')
      .select('group_id')
      .where('identity_id', '=', id)
      .execute();
    return rows.map(({ group_id }) => group_id);
  }

  async setGroupsGiven(id: string, groups: readonly string[]): Promise<void> {
    await this.#database.transaction().execute(async (connection) => {
      await connection.deleteFrom('identity_groups').where('identity_id', '=', id).execute();
      for (const group of groups)
        await connection.insertInto('identity_groups').values({ identity_id: id, group_id: group }).execute();
    });
  }

  /** The token that sessions of an identity belong to. Its secret is discarded. */
  async #createToken({ id, user_id, provider }: Row, connection: Connection): Promise<void> {
    const row = {
      id: identityTokenId(id),
      kind: 'personal' as const,
      hash: hashSecret(newSecret('personal')),
      name: `Sign-in with ${provider}`,
      description: 'Holds the sessions of this sign-in; deleting it ends them.',
      user_id,
      capabilities: JSON.stringify(noCapabilities),
      created: timestamp(this.#clock),
      expires: null,
      within: null,
      identity_id: null,
    };
    await connection.insertInto('tokens').values(row).execute();
  }
}

type Row = Selectable<Tables['identities']>;

const recordOf = (row: Row): IdentityRecord => ({
  id: row.id,
  userId: row.user_id,
  provider: row.provider,
  issuer: row.issuer,
  ...(row.subject !== null && { subject: row.subject }),
  email: row.email,
  created: row.created,
  ...(row.last_sign_in !== null && { lastSignIn: row.last_sign_in }),
  ...(row.expires !== null && { expires: row.expires }),
});

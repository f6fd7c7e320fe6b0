import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type Capabilities, noCapabilities } from '@millrace/api/schemas/capabilities';
import { hashSecret, newSecret, sameHash, type TokenKind } from './secrets.js';
import { identityOfToken, isIdentityToken } from './sign-in/identity-token.js';
import { httpError } from '@millrace/api/errors';
import { type Clock, timestamp } from './clock.js';
import type { Connection, Database, Tables } from './database.js';
import { inPages, collectPages } from '@millrace/runtime/async/paginate';
import { bytesOfRow, type Quota, requireRoom, rowsIn } from './quota.js';

export interface TokenRecord {
  readonly id: string;
  readonly kind: TokenKind;
  readonly name: string;
  readonly description: string;
  /** User of a personal token, or the user who created the API token. */
  readonly userId: string;
  /** Permissions of an API token; a personal token has those of its user instead. */
  readonly capabilities: Capabilities;
  readonly created: string;
  readonly expires?: string;
  /**
   * The limit of a personal token's permissions: those of the user who created it for another user.
   */
  readonly within?: readonly Capabilities[];
  /**
   * The identity that its user was signed in with when creating it. So a provider vouched for who
   * has the token, which an administrator who links identities cannot bring about.
   */
  readonly identityId?: string;
}

interface NewToken {
  readonly kind: TokenKind;
  readonly name: string;
  readonly description?: string | undefined;
  readonly userId: string;
  readonly capabilities?: Capabilities | undefined;
  readonly expires?: string | undefined;
  readonly within?: readonly Capabilities[] | undefined;
  readonly identityId?: string | undefined;
}

export interface IssuedToken {
  readonly token: TokenRecord;
  /** Returned once; only its hash is stored. */
  readonly secret: string;
}

/** The ID of the personal token that comes from the settings or is created at the first start. */
const ownerTokenId = 'owner';

export const isOwnerToken = (id: string): boolean => id === ownerTokenId;

export class TokenStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #quota: Quota;
  readonly #org: number;

  /**
   * @param changed called after each change, for caches of permissions; also after a failed one,
   * because a commit may take effect and still report a failure
   * @param org number of the organization
   */
  constructor(database: Database, clock: Clock, changed: () => void, quota: Quota, org = 0) {
    this.#org = org;
    this.#database = database;
    this.#clock = clock;
    this.#onChange = changed;
    this.#quota = quota;
  }

  /** Tokens of a kind, oldest first. */
  async list(kind: TokenKind): Promise<readonly TokenRecord[]> {
    const all = await this.#database
      .selectFrom('tokens')
      .select(['id as key', bytesOfRow('tokens').as('length')])
      .where('kind', '=', kind)
      .orderBy('created')
      .orderBy('id')
      .execute();
    return collectPages(inPages(all, (ids) => this.#page(ids)));
  }

  async #page(ids: readonly string[]): Promise<readonly TokenRecord[]> {
    const rows = await this.#database
      .selectFrom('tokens')
      .selectAll()
      .where('id', 'in', ids)
      .orderBy('created')
      .orderBy('id')
      .execute();
    return rows.map(recordOf);
  }

  /** The ids of all tokens, expired or not. */
  async ids(): Promise<ReadonlySet<string>> {
    const rows = await this.#database.selectFrom('tokens').select('id').execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** @throws HttpError `not-found` */
  async get(kind: TokenKind, id: string, connection: Connection = this.#database): Promise<TokenRecord> {
    const row = await connection
      .selectFrom('tokens')
      .selectAll()
      .where('id', '=', id)
      .where('kind', '=', kind)
      .executeTakeFirst();
    if (row === undefined) throw httpError('not-found', { kind: 'token', name: id });
    return recordOf(row);
  }

  /** The token a secret belongs to, expired or not. */
  async findBySecret(secret: string): Promise<TokenRecord | undefined> {
    const hash = hashSecret(secret);
    const row = await this.#database.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
    return row !== undefined && sameHash(row.hash, hash) ? recordOf(row) : undefined;
  }

  /** A token of either kind. */
  async find(id: string): Promise<TokenRecord | undefined> {
    const row = await this.#database.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : recordOf(row);
  }

  async create(token: NewToken): Promise<IssuedToken> {
    const created = this.#database.transaction().execute(async (connection) => {
      const issued = await this.#insert(token, newSecret(token.kind, this.#org), randomUUID(), connection);
      requireRoom('token', await rowsIn(connection, 'tokens'), this.#quota);
      return issued;
    });
    return created.finally(this.#onChange);
  }

  /**
   * Gives a token a successor with a new ID and secret; the old one works until `existingExpires`,
   * unless it has expired before.
   * @param successor properties of the new token; the others are copied from the old one
   * @throws HttpError `not-found`
   */
  async regenerate(id: string, existingExpires: string, successor: Partial<NewToken>): Promise<IssuedToken> {
    const regenerated = this.#database.transaction().execute(async (connection) => {
      const { name, description, userId, capabilities, expires } = await this.get('api', id, connection);
      // An expired secret may have leaked, so it is not extended.
      const isOver = expires !== undefined && Date.parse(expires) <= this.#clock();
      if (!isOver)
        await connection.updateTable('tokens').set({ expires: existingExpires }).where('id', '=', id).execute();
      const token: NewToken = { name, description, userId, capabilities, ...successor, kind: 'api' };
      const issued = await this.#insert(token, newSecret('api', this.#org), randomUUID(), connection);
      requireRoom('token', await rowsIn(connection, 'tokens'), this.#quota);
      return issued;
    });
    return regenerated.finally(this.#onChange);
  }

  /** @throws HttpError `not-found` */
  async delete(kind: TokenKind, id: string): Promise<void> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('tokens')
      .where('id', '=', id)
      .where('kind', '=', kind)
      .executeTakeFirst()
      .finally(this.#onChange);
    if (numDeletedRows === 0n) throw httpError('not-found', { kind: 'token', name: id });
  }

  /** Deletes the expired API tokens of a name. */
  async deleteExpired(name: string): Promise<void> {
    await this.#database
      .deleteFrom('tokens')
      .where('kind', '=', 'api')
      .where('name', '=', name)
      .where('expires', '<=', timestamp(this.#clock))
      .execute();
  }

  /** Whether a token with a secret exists to sign in as this user. */
  async hasPersonalToken(userId: string): Promise<boolean> {
    const rows = await this.#database
      .selectFrom('tokens')
      .select('id')
      .where('kind', '=', 'personal')
      .where('user_id', '=', userId)
      .execute();
    return rows.some(({ id }) => !isIdentityToken(id));
  }

  /** Makes `secret` the owner's token, in place of the previous one. */
  async setOwnerToken(userId: string, secret: string): Promise<void> {
    const replaced = this.#database.transaction().execute(async (connection) => {
      const hash = hashSecret(secret);
      const present = await connection
        .selectFrom('tokens')
        .selectAll()
        .where('id', '=', ownerTokenId)
        .executeTakeFirst();
      if (present?.hash === hash && present.user_id === userId && present.expires === null) return;
      await connection
        .deleteFrom('tokens')
        .where((or) => or.or([or('id', '=', ownerTokenId), or('hash', '=', hash)]))
        .execute();
      await this.#insert({ kind: 'personal', name: 'Owner', userId }, secret, ownerTokenId, connection);
    });
    await replaced.finally(this.#onChange);
  }

  /** The hash of the token that `setOwnerToken` stored last, if any. */
  async ownerHash(): Promise<readonly string[]> {
    const rows = await this.#database.selectFrom('tokens').select('hash').where('id', '=', ownerTokenId).execute();
    return rows.map(({ hash }) => hash);
  }

  async #insert(token: NewToken, secret: string, id: string, connection: Connection): Promise<IssuedToken> {
    const row = {
      id,
      kind: token.kind,
      hash: hashSecret(secret),
      name: token.name,
      description: token.description ?? '',
      user_id: token.userId,
      capabilities: JSON.stringify(token.capabilities ?? noCapabilities),
      created: timestamp(this.#clock),
      expires: token.expires ?? null,
      within: token.within === undefined ? null : JSON.stringify(token.within),
      identity_id: token.identityId ?? null,
    };
    await connection.insertInto('tokens').values(row).execute();
    return { token: recordOf(row), secret };
  }
}

function recordOf(row: Selectable<Tables['tokens']>): TokenRecord {
  const identityId = isIdentityToken(row.id) ? identityOfToken(row.id) : row.identity_id;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    description: row.description,
    userId: row.user_id,
    capabilities: JSON.parse(row.capabilities) as Capabilities,
    created: row.created,
    ...(row.expires !== null && { expires: row.expires }),
    ...(row.within !== null && { within: JSON.parse(row.within) as readonly Capabilities[] }),
    ...(identityId !== null && { identityId }),
  };
}

import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type Capabilities, noCapabilities } from '../schemas/capabilities.js';
import { hashSecret, newSecret, sameHash, type TokenKind } from './secrets.js';
import { httpError } from '../errors.js';
import { type Clock, timestamp } from './clock.js';
import type { Connection, Database, Tables } from './database.js';
import { inPages, together } from '../async/in-pages.js';
import { bytesOfRow, type Quota, requireRoom, rowsIn } from './quota.js';

export interface TokenRecord {
  readonly id: string;
  readonly kind: TokenKind;
  readonly name: string;
  readonly description: string;
  /** Whose personal token it is, or who made the API token. */
  readonly userId: string;
  /**
   * What an API token may do; a personal token has none of its own, it may do what its user may.
   */
  readonly capabilities: Capabilities;
  readonly created: string;
  readonly expires?: string;
  /** What a personal token may do at most: what the one who made it for somebody else could. */
  readonly within?: readonly Capabilities[];
}

interface NewToken {
  readonly kind: TokenKind;
  readonly name: string;
  readonly description?: string | undefined;
  readonly userId: string;
  readonly capabilities?: Capabilities | undefined;
  readonly expires?: string | undefined;
  readonly within?: readonly Capabilities[] | undefined;
}

export interface IssuedToken {
  readonly token: TokenRecord;
  /** Given out once; only its hash is kept. */
  readonly secret: string;
}

/** The id of the personal token that comes from the settings or is made at the first start. */
const ownerTokenId = 'owner';

export class TokenStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #quota: Quota;

  /**
   * @param changed called after each change, for caches of what tokens may do; after one that
   * failed too, because a commit may take effect and still report a failure
   */
  constructor(database: Database, clock: Clock, changed: () => void, quota: Quota) {
    this.#database = database;
    this.#clock = clock;
    this.#changed = changed;
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
    return together(inPages(all, (ids) => this.#page(ids)));
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
      const issued = await this.#insert(token, newSecret(token.kind), randomUUID(), connection);
      requireRoom('token', await rowsIn(connection, 'tokens'), this.#quota);
      return issued;
    });
    return created.finally(this.#changed);
  }

  /**
   * Gives a token a successor with an id and a secret of its own; the old one works until
   * `existingExpires`, unless it has expired before.
   * @param successor members of the new token; those that are missing are taken from the old one
   * @throws HttpError `not-found`
   */
  async regenerate(id: string, existingExpires: string, successor: Partial<NewToken>): Promise<IssuedToken> {
    const regenerated = this.#database.transaction().execute(async (connection) => {
      const { name, description, userId, capabilities, expires } = await this.get('api', id, connection);
      // Whoever may have the old secret by now, it was over.
      const isOver = expires !== undefined && Date.parse(expires) <= this.#clock();
      if (!isOver)
        await connection.updateTable('tokens').set({ expires: existingExpires }).where('id', '=', id).execute();
      const token: NewToken = { name, description, userId, capabilities, ...successor, kind: 'api' };
      const issued = await this.#insert(token, newSecret('api'), randomUUID(), connection);
      requireRoom('token', await rowsIn(connection, 'tokens'), this.#quota);
      return issued;
    });
    return regenerated.finally(this.#changed);
  }

  /** @throws HttpError `not-found` */
  async delete(kind: TokenKind, id: string): Promise<void> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('tokens')
      .where('id', '=', id)
      .where('kind', '=', kind)
      .executeTakeFirst()
      .finally(this.#changed);
    if (numDeletedRows === 0n) throw httpError('not-found', { kind: 'token', name: id });
  }

  /** Whether anybody could log in as this user. */
  async hasPersonalToken(userId: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('tokens')
      .select('id')
      .where('kind', '=', 'personal')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row !== undefined;
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
    await replaced.finally(this.#changed);
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
    };
    await connection.insertInto('tokens').values(row).execute();
    return { token: recordOf(row), secret };
  }
}

function recordOf(row: Selectable<Tables['tokens']>): TokenRecord {
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
  };
}

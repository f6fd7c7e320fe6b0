import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { hashSecret, newSessionSecret, newSignInCode } from '../secrets.js';
import { httpError } from '@millrace/api/errors';
import { type Clock, timestamp } from '../clock.js';
import type { Connection, Database, Tables } from '../database.js';
import { LastUsedTracker, noteMilliseconds } from '../last-used.js';

/** A signed-in browser. Its permissions are those of its token. */
export interface SessionRecord {
  readonly id: string;
  readonly tokenId: string;
  readonly created: string;
  readonly used: string;
  /** Client address and user agent at sign-in. */
  readonly address: string;
  readonly agent: string;
  /** End that the sign-in provider or its settings gave the session. */
  readonly expires?: string;
}

/** What a session has of its sign-in provider. */
interface ProviderSession {
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** `sid` of the provider, by which it ends sessions. */
  readonly providerSession?: string | undefined;
  /** Kept only if signing out also signs out of the provider. */
  readonly idToken?: string | undefined;
}

/** How long sessions live, in milliseconds. */
export interface SessionLimits {
  /** Maximum time without a request. */
  readonly idle: number;
  /** Absolute lifetime. */
  readonly longest: number;
  /** Maximum sessions of one token, and of all; the longest idle ends first. */
  readonly maxPerToken?: number;
  readonly maxTotal?: number;
}

/** Maximum unused sign-in codes of one token, and of all; the first to expire goes. */
interface CodeLimits {
  readonly maxCodesPerToken?: number;
  readonly maxCodes?: number;
}

interface SessionPage {
  /** Filters by a token, and by all tokens of a user; all sessions if empty. */
  readonly of?: { readonly tokenId?: string; readonly userId?: string };
  readonly limit?: number;
  readonly offset?: number;
}

interface ListedSession extends SessionRecord {
  readonly tokenName: string;
  readonly userId: string;
}

/** Enough to switch to a browser, and short in case the link is left in a log or a terminal. */
const codeMilliseconds = 10 * 60_000;

/**
 * Sessions and the codes that begin them. Only hashes of both are stored; deleting a token deletes
 * its sessions and codes.
 */
export class SessionStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #uses: LastUsedTracker;
  readonly #org: number;

  /**
   * @param changed called after a session ended, to invalidate caches of sessions
   * @param org number of the organization
   */
  constructor(database: Database, clock: Clock, changed: () => void, org = 0) {
    this.#org = org;
    this.#database = database;
    this.#clock = clock;
    this.#onChange = changed;
    this.#uses = new LastUsedTracker(clock);
  }

  /** One page of sessions, oldest first, each with its token; ended ones are left out. */
  async list(
    limits: SessionLimits,
    { of = {}, limit = 100, offset = 0 }: SessionPage = {},
  ): Promise<readonly ListedSession[]> {
    const over = this.#overBy(limits);
    let chosen = this.#database
      .selectFrom('sessions')
      .innerJoin('tokens', 'tokens.id', 'sessions.token_id')
      .selectAll('sessions')
      .select(['tokens.name', 'tokens.user_id'])
      .where('sessions.created', '>', over.created)
      .where('sessions.used', '>=', over.used);
    if (of.tokenId !== undefined || of.userId !== undefined)
      chosen = chosen.where((or) =>
        or.or([
          ...(of.tokenId === undefined ? [] : [or('tokens.id', '=', of.tokenId)]),
          ...(of.userId === undefined ? [] : [or('tokens.user_id', '=', of.userId)]),
        ]),
      );
    const rows = await chosen.orderBy('sessions.created').orderBy('sessions.id').limit(limit).offset(offset).execute();
    return rows
      .map(({ name, user_id, ...row }) => ({ ...this.#recordOf(row), tokenName: name, userId: user_id }))
      .filter((session) => this.expiry(session, limits) > this.#clock());
  }

  async findBySecret(secret: string): Promise<SessionRecord | undefined> {
    const row = await this.#database
      .selectFrom('sessions')
      .selectAll()
      .where('hash', '=', hashSecret(secret))
      .executeTakeFirst();
    return row === undefined ? undefined : this.#recordOf(row);
  }

  /** @throws HttpError `not-found` */
  async get(id: string): Promise<SessionRecord> {
    const row = await this.#database.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw httpError('not-found', { kind: 'session', name: id });
    return this.#recordOf(row);
  }

  /** When a session expires unless it is used again, in milliseconds since the epoch. */
  expiry({ id, created, used, expires }: SessionRecord, { idle, longest }: SessionLimits): number {
    const lastUse = this.#uses.latest(id, Date.parse(used));
    const end = expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
    return Math.min(Date.parse(created) + longest, lastUse + idle, end);
  }

  /** Records a use of a session. */
  use({ id, used }: SessionRecord): void {
    if (!this.#uses.note(id, Date.parse(used))) return;
    const write = this.#database
      .updateTable('sessions')
      .set({ used: timestamp(this.#clock) })
      .where('id', '=', id);
    // Best effort; the next time step writes it again.
    write.execute().catch(() => undefined);
  }

  /**
   * Begins a session for a token. A session always gets a new secret: one that the browser sent
   * could have been planted by an attacker.
   * @param code the sign-in code, if any, which is used up; of two requests with the same code, one
   * is rejected
   * @param provider if a sign-in provider vouched for the user
   * @throws HttpError `unauthenticated`
   */
  async begin(
    { tokenId, address, agent }: Pick<SessionRecord, 'tokenId' | 'address' | 'agent'>,
    limits: SessionLimits,
    code?: string,
    provider?: ProviderSession,
  ): Promise<{ readonly session: SessionRecord; readonly secret: string }> {
    const secret = newSessionSecret(this.#org);
    const now = timestamp(this.#clock);
    const row = {
      id: randomUUID(),
      token_id: tokenId,
      created: now,
      used: now,
      address,
      agent,
      expires: provider === undefined ? null : timestamp(() => provider.expires),
      provider_session: provider?.providerSession ?? null,
      id_token: provider?.idToken ?? null,
    };
    const hasEnded = await this.#database.transaction().execute(async (connection) => {
      if (code !== undefined) await useUp(code, connection);
      await this.#forgetOver(limits, connection);
      await connection
        .insertInto('sessions')
        .values({ ...row, hash: hashSecret(secret) })
        .execute();
      const ended = [
        await endIdle(limits.maxPerToken, connection, tokenId),
        await endIdle(limits.maxTotal, connection),
      ];
      return ended.some(Boolean);
    });
    if (hasEnded) this.#onChange();
    return { session: this.#recordOf(row), secret };
  }

  /** @throws HttpError `not-found` */
  async end(id: string): Promise<void> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('sessions')
      .where('id', '=', id)
      .executeTakeFirst()
      .finally(this.#onChange);
    this.#uses.forget(id);
    if (numDeletedRows === 0n) throw httpError('not-found', { kind: 'session', name: id });
  }

  /**
   * Ends the sessions of a token.
   * @param providerSession only those of this session at the provider
   * @returns their number
   */
  async endOfToken(tokenId: string, providerSession?: string): Promise<number> {
    const all = this.#database.deleteFrom('sessions').where('token_id', '=', tokenId);
    const chosen = providerSession === undefined ? all : all.where('provider_session', '=', providerSession);
    const { numDeletedRows } = await chosen.executeTakeFirst().finally(this.#onChange);
    return Number(numDeletedRows);
  }

  /** Tokens of the sessions with this ID at a provider. */
  async tokensOfProviderSession(providerSession: string): Promise<readonly string[]> {
    const rows = await this.#database
      .selectFrom('sessions')
      .select('token_id')
      .distinct()
      .where('provider_session', '=', providerSession)
      .execute();
    return rows.map(({ token_id }) => token_id);
  }

  /** The ID token that a session began with, if it is kept. */
  async idTokenOf(id: string): Promise<string | undefined> {
    const row = await this.#database.selectFrom('sessions').select('id_token').where('id', '=', id).executeTakeFirst();
    return row?.id_token ?? undefined;
  }

  /** A new code that signs in one browser with a token. */
  async createCode(
    tokenId: string,
    { maxCodesPerToken, maxCodes }: CodeLimits = {},
  ): Promise<{ readonly code: string; readonly expires: string }> {
    const code = newSignInCode(this.#org);
    const expires = timestamp(() => this.#clock() + codeMilliseconds);
    await this.#database.transaction().execute(async (connection) => {
      await connection.deleteFrom('sign_in_codes').where('expires', '<=', timestamp(this.#clock)).execute();
      await connection
        .insertInto('sign_in_codes')
        .values({ hash: hashSecret(code), token_id: tokenId, expires })
        .execute();
      await forgetFirst(maxCodesPerToken, connection, tokenId);
      await forgetFirst(maxCodes, connection);
    });
    return { code, expires };
  }

  /** The token of a code, if the code is still valid. */
  async tokenOfCode(code: string): Promise<string | undefined> {
    const row = await this.#database
      .selectFrom('sign_in_codes')
      .selectAll()
      .where('hash', '=', hashSecret(code))
      .executeTakeFirst();
    // Written so that an invalid time counts as expired.
    return row !== undefined && Date.parse(row.expires) > this.#clock() ? row.token_id : undefined;
  }

  /** Removes expired sessions; the file may lack their last uses. */
  async #forgetOver(limits: SessionLimits, connection: Connection): Promise<void> {
    const over = this.#overBy(limits);
    await connection
      .deleteFrom('sessions')
      .where((or) => or.or([or('created', '<=', over.created), or('used', '<', over.used)]))
      .execute();
  }

  /** Times in the file at and before which sessions are certainly expired. */
  #overBy({ idle, longest }: SessionLimits): { readonly created: string; readonly used: string } {
    const before = (milliseconds: number): string => timestamp(() => this.#clock() - milliseconds);
    return { created: before(longest), used: before(idle + 2 * noteMilliseconds) };
  }

  #recordOf({
    id,
    token_id,
    created,
    used,
    address,
    agent,
    expires,
  }: Omit<Selectable<Tables['sessions']>, 'hash'>): SessionRecord {
    const lastUse = this.#uses.latest(id, Date.parse(used));
    const record = { id, tokenId: token_id, created, used: new Date(lastUse).toISOString(), address, agent };
    return expires === null ? record : { ...record, expires };
  }
}

/** Only the first request with a code removes its row. */
async function useUp(code: string, connection: Connection): Promise<void> {
  const { numDeletedRows } = await connection
    .deleteFrom('sign_in_codes')
    .where('hash', '=', hashSecret(code))
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw httpError('unauthenticated', { reason: 'the sign-in code has been used' });
}

/** Ends the sessions beyond a limit, the longest idle first: of a token, or of all. */
async function endIdle(max: number | undefined, connection: Connection, tokenId?: string): Promise<boolean> {
  if (max === undefined) return false;
  const all = connection.selectFrom('sessions').select('id').orderBy('used', 'desc').orderBy('created', 'desc');
  const of = tokenId === undefined ? all : all.where('token_id', '=', tokenId);
  const idle = await of.limit(pruneBatchSize).offset(max).execute();
  if (idle.length === 0) return false;
  const ids = idle.map(({ id }) => id);
  await connection.deleteFrom('sessions').where('id', 'in', ids).execute();
  return true;
}

/** Removes the codes beyond a limit, the first to expire first: of a token, or of all. */
async function forgetFirst(max: number | undefined, connection: Connection, tokenId?: string): Promise<void> {
  if (max === undefined) return;
  const all = connection.selectFrom('sign_in_codes').select('hash').orderBy('expires', 'desc');
  const of = tokenId === undefined ? all : all.where('token_id', '=', tokenId);
  const first = await of.limit(pruneBatchSize).offset(max).execute();
  if (first.length === 0) return;
  const hashes = first.map(({ hash }) => hash);
  await connection.deleteFrom('sign_in_codes').where('hash', 'in', hashes).execute();
}

/** Rows removed per request: after a lower limit the next requests remove the rest. */
const pruneBatchSize = 1000;

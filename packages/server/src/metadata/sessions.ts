import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { hashSecret, newSessionSecret, newSignInCode } from './secrets.js';
import { httpError } from '../errors.js';
import { type Clock, timestamp } from './clock.js';
import type { Connection, Database, Tables } from './database.js';
import { LastUses, noteMilliseconds } from './last-uses.js';

/** A browser that is signed in. What it may do is what its token may. */
export interface SessionRecord {
  readonly id: string;
  readonly tokenId: string;
  readonly created: string;
  readonly used: string;
  /** Where from, and with which program, as it was at the sign-in. */
  readonly address: string;
  readonly agent: string;
}

/** How long sessions live, in milliseconds. */
export interface SessionLimits {
  /** Without a request. */
  readonly idle: number;
  /** In any case. */
  readonly longest: number;
}

/**
 * Enough to switch to a browser, and too short for a link that lies about in a log or a scrollback.
 */
const codeMilliseconds = 10 * 60_000;

/**
 * Sessions and the codes that begin them. Of both only hashes are kept; a token that goes takes its
 * sessions and codes along.
 */
export class SessionStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #uses: LastUses;

  /** @param changed called after a session ended, for caches of who is signed in */
  constructor(database: Database, clock: Clock, changed: () => void) {
    this.#database = database;
    this.#clock = clock;
    this.#changed = changed;
    this.#uses = new LastUses(clock);
  }

  /** Oldest first; those that are over are left out. */
  async list(limits: SessionLimits): Promise<readonly SessionRecord[]> {
    const rows = await this.#database.selectFrom('sessions').selectAll().orderBy('created').orderBy('id').execute();
    return rows.map((row) => this.#recordOf(row)).filter((session) => this.expiry(session, limits) > this.#clock());
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

  /** When a session is over unless it is used again, in milliseconds since the epoch. */
  expiry({ id, created, used }: SessionRecord, { idle, longest }: SessionLimits): number {
    const lastUse = this.#uses.latest(id, Date.parse(used));
    return Math.min(Date.parse(created) + longest, lastUse + idle);
  }

  /** Notes that a session is used. */
  use({ id, used }: SessionRecord): void {
    if (!this.#uses.note(id, Date.parse(used))) return;
    const write = this.#database
      .updateTable('sessions')
      .set({ used: timestamp(this.#clock) })
      .where('id', '=', id);
    // Nobody waits for it, and the next step writes it again.
    write.execute().catch(() => undefined);
  }

  /**
   * Begins a session for a token. A session always gets a new secret: one that a browser brought
   * along could be known to whoever planted it there.
   * @param code the code it begins with, if any, which is used up; of two that use the same one,
   * one is refused
   * @throws HttpError `unauthenticated`
   */
  async begin(
    { tokenId, address, agent }: Pick<SessionRecord, 'tokenId' | 'address' | 'agent'>,
    limits: SessionLimits,
    code?: string,
  ): Promise<{ readonly session: SessionRecord; readonly secret: string }> {
    const secret = newSessionSecret();
    const now = timestamp(this.#clock);
    const row = { id: randomUUID(), token_id: tokenId, created: now, used: now, address, agent };
    await this.#database.transaction().execute(async (connection) => {
      if (code !== undefined) await useUp(code, connection);
      await this.#forgetOver(limits, connection);
      await connection
        .insertInto('sessions')
        .values({ ...row, hash: hashSecret(secret) })
        .execute();
    });
    return { session: this.#recordOf(row), secret };
  }

  /** @throws HttpError `not-found` */
  async end(id: string): Promise<void> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('sessions')
      .where('id', '=', id)
      .executeTakeFirst()
      .finally(this.#changed);
    this.#uses.forget(id);
    if (numDeletedRows === 0n) throw httpError('not-found', { kind: 'session', name: id });
  }

  /** A new code that signs one browser in with a token. */
  async createCode(tokenId: string): Promise<{ readonly code: string; readonly expires: string }> {
    const code = newSignInCode();
    const expires = timestamp(() => this.#clock() + codeMilliseconds);
    await this.#database.transaction().execute(async (connection) => {
      await connection.deleteFrom('sign_in_codes').where('expires', '<=', timestamp(this.#clock)).execute();
      await connection
        .insertInto('sign_in_codes')
        .values({ hash: hashSecret(code), token_id: tokenId, expires })
        .execute();
    });
    return { code, expires };
  }

  /** The token that a code stands for, if it may still be used. */
  async tokenOfCode(code: string): Promise<string | undefined> {
    const row = await this.#database
      .selectFrom('sign_in_codes')
      .selectAll()
      .where('hash', '=', hashSecret(code))
      .executeTakeFirst();
    // Written so that a time that cannot be read is over.
    return row !== undefined && Date.parse(row.expires) > this.#clock() ? row.token_id : undefined;
  }

  /**
   * Removes sessions that are over, taking into account that the file may not know of their last
   * uses.
   */
  async #forgetOver({ idle, longest }: SessionLimits, connection: Connection): Promise<void> {
    const before = (milliseconds: number): string => timestamp(() => this.#clock() - milliseconds);
    await connection
      .deleteFrom('sessions')
      .where((or) =>
        or.or([or('created', '<=', before(longest)), or('used', '<', before(idle + 2 * noteMilliseconds))]),
      )
      .execute();
  }

  #recordOf({
    id,
    token_id,
    created,
    used,
    address,
    agent,
  }: Omit<Selectable<Tables['sessions']>, 'hash'>): SessionRecord {
    const lastUse = this.#uses.latest(id, Date.parse(used));
    return { id, tokenId: token_id, created, used: new Date(lastUse).toISOString(), address, agent };
  }
}

/** Only the first who uses a code removes its row. */
async function useUp(code: string, connection: Connection): Promise<void> {
  const { numDeletedRows } = await connection
    .deleteFrom('sign_in_codes')
    .where('hash', '=', hashSecret(code))
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw httpError('unauthenticated', { reason: 'the sign-in code has been used' });
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import { EngineError } from './errors.js';
import type { Connection } from './remote-connection.js';
import { baseSettings, mergeSettings } from './settings.js';

/*
 * A database of a ClickHouse server belongs to one owner, and to one claim of that owner at a time.
 * A view in the database names both. Every insert checks the claim when it begins. Once there is a
 * new claim, an insert with an old one has either begun, and is found among the running statements,
 * or it will fail. Only then is it safe to count the rows and to insert the missing ones: no insert
 * with an unknown outcome can come later.
 */

/** Why a database cannot be claimed. Each problem needs a different remedy. */
export type ClaimProblem = 'too-old' | 'of-another' | 'mark-missing' | 'not-empty';

export class ClaimError extends Error {
  override readonly name = 'ClaimError';
  readonly problem: ClaimProblem;
  /** The owner, version or tables found instead. */
  readonly foundValue: string;

  constructor(problem: ClaimProblem, found: string) {
    super(`the database cannot be claimed: ${problem} ${found}`);
    this.problem = problem;
    this.foundValue = found;
  }
}

/** The owner that claims a database. */
export interface Owner {
  /** A unique UUID. */
  readonly id: string;
  /** Whether the owner has claimed the database before. If so, its mark must be there. */
  readonly known: boolean;
  /**
   * Several processes are this owner together: none takes the claim from another, and each ends
   * only its own unanswered statements. The token of an insert then prevents duplicates.
   */
  readonly shared?: boolean;
}

/**
 * The version the embedded engine is built from, with which everything is tested. Older ones may
 * lack settings and functions.
 */
export const minVersion: readonly [number, number] = [26, 7];

const markName = 'owner';
/** The claim shared by all processes of an owner. */
const sharedClaim = 'shared';
const pollMilliseconds = 100;
/** Text of the error of an insert whose claim is not the current one. */
const over = 'another claim was made';

/** Whether an insert failed because its claim was not the current one. It stored no row. */
export const claimIsOver = (detail: string): boolean => detail.startsWith(`Code: 395. DB::Exception: ${over}`);

/** The right to write to a database. */
export class Claim {
  readonly #connection: Connection;
  readonly #database: string;
  readonly #owner: Owner;
  /**
   * IDs of the claims made here. If the statement of a claim got no response, that claim may or may
   * not be the current one.
   */
  readonly #createdClaims = new Set<string>();
  #current = '';
  #isStopped = false;

  private constructor(connection: Connection, database: string, owner: Owner) {
    this.#connection = connection;
    this.#database = database;
    this.#owner = owner;
  }

  /**
   * Claims a database, creating it if it is missing, and ends the statements that earlier claims of
   * the owner have left running.
   * @param rebuilt whether the owner has just filled the database, which has no mark yet
   * @throws ClaimError, EngineError
   */
  static async make(
    connection: Connection,
    database: string,
    owner: Owner,
    { rebuilt = false }: { readonly rebuilt?: boolean } = {},
  ): Promise<Claim> {
    const claim = new Claim(connection, database, owner);
    const [version = ''] = await claim.#query('SELECT version()');
    if (isOlder(version)) throw new ClaimError('too-old', version);
    await claim.#run(`CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(database)}`);
    const tables = await claim.#query(`SELECT name FROM system.tables WHERE database = ${quoteString(database)}`);
    if (tables.includes(markName)) {
      const [id = ''] = await claim.#readMarks();
      if (id !== owner.id) throw new ClaimError('of-another', id);
    } else if (owner.known && !rebuilt) throw new ClaimError('mark-missing', '');
    else if (tables.length > 0 && !rebuilt) throw new ClaimError('not-empty', tables.slice(0, 3).join(', '));
    else if (owner.shared === true)
      await claim.#run(`CREATE VIEW IF NOT EXISTS ${claim.#mark} AS ${claim.#content(sharedClaim)}`);
    // Without `OR REPLACE`: if two servers find no mark at the same time, one of them gets an
    // error.
    else await claim.#run(`CREATE VIEW ${claim.#mark} AS ${claim.#content('')}`);
    if (owner.shared === true) await claim.#share();
    else {
      await claim.#replace();
      await claim.#end([`${owner.id}-`]);
    }
    // A server that had stopped merges may have been killed before it restarted them.
    for (const table of tables)
      if (table !== markName)
        await claim.#run(`SYSTEM START MERGES ${quoteIdentifier(database)}.${quoteIdentifier(table)}`);
    return claim;
  }

  /**
   * An SQL condition for inserts. It is true while this is the current claim; afterwards it makes
   * the insert fail.
   */
  get guard(): string {
    return `NOT throwIf((SELECT claim FROM ${this.#mark}) != ${quoteString(this.#current)}, ${quoteString(over)})`;
  }

  /** An id for a statement, which begins with the owner's. */
  queryId(): string {
    return `${this.#owner.id}-${randomUUID()}`;
  }

  /**
   * Makes sure that unanswered statements are over, and that unanswered inserts do not begin later.
   * @throws ClaimError when another server has claimed the database by now, EngineError
   */
  async renew(queryIds: readonly string[]): Promise<void> {
    const [id = '', current = ''] = await this.#readMarks();
    if (id !== this.#owner.id || !this.#createdClaims.has(current)) throw new ClaimError('of-another', id);
    if (this.#owner.shared !== true) await this.#replace();
    await this.#end(queryIds);
  }

  /**
   * Stops waiting for statements to end: one that cannot be killed would keep the process from
   * ending.
   */
  stop(): void {
    this.#isStopped = true;
  }

  get #mark(): string {
    return `${quoteIdentifier(this.#database)}.${quoteIdentifier(markName)}`;
  }

  #content(claim: string): string {
    return `SELECT ${quoteString(this.#owner.id)} AS owner, ${quoteString(claim)} AS claim`;
  }

  /** The owner and the claim that the mark names. */
  #readMarks(): Promise<readonly string[]> {
    return this.#query(`SELECT arrayJoin([owner, claim]) FROM ${this.#mark}`);
  }

  /** @throws ClaimError when the database belongs to another owner, or to a single process */
  async #share(): Promise<void> {
    const [id = '', current = ''] = await this.#readMarks();
    if (id !== this.#owner.id || current !== sharedClaim) throw new ClaimError('of-another', id);
    this.#createdClaims.add(sharedClaim);
    this.#current = sharedClaim;
  }

  async #replace(): Promise<void> {
    const claim = randomUUID();
    this.#createdClaims.add(claim);
    await this.#run(`CREATE OR REPLACE VIEW ${this.#mark} AS ${this.#content(claim)}`);
    this.#current = claim;
  }

  /**
   * Kills the statements whose ids begin with one of these prefixes, and waits until none is left.
   */
  async #end(prefixes: readonly string[]): Promise<void> {
    const theirs = `arrayExists(prefix -> startsWith(query_id, prefix), [${prefixes.map(quoteString).join(', ')}])`;
    for (;;) {
      if (this.#isStopped) throw new EngineError('unavailable', 'the engine is closed');
      await this.#run(`KILL QUERY WHERE ${theirs} ASYNC`);
      const [left] = await this.#query(`SELECT count() FROM system.processes WHERE ${theirs}`);
      if (left === '0') return;
      await sleep(pollMilliseconds);
    }
  }

  /** Lines of the result. */
  async #query(sql: string): Promise<readonly string[]> {
    const text = Buffer.from(await this.#send(sql, 'TabSeparated', { readonly: '2' })).toString('utf8');
    return text.split('\n').slice(0, -1);
  }

  async #run(sql: string): Promise<void> {
    await this.#send(sql, 'Null', {});
  }

  /**
   * All of these statements may be repeated. Their ids do not begin with the owner's, so a new
   * claim does not end them.
   */
  async #send(sql: string, format: string, more: Readonly<Record<string, string>>): Promise<Uint8Array> {
    const settings = { ...mergeSettings(baseSettings), ...more, wait_end_of_query: '1' };
    const queryId = `millrace-${randomUUID()}`;
    const { body } = await this.#connection.request({ sql, format, settings, queryId, repeatable: true });
    return body;
  }
}

/** `26.7.2.1` */
function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = minVersion;
  return major < minMajor || (major === minMajor && minor < minMinor);
}

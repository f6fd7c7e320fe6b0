import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { quoteString } from '@millrace/sql';
import { EngineError } from '../errors.js';
import { Claim, ClaimError, type Owner } from '../remote-claim.js';
import type { Connection } from '../remote-connection.js';
import { requireRoomForDefinitions } from '../remote-statements.js';
import { baseSettings, mergeSettings } from '../settings.js';

interface ReplicaOptions {
  /** For people: where it is. */
  readonly url: string;
  readonly connection: Connection;
  readonly database: string;
  readonly owner: Owner;
  /** After this long without any answer it counts as away. */
  readonly silentMilliseconds: number;
  /**
   * After this long without an answer to a question about its tables, too: it may be busy, but not
   * for ever.
   */
  readonly busyMilliseconds: number;
  /** No definition of a table changes while its disk has less room. Default 16 MiB. */
  readonly reserveBytes?: number | undefined;
}

/** Whoever notices that a time is over so much too late was not running meanwhile. */
const sleepMilliseconds = 1000;

/** What one look at a table of a replica tells. */
interface TableState {
  readonly isReadOnly: boolean;
  /** Parts that are still to come. */
  readonly toCome: number;
}

/**
 * - `new`: it has not answered yet, or has not been claimed
 * - `ready`: it answers, and its tables are this owner's
 * - `silent`: it does not answer
 * - `empty`: it answers and has nothing of this owner: its disk was lost, or it was added
 * - `foreign`: its tables are somebody else's
 */
type ReplicaState = 'new' | 'ready' | 'silent' | 'empty' | 'foreign';

/** One of several ClickHouse servers with the same tables. */
export class Replica {
  readonly index: number;
  readonly #options: ReplicaOptions;
  /**
   * Whether the owner has been here, or anywhere: then a replica without its mark has lost what it
   * had.
   */
  #isKnown: boolean;
  #claim: Claim | undefined;
  #state: ReplicaState = 'new';
  #problem: unknown;
  /** When it last answered at all, and last told about its tables, on the monotonic clock. */
  #answeredAt = -Infinity;
  #toldAt = -Infinity;
  #asking: Promise<void> | undefined;
  #readySince = Infinity;
  #tables: ReadonlyMap<string, TableState> = new Map();
  /** Since when tables have been read-only. */
  readonly #readOnlySince = new Map<string, number>();
  /** Aborted when it has become silent: whoever waits for an answer need wait no longer. */
  #lost = new AbortController();
  /** What the macros call it. */
  #macros: { readonly replica: string; readonly shard: string } | undefined;

  constructor(index: number, options: ReplicaOptions) {
    this.index = index;
    this.#options = options;
    this.#isKnown = options.owner.known;
  }

  /** From now on a replica without the owner's mark is one that lost its disk, or was added. */
  expectMark(): void {
    this.#isKnown = true;
  }

  get url(): string {
    return this.#options.url;
  }

  get connection(): Connection {
    return this.#options.connection;
  }

  get state(): ReplicaState {
    return this.#state;
  }

  /** Why it is not ready. */
  get problem(): unknown {
    return this.#problem;
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** For how long it has been ready, milliseconds. */
  get readyFor(): number {
    return Math.max(0, performance.now() - this.#readySince);
  }

  /** Aborted when it becomes silent. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** The tables it had at the last look. */
  get tables(): readonly string[] {
    return [...this.#tables.keys()];
  }

  has(table: string): boolean {
    return this.#tables.has(table);
  }

  /** A table was made here a moment ago. */
  made(table: string): void {
    this.#tables = new Map([...this.#tables, [table, { isReadOnly: false, toCome: 0 }]]);
  }

  /** For how long a table has been read-only, milliseconds; 0 if it is not. */
  readOnlyFor(table: string): number {
    const since = this.#readOnlySince.get(table);
    return since === undefined ? 0 : performance.now() - since;
  }

  /** Whether nothing of a table was still to come at the last look. */
  hasAll(table: string): boolean {
    const state = this.#tables.get(table);
    return state !== undefined && !state.isReadOnly && state.toCome === 0;
  }

  /** An SQL condition that makes an insert fail when the tables are no longer this owner's. */
  get guard(): string {
    return this.#requireClaim().guard;
  }

  /** Its name among the replicas. */
  get name(): string {
    return this.#macros?.replica ?? '';
  }

  queryId(): string {
    return this.#claim?.queryId() ?? `${this.#options.owner.id}-${randomUUID()}`;
  }

  /**
   * Makes sure that statements of which nothing was heard are over here.
   * @throws EngineError
   */
  async endStatements(queryIds: readonly string[]): Promise<void> {
    try {
      await this.#requireClaim().renew(queryIds);
    } catch (error) {
      if (!(error instanceof ClaimError)) throw error;
      // It has lost its disk meanwhile, which the next look finds.
      throw new EngineError('unavailable', 'the replica does not have the tables any more', 'unknown');
    }
  }

  /** Its mark was written: it has everything that the others have. */
  async becomeWhole(): Promise<void> {
    this.#claim = await Claim.make(this.connection, this.#options.database, this.#options.owner, { rebuilt: true });
  }

  /**
   * Looks whether it answers, and asks about its tables, without waiting for that for long. Never
   * rejects.
   */
  async look(): Promise<void> {
    const { connection, silentMilliseconds, busyMilliseconds } = this.#options;
    const began = performance.now();
    try {
      await connection.ping(silentMilliseconds);
      this.#answeredAt = performance.now();
    } catch (error) {
      // It was this process that slept, and did not hear the answer.
      if (performance.now() - began > silentMilliseconds + sleepMilliseconds) this.#answeredAt = performance.now();
      if (performance.now() - this.#answeredAt >= silentMilliseconds) this.#away(error);
      return;
    }
    await Promise.race([this.ask(), sleep(silentMilliseconds, undefined, { ref: false })]);
    if (this.#state === 'ready' && performance.now() - this.#toldAt > busyMilliseconds)
      this.#away(new EngineError('unavailable', 'it does not say what it has', 'elsewhere'));
  }

  /** Asks about its tables. Never rejects. */
  ask(): Promise<void> {
    return (this.#asking ??= this.#asked().finally(() => (this.#asking = undefined)));
  }

  /** Asks about its tables after whatever was asked before; returns whether it has told. */
  async tells(): Promise<boolean> {
    await this.#asking;
    const began = performance.now();
    await this.ask();
    return this.#toldAt >= began;
  }

  async #asked(): Promise<void> {
    try {
      await this.#ask();
      this.#toldAt = performance.now();
      this.#enter('ready', undefined);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #ask(): Promise<void> {
    const { connection, database, owner, busyMilliseconds } = this.#options;
    const within = AbortSignal.timeout(busyMilliseconds);
    this.#macros ??= await this.#askMacros(within);
    this.#claim ??= await Claim.make(connection, database, { ...owner, known: this.#isKnown });
    const rows = await this.lines(
      `SELECT table, toString(is_readonly), toString(inserts_in_queue) FROM system.replicas WHERE database = ${quoteString(database)}`,
      within,
    );
    // It was started again without its disk, so quickly that nobody missed it.
    if (rows.length === 0 && this.#tables.size > 0)
      this.#claim = await Claim.make(connection, database, { ...owner, known: this.#isKnown });
    const now = performance.now();
    this.#tables = new Map(
      rows.map(([table = '', readOnly, toCome]) => [table, { isReadOnly: readOnly === '1', toCome: Number(toCome) }]),
    );
    for (const [table, { isReadOnly }] of this.#tables) {
      if (!isReadOnly) this.#readOnlySince.delete(table);
      else if (!this.#readOnlySince.has(table)) this.#readOnlySince.set(table, now);
    }
    for (const table of this.#readOnlySince.keys()) if (!this.#tables.has(table)) this.#readOnlySince.delete(table);
  }

  async #askMacros(signal: AbortSignal): Promise<{ readonly replica: string; readonly shard: string }> {
    const rows = await this.lines('SELECT macro, substitution FROM system.macros', signal);
    const macros = new Map(rows.map(([name, value]) => [name, value]));
    return { replica: macros.get('replica') ?? '', shard: macros.get('shard') ?? '' };
  }

  /**
   * What the macros of its configuration say; empty where there is none. Known once it has
   * answered.
   */
  get macros(): { readonly replica: string; readonly shard: string } | undefined {
    return this.#macros;
  }

  #failed(error: unknown): void {
    if (error instanceof ClaimError) this.#enter(error.problem === 'mark-missing' ? 'empty' : 'foreign', error);
    else if (this.#state !== 'ready') this.#problem = error;
  }

  #away(error: unknown): void {
    // Another process may answer at its address next: with the disk, or without.
    this.#claim = undefined;
    this.#enter('silent', error);
  }

  #enter(state: ReplicaState, problem: unknown): void {
    const wasReady = this.#state === 'ready';
    this.#state = state;
    this.#problem = problem;
    if (state === 'ready' && !wasReady) {
      this.#readySince = performance.now();
      if (this.#lost.signal.aborted) this.#lost = new AbortController();
    }
    if (state !== 'ready' && wasReady) {
      this.#readySince = Infinity;
      this.#lost.abort();
    }
  }

  #requireClaim(): Claim {
    if (this.#claim === undefined) throw new EngineError('unavailable', 'the replica is away', 'elsewhere');
    return this.#claim;
  }

  /**
   * The statement that makes one of its tables as it is now.
   * @throws EngineError
   */
  async definitionOf(table: string): Promise<string> {
    const [row] = await this.lines(
      `SELECT create_table_query FROM system.tables WHERE database = ${quoteString(this.#options.database)} ` +
        `AND name = ${quoteString(table)}`,
    );
    if (row === undefined) throw new EngineError('unavailable', `the replica has no table ${table}`);
    return row.join('\t');
  }

  /** @throws EngineError `disk-full` */
  requireRoomForDefinitions(): Promise<void> {
    const ask = async (sql: string): Promise<number> => Number((await this.lines(sql))[0]?.[0]);
    return requireRoomForDefinitions(ask, this.#options.reserveBytes);
  }

  /** Lines of an answer, each divided at its tabs. */
  async lines(sql: string, signal?: AbortSignal): Promise<readonly (readonly string[])[]> {
    const body = await this.#send(sql, 'TabSeparatedRaw', { readonly: '2' }, signal);
    return Buffer.from(body)
      .toString('utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'));
  }

  /** Runs a statement that may be repeated. */
  async run(sql: string, settings: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<void> {
    await this.#send(sql, 'Null', settings, signal);
  }

  /** Statements of this kind do not belong to the claim, so a new one does not end them. */
  async #send(
    sql: string,
    format: string,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const settings = { ...mergeSettings(baseSettings), ...more, wait_end_of_query: '1' };
    const queryId = `millrace-${randomUUID()}`;
    const { body } = await this.connection.request({ sql, format, settings, queryId, signal, repeatable: true });
    return body;
  }
}

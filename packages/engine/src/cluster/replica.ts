import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { quoteString } from '@millrace/sql';
import { EngineError } from '../errors.js';
import { Claim, ClaimError, type Owner } from '../remote-claim.js';
import type { Connection } from '../remote-connection.js';
import { requireRoomForDefinitions } from '../remote-statements.js';
import { baseSettings, mergeSettings } from '../settings.js';

interface ReplicaOptions {
  /** Address, for messages. */
  readonly url: string;
  readonly connection: Connection;
  readonly database: string;
  readonly owner: Owner;
  /** After this long without any response it counts as unreachable. */
  readonly silentMilliseconds: number;
  /**
   * After this long without an answer about its tables the replica counts as unreachable too: it
   * may be busy, but not indefinitely.
   */
  readonly busyMilliseconds: number;
  /** Minimum free disk space for changes of table metadata. Default 16 MiB. */
  readonly reserveBytes?: number | undefined;
}

/** A process that notices a timeout this much too late was suspended. */
const sleepMilliseconds = 1000;

/** State of a replica's table at one check. */
interface TableState {
  readonly isReadOnly: boolean;
  /** Parts the replica still has to fetch. */
  readonly toCome: number;
}

/**
 * - `new`: it has not answered yet, or has not been claimed
 * - `ready`: it answers, and its tables are this owner's
 * - `silent`: it does not answer
 * - `empty`: it answers and has nothing of this owner: its disk was lost, or it was added
 * - `foreign`: its tables belong to another owner
 */
type ReplicaState = 'new' | 'ready' | 'silent' | 'empty' | 'foreign';

/** One of several ClickHouse servers with the same tables. */
export class Replica {
  readonly index: number;
  readonly #options: ReplicaOptions;
  /**
   * Whether the owner has ever claimed this or another replica: then a replica without its mark has
   * lost its data.
   */
  #isKnown: boolean;
  #claim: Claim | undefined;
  #state: ReplicaState = 'new';
  #problem: unknown;
  /** When it last responded, and last reported its tables, on the monotonic clock. */
  #respondedAt = -Infinity;
  #reportedAt = -Infinity;
  #refreshPromise: Promise<void> | undefined;
  #readySince = Infinity;
  #tables: ReadonlyMap<string, TableState> = new Map();
  /** Since when tables have been read-only. */
  readonly #readOnlySince = new Map<string, number>();
  /** Aborted when the replica becomes silent; ends the waiting for its responses. */
  #lossController = new AbortController();
  /** Its names in the macros. */
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
    return this.#lossController.signal;
  }

  /** Its tables at the last check. */
  get tables(): readonly string[] {
    return [...this.#tables.keys()];
  }

  has(table: string): boolean {
    return this.#tables.has(table);
  }

  /** A table was just created here. */
  addTable(table: string): void {
    this.#tables = new Map([...this.#tables, [table, { isReadOnly: false, toCome: 0 }]]);
  }

  /** For how long a table has been read-only, milliseconds; 0 if it is not. */
  readOnlyFor(table: string): number {
    const since = this.#readOnlySince.get(table);
    return since === undefined ? 0 : performance.now() - since;
  }

  /** Whether it had all parts of a table at the last check. */
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
   * Makes sure that statements in doubt are over here.
   * @throws EngineError
   */
  async endStatements(queryIds: readonly string[]): Promise<void> {
    try {
      await this.#requireClaim().renew(queryIds);
    } catch (error) {
      if (!(error instanceof ClaimError)) throw error;
      // It has lost its disk, which the next check finds.
      throw new EngineError('unavailable', 'the replica has lost its tables', 'unknown');
    }
  }

  /** Writes its mark: it has everything that the others have. */
  async markComplete(): Promise<void> {
    this.#claim = await Claim.make(this.connection, this.#options.database, this.#options.owner, { rebuilt: true });
  }

  /** Checks whether it responds, and reads its tables, waiting briefly. Never rejects. */
  async check(): Promise<void> {
    const { connection, silentMilliseconds, busyMilliseconds } = this.#options;
    const began = performance.now();
    try {
      await connection.ping(silentMilliseconds);
      this.#respondedAt = performance.now();
    } catch (error) {
      // This process was suspended and missed the response.
      if (performance.now() - began > silentMilliseconds + sleepMilliseconds) this.#respondedAt = performance.now();
      if (performance.now() - this.#respondedAt >= silentMilliseconds) this.#markSilent(error);
      return;
    }
    await Promise.race([this.refresh(), sleep(silentMilliseconds, undefined, { ref: false })]);
    if (this.#state === 'ready' && performance.now() - this.#reportedAt > busyMilliseconds)
      this.#markSilent(new EngineError('unavailable', 'it does not report its tables', 'elsewhere'));
  }

  /** Reads its tables. Never rejects. */
  refresh(): Promise<void> {
    return (this.#refreshPromise ??= this.#readState().finally(() => (this.#refreshPromise = undefined)));
  }

  /** Reads its tables after any read in progress; returns whether it succeeded. */
  async refreshNow(): Promise<boolean> {
    await this.#refreshPromise;
    const began = performance.now();
    await this.refresh();
    return this.#reportedAt >= began;
  }

  async #readState(): Promise<void> {
    try {
      await this.#refresh();
      this.#reportedAt = performance.now();
      this.#enter('ready', undefined);
    } catch (error) {
      this.#handleFailure(error);
    }
  }

  async #refresh(): Promise<void> {
    const { connection, database, owner, busyMilliseconds } = this.#options;
    const within = AbortSignal.timeout(busyMilliseconds);
    this.#macros ??= await this.#readMacros(within);
    this.#claim ??= await Claim.make(connection, database, { ...owner, known: this.#isKnown });
    const rows = await this.lines(
      `SELECT table, toString(is_readonly), toString(inserts_in_queue) FROM system.replicas WHERE database = ${quoteString(database)}`,
      within,
    );
    // It was restarted without its disk, too quickly to be noticed.
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

  async #readMacros(signal: AbortSignal): Promise<{ readonly replica: string; readonly shard: string }> {
    const rows = await this.lines('SELECT macro, substitution FROM system.macros', signal);
    const macros = new Map(rows.map(([name, value]) => [name, value]));
    return { replica: macros.get('replica') ?? '', shard: macros.get('shard') ?? '' };
  }

  /** The macros of its configuration; empty where there is none. Known after its first response. */
  get macros(): { readonly replica: string; readonly shard: string } | undefined {
    return this.#macros;
  }

  #handleFailure(error: unknown): void {
    if (error instanceof ClaimError) this.#enter(error.problem === 'mark-missing' ? 'empty' : 'foreign', error);
    else if (this.#state !== 'ready') this.#problem = error;
  }

  #markSilent(error: unknown): void {
    // Another process may respond at its address next: with the disk, or without.
    this.#claim = undefined;
    this.#enter('silent', error);
  }

  #enter(state: ReplicaState, problem: unknown): void {
    const wasReady = this.#state === 'ready';
    this.#state = state;
    this.#problem = problem;
    if (state === 'ready' && !wasReady) {
      this.#readySince = performance.now();
      if (this.#lossController.signal.aborted) this.#lossController = new AbortController();
    }
    if (state !== 'ready' && wasReady) {
      this.#readySince = Infinity;
      this.#lossController.abort();
    }
  }

  #requireClaim(): Claim {
    if (this.#claim === undefined) throw new EngineError('unavailable', 'the replica is away', 'elsewhere');
    return this.#claim;
  }

  /**
   * The statement that creates one of its tables in its present form.
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

  /** Lines of a result, each split at its tabs. */
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

  /** Such statements do not belong to the claim, so a new claim does not end them. */
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

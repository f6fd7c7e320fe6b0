import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Engine,
  EngineHealth,
  EngineState,
  ExecuteOptions,
  Insert,
  EngineResult,
  QueryLimits,
  QueryOptions,
} from './engine.js';
import { EngineError, UnreachableError } from './errors.js';
import { insertFromData, settingsOfInsert } from './insert.js';
import type { Log } from './log.js';
import { ReadyListeners } from './ready-listeners.js';
import { Claim, ClaimError, claimIsOver, type Owner } from './remote-claim.js';
import {
  pingMilliseconds,
  type RemoteAddress,
  RemoteConnection,
  type RemoteRequest,
  UnknownOutcome,
} from './remote-connection.js';
import {
  queryOver,
  requireRoomForDefinitions,
  requireStreamable,
  settingsOfStatement,
  streamOver,
} from './remote-statements.js';
import { RunningRequests } from './running-requests.js';
import { baseSettings, mergeSettings } from './settings.js';

export interface RemoteOptions extends RemoteAddress {
  /** The database of all tables; created if missing. */
  readonly database: string;
  readonly owner: Owner;
  readonly limits?: QueryLimits;
  /** How long to wait for a server that does not respond yet. Default 60,000. */
  readonly startMilliseconds?: number;
  /** How often to check whether the server responds. Default 2,000. */
  readonly watchMilliseconds?: number;
  /**
   * After this long without any response to its checks, statements end that the server is running:
   * it hangs, or its machine is gone. Default 20,000.
   */
  readonly lostMilliseconds?: number;
  /** How long `close` lets running work continue before cancelling it. Default 10,000. */
  readonly closeMilliseconds?: number;
  /** Minimum free disk space of the server for changes of table metadata. Default 16 MiB. */
  readonly reserveBytes?: number;
  readonly log?: Log;
}

const startMilliseconds = 60_000;
const retryMilliseconds = 500;
const watchMilliseconds = 2000;
const lostMilliseconds = 20_000;
const closeMilliseconds = 10_000;

/** Implementation of `openRemote`. */
export async function connect(options: RemoteOptions): Promise<Engine> {
  const connection = new RemoteConnection(options);
  const deadline = performance.now() + (options.startMilliseconds ?? startMilliseconds);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return new RemoteEngine(connection, await Claim.make(connection, options.database, options.owner), options);
    } catch (error) {
      // If the server rejects the request, waiting does not help.
      const silent = error instanceof EngineError && error.code === 'unavailable' && !error.detail.startsWith('Code: ');
      if (!silent || performance.now() > deadline) {
        connection.close();
        throw silent ? new UnreachableError(error.detail) : error;
      }
      if (attempt === 0) options.log?.('warn', 'waiting for ClickHouse', { reason: error.detail });
      await sleep(retryMilliseconds);
    }
  }
}

class RemoteEngine implements Engine {
  readonly #connection: RemoteConnection;
  readonly #claim: Claim;
  readonly #options: RemoteOptions;
  readonly #log: Log;
  readonly #listeners: ReadyListeners;
  readonly #requests = new RunningRequests();
  #closePromise: Promise<void> | undefined;
  readonly #watch: NodeJS.Timeout;
  #isChecking = false;
  #state: EngineState = 'ready';
  #since = Date.now();
  /** When the server last answered a check, on the monotonic clock. */
  #answeredAt = performance.now();
  /** Aborted when the server is silent for too long; ends the waiting for its responses. */
  #lossController = new AbortController();
  #restarts = 0;
  #reason: string | undefined;
  /**
   * IDs of statements in doubt. While they may run, all other statements are rejected: data could
   * change while it is being read.
   */
  readonly #inDoubt = new Set<string>();
  /** How often the claim had to be renewed, because of a statement in doubt or another claim. */
  #doubts = 0;
  /** How many of these renewals are done. */
  #clearedDoubts = 0;

  constructor(connection: RemoteConnection, claim: Claim, options: RemoteOptions) {
    this.#connection = connection;
    this.#claim = claim;
    this.#options = options;
    this.#log = options.log ?? (() => undefined);
    this.#listeners = new ReadyListeners(this.#log);
    this.#watch = setInterval(() => void this.#check(), options.watchMilliseconds ?? watchMilliseconds).unref();
  }

  query(sql: string, options: QueryOptions): Promise<EngineResult> {
    return this.#track(options.signal, async (outer) => {
      const { signal: lost } = this.#lossController;
      const marks = { queryId: this.#claim.queryId(), signal: AbortSignal.any([outer, lost]) };
      return queryOver(this.#connection, sql, options, this.#options.limits, marks).catch((error: unknown) => {
        throw lost.aborted && !outer.aborted ? noAnswer() : error;
      });
    });
  }

  async *stream(sql: string, options: QueryOptions): AsyncGenerator<Uint8Array> {
    requireStreamable(options);
    this.#requireReady();
    const { signal: outer, end } = this.#requests.begin(options.signal);
    const { signal: lost } = this.#lossController;
    try {
      const marks = { queryId: this.#claim.queryId(), signal: AbortSignal.any([outer, lost]) };
      yield* streamOver(this.#connection, sql, options, this.#options.limits, marks);
    } catch (error) {
      throw lost.aborted && !outer.aborted ? noAnswer() : error;
    } finally {
      end();
    }
  }

  async execute(sql: string, options: ExecuteOptions = {}): Promise<void> {
    if (options.defines !== undefined)
      await requireRoomForDefinitions(
        (statement) => this.#numberOf(statement, options.signal),
        this.#options.reserveBytes,
      );
    await this.#change(options.signal, { sql, settings: settingsOfStatement(options, this.#options.limits) });
  }

  async #numberOf(sql: string, signal?: AbortSignal): Promise<number> {
    const { body } = await this.query(sql, { format: 'TabSeparated', ...(signal !== undefined && { signal }) });
    return Number(Buffer.from(body).toString());
  }

  insert(insert: Insert): Promise<void> {
    const settings = mergeSettings(baseSettings, settingsOfInsert(insert));
    return this.#change(undefined, { sql: insertFromData(insert, this.#claim.guard), settings, data: insert.chunks });
  }

  health(): EngineHealth {
    return {
      state: this.#state,
      since: this.#since,
      restarts: this.#restarts,
      ...(this.#reason !== undefined && { reason: this.#reason }),
      memoryBytes: 0,
    };
  }

  onReady(listener: () => void): () => void {
    return this.#listeners.add(listener, this.#state === 'ready');
  }

  close(): Promise<void> {
    return (this.#closePromise ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#enter('closed', undefined);
    this.#claim.stop();
    clearInterval(this.#watch);
    await this.#requests.finish(this.#options.closeMilliseconds ?? closeMilliseconds);
    this.#connection.close();
  }

  /**
   * Sends a statement that must not be executed twice. Without a response, the engine rejects work
   * until the statement is certainly over.
   */
  #change(outer: AbortSignal | undefined, request: Pick<RemoteRequest, 'sql' | 'settings' | 'data'>): Promise<void> {
    return this.#track(outer, async (inner) => {
      const queryId = this.#claim.queryId();
      const { signal: lost } = this.#lossController;
      if (lost.aborted) throw noAnswer();
      const signal = AbortSignal.any([inner, lost]);
      const settings = { ...request.settings, wait_end_of_query: '1' };
      try {
        await this.#connection.request({ ...request, settings, format: 'Null', queryId, signal, repeatable: false });
      } catch (error) {
        const isLost = lost.aborted && !inner.aborted;
        if (error instanceof UnknownOutcome || isLost) this.#inDoubt.add(queryId);
        else if (!(error instanceof EngineError && claimIsOver(error.detail))) throw error;
        this.#doubt();
        throw new EngineError('unavailable', isLost ? noAnswer().detail : detailOf(error));
      }
    });
  }

  /** Rejects work until no statement in doubt can still run. */
  #doubt(): void {
    this.#doubts += 1;
    if (this.#state !== 'closed') this.#enter('restarting', 'a connection to ClickHouse broke');
    void this.#check();
  }

  /** @throws EngineError `unavailable` if the engine is closed, or in doubt */
  #requireReady(): void {
    if (this.#state === 'closed') throw new EngineError('unavailable', 'the engine is closed');
    if (this.#isDoubtful) throw new EngineError('unavailable', `the engine is ${this.#state}: ${this.#reason ?? ''}`);
  }

  async #track<T>(outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#requireReady();
    return this.#requests.run(outer, work);
  }

  /**
   * Checks whether the server responds, and resolves statements in doubt. Notifies the listeners
   * when the engine becomes ready again.
   */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      if (!this.#isDoubtful) await this.#connection.ping(Math.min(pingMilliseconds, this.#lostMilliseconds));
      while (this.#isDoubtful) await this.#clearUp();
      this.#recordResponse();
      if (this.#state === 'ready' || this.#state === 'closed') return;
      this.#restarts += 1;
      this.#enter('ready', this.#reason);
      this.#log('info', 'ClickHouse answers again', { restarts: this.#restarts });
      this.#listeners.tellAll();
    } catch (error) {
      this.#handleFailure(error);
    } finally {
      this.#isChecking = false;
    }
  }

  get #lostMilliseconds(): number {
    return this.#options.lostMilliseconds ?? lostMilliseconds;
  }

  #recordResponse(): void {
    this.#answeredAt = performance.now();
    if (this.#lossController.signal.aborted) this.#lossController = new AbortController();
  }

  async #clearUp(): Promise<void> {
    // More statements may become in doubt while these are being ended.
    const doubts = this.#doubts;
    const queryIds = [...this.#inDoubt];
    await this.#claim.renew(queryIds);
    for (const id of queryIds) this.#inDoubt.delete(id);
    this.#clearedDoubts = doubts;
  }

  get #isDoubtful(): boolean {
    return this.#doubts > this.#clearedDoubts;
  }

  #handleFailure(error: unknown): void {
    if (this.#state === 'closed') return;
    const reason = reasonOf(error);
    if (performance.now() - this.#answeredAt >= this.#lostMilliseconds) this.#lossController.abort();
    if (this.#state !== 'down') this.#log('error', 'ClickHouse cannot be used', { reason: detailOf(error) });
    this.#enter('down', reason);
  }

  #enter(state: EngineState, reason: string | undefined): void {
    if (this.#state !== state) this.#since = Date.now();
    this.#state = state;
    this.#reason = reason;
  }
}

const noAnswer = (): EngineError => new EngineError('unavailable', 'ClickHouse does not answer', 'elsewhere');

const detailOf = (error: unknown): string => (error instanceof EngineError ? error.detail : String(error));

/** Public in the health response, so it contains no text of the server, which may contain SQL. */
function reasonOf(error: unknown): string {
  if (error instanceof ClaimError)
    return 'another Millrace server has claimed the database; this one has to be stopped';
  const number = /^Code: (\d+)/.exec(detailOf(error))?.[1];
  return number === undefined
    ? `ClickHouse does not answer (${detailOf(error)})`
    : `ClickHouse answers with its error ${number}`;
}

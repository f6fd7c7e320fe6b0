import { randomUUID } from 'node:crypto';
import { ClusterConnection, type ClusterOptions } from './cluster-connection.js';
import { answerOf } from './columns.js';
import type {
  Engine,
  EngineHealth,
  EngineState,
  ExecuteOptions,
  Insert,
  Priority,
  QueryAnswer,
  QueryOptions,
  Settings,
} from './engine.js';
import { EngineError, engineErrorOf } from './errors.js';
import { insertFromData, settingsOfInsert } from './insert.js';
import type { LaneName } from './messages.js';
import { ReadyListeners } from './ready-listeners.js';
import { baseSettings, laneSettings, mergeSettings, settingsOfLimits, tooLate, withinTime } from './settings.js';

/** ClickHouse runs smaller numbers first. */
const priorityNumbers: Readonly<Record<Priority, number>> = { high: 1, normal: 2, low: 3 };
const watchMilliseconds = 2000;
const closeMilliseconds = 10_000;

/**
 * ClickHouse servers over HTTP. Any of them can answer: they share one database, for example replicated or distributed tables.
 * @throws EngineError `unavailable` if none answers
 */
export async function openCluster(options: ClusterOptions): Promise<Engine> {
  const connection = new ClusterConnection(options);
  await connection.ping();
  return new ClusterEngine(connection, options);
}

class ClusterEngine implements Engine {
  readonly #connection: ClusterConnection;
  readonly #options: ClusterOptions;
  readonly #listeners: ReadyListeners;
  /** Each running request's function that stops it. */
  readonly #running = new Set<() => void>();
  #idle: () => void = () => undefined;
  #closing: Promise<void> | undefined;
  readonly #watch: NodeJS.Timeout;
  #state: EngineState = 'ready';
  #since = Date.now();
  #restarts = 0;
  #reason: string | undefined;

  constructor(connection: ClusterConnection, options: ClusterOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#listeners = new ReadyListeners(options.log ?? (() => undefined));
    this.#watch = setInterval(() => void this.#look(), options.watchMilliseconds ?? watchMilliseconds).unref();
  }

  query(sql: string, options: QueryOptions): Promise<QueryAnswer> {
    return this.#track(options.signal, async (signal) => {
      const columnar = options.format === 'JSONCompactColumns';
      const { body, statistics } = await this.#connection.request({
        sql,
        // Waiting for the end turns a failure half-way through into a status instead of a torn body.
        settings: { ...this.#settings('query', options), wait_end_of_query: '1' },
        format: columnar ? 'JSONColumnsWithMetadata' : options.format,
        queryId: randomUUID(),
        signal,
        repeatable: true,
      });
      return { ...answerOf(options.format, body, statistics.elapsedNanoseconds), statistics };
    });
  }

  async *stream(sql: string, options: QueryOptions): AsyncGenerator<Uint8Array> {
    if (options.format === 'JSONCompactColumns') throw new EngineError('rejected', 'columns cannot be streamed');
    const { signal, end } = this.#begin(options.signal);
    try {
      yield* this.#connection.stream({
        sql,
        settings: this.#settings('export', options),
        format: options.format,
        queryId: randomUUID(),
        signal,
        repeatable: true,
      });
    } finally {
      end();
    }
  }

  async execute(sql: string, options: ExecuteOptions = {}): Promise<void> {
    await this.#track(options.signal, (signal) =>
      this.#connection.request({
        sql,
        settings: { ...this.#settings('statement', options), wait_end_of_query: '1' },
        format: 'Null',
        queryId: randomUUID(),
        signal,
        repeatable: false,
      }),
    );
  }

  async insert(insert: Insert): Promise<void> {
    await this.#track(undefined, (signal) =>
      this.#connection.request({
        sql: insertFromData(insert),
        body: insert.chunks,
        settings: { ...mergeSettings(baseSettings, settingsOfInsert(insert)), wait_end_of_query: '1' },
        format: 'Null',
        queryId: randomUUID(),
        signal,
        repeatable: false,
      }),
    );
  }

  health(): EngineHealth {
    return {
      state: this.#state,
      since: this.#since,
      restarts: this.#restarts,
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      memoryBytes: 0,
    };
  }

  onReady(listener: () => void): () => void {
    return this.#listeners.add(listener, this.#state === 'ready');
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#enter('closed', undefined);
    clearInterval(this.#watch);
    if (this.#running.size === 0) return;
    const idle = new Promise<void>((resolve) => (this.#idle = resolve));
    const late = setTimeout(this.#idle, this.#options.closeMilliseconds ?? closeMilliseconds);
    await idle;
    clearTimeout(late);
    for (const stop of this.#running) stop();
  }

  #settings(lane: LaneName, options: Partial<QueryOptions>): Readonly<Record<string, string>> {
    const limits = settingsOfLimits({ ...this.#options.limits, ...options.limits });
    const own: Settings = {
      priority: priorityNumbers[options.priority ?? 'normal'],
      cancel_http_readonly_queries_on_client_close: 1,
    };
    const settings = mergeSettings(baseSettings, limits, own, laneSettings[lane], options.settings);
    if (options.deadline === undefined) return settings;
    const within = withinTime(settings, options.deadline - performance.now());
    if (within === undefined) throw engineErrorOf(tooLate);
    return within;
  }

  /**
   * Registers a request with those that `close` waits for, and stops if they take too long. Call `end` when the request is over.
   * @throws EngineError `unavailable` if the engine is closed
   */
  #begin(outer: AbortSignal | undefined): { readonly signal: AbortSignal; readonly end: () => void } {
    if (this.#state === 'closed') throw new EngineError('unavailable', 'the engine is closed');
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    if (outer?.aborted === true) stop();
    outer?.addEventListener('abort', stop, { once: true });
    this.#running.add(stop);
    const end = (): void => {
      outer?.removeEventListener('abort', stop);
      this.#running.delete(stop);
      if (this.#running.size === 0) this.#idle();
    };
    return { signal: stopping.signal, end };
  }

  async #track<T>(outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, end } = this.#begin(outer);
    try {
      return await work(signal);
    } finally {
      end();
    }
  }

  /** Checks whether any server answers; when one does again after none did, tells the listeners. */
  async #look(): Promise<void> {
    try {
      await this.#connection.ping();
      if (this.#state !== 'down') return;
      this.#restarts += 1;
      this.#enter('ready', this.#reason);
      this.#listeners.tellAll();
    } catch (error) {
      if (this.#state !== 'closed') this.#enter('down', error instanceof EngineError ? error.detail : String(error));
    }
  }

  #enter(state: EngineState, reason: string | undefined): void {
    if (this.#state !== state) this.#since = Date.now();
    this.#state = state;
    this.#reason = reason;
  }
}

import { totalmem } from 'node:os';
import { call, type CancelMode } from './calls.js';
import type { ColdStorage } from './object-storage.js';
import { Definitions } from './definitions.js';
import type {
  Engine,
  EngineHealth,
  ExecuteOptions,
  Insert,
  OutputFormat,
  EngineResult,
  QueryLimits,
  QueryOptions,
  Settings,
} from './engine.js';
import { EngineError } from './errors.js';
import { exportThroughPipe } from './export.js';
import { insertFromFile, settingsOfInsert } from './insert.js';
import type { Log } from './log.js';
import type { PoolName } from './messages.js';
import { isPattern, patternProblem } from './pattern-path.js';
import type { ProcessOptions } from './process.js';
import { Scratch } from './scratch.js';
import { mergeSettings, settingsOfLimits } from './settings.js';
import { Supervisor } from './supervisor.js';

export interface EmbeddedOptions {
  /** Where the engine keeps its data; nothing else writes here. Created if missing. */
  readonly directory: string;
  /**
   * Directory for blocks on their way into the engine; used by this engine alone, on a local disk
   * or in memory. Created if missing.
   */
  readonly scratchDirectory: string;
  /** Maximum concurrent queries; others are queued. Default 4. */
  readonly sessions?: number;
  /**
   * Maximum concurrent streams; others are queued. Each occupies a session until its reader is
   * done. Default 2.
   */
  readonly exportSessions?: number;
  /**
   * Memory limit of all work of the engine, including its caches; a query may use half of it.
   * Default: half of the machine's memory.
   */
  readonly memoryBytes?: number;
  /** Silence after which the process counts as hung and is killed. Default 2,000. */
  readonly hangMilliseconds?: number;
  /** How long `close` lets running work continue before cancelling it. Default 10,000. */
  readonly closeMilliseconds?: number;
  /** Further storage for parts. Once used, tables cannot be opened without it. */
  readonly cold?: ColdStorage;
  readonly log?: Log;
}

/**
 * Mainly for new tables and columns: an insert waits for its own, and should not wait for those of
 * other datasets too.
 */
const statementsAtOnce = 4;
/** Readers of a removed table have been stopped, but may take seconds to end. */
const removalsAtOnce = 4;
/** Maximum statements that wait for a session; further ones are rejected as `overloaded`. */
const maxWaiting = 256;
/** Time limit for opening the data: thousands of parts on a cold disk. */
const startMilliseconds = 60_000;
/**
 * How long a heartbeat query may go unanswered, or a canceled query that cannot be detached run
 * on, before the process is killed.
 */
const stuckMilliseconds = 15_000;
/**
 * Most statements stop within a second. Others, for example one that the engine is still planning,
 * run on without their session; more of them than this endanger the process.
 */
const detach = { afterMilliseconds: 3000, max: 8 };
/** How long a closing process gets after its work has been canceled before it is killed. */
const killMilliseconds = 2000;

/**
 * Opens ClickHouse in a child process of this one, which is restarted whenever it ends.
 * @throws EngineError `unavailable` if it cannot be started, for example because the directory is
 * in use; `detail` says why
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Engine> {
  // No rows would be read from there, and no insert would fail.
  if (isPattern(options.scratchDirectory))
    throw new EngineError('unavailable', patternProblem(options.scratchDirectory));
  const memoryBytes = options.memoryBytes ?? Math.floor(totalmem() / 2);
  const scratch = await Scratch.open(options.scratchDirectory);
  const definitions = new Definitions(options.directory);
  const process: ProcessOptions = {
    directory: options.directory,
    // Two insert sessions, so that a query of one dataset does not wait for a load into another.
    // One deletion session, although a deletion in another dataset may take minutes: a deletion by
    // query holds the row IDs of all its events in memory, and only the client of a deletion waits
    // for it. Retention mostly drops partitions, which does not use this session. Several removal
    // sessions, because dropping a table waits for its readers, and one for removing columns, which
    // waits for parts to be rewritten. Other statements are short.
    sessions: {
      query: options.sessions ?? 4,
      export: options.exportSessions ?? 2,
      statement: statementsAtOnce,
      upkeep: 1,
      narrowing: 1,
      deletion: 1,
      removal: removalsAtOnce,
      moving: options.cold === undefined ? 0 : 1,
      insert: 2,
    },
    maxWaiting,
    memoryBytes,
    startMilliseconds,
    hangMilliseconds: options.hangMilliseconds ?? 2000,
    stuckMilliseconds,
    detach,
    cold: options.cold,
    log: options.log ?? (() => undefined),
  };
  const supervisor = await Supervisor.start(process, definitions);
  const limits = { maxMemoryBytes: Math.floor(memoryBytes / 2) };
  return new EmbeddedEngine(supervisor, scratch, definitions, limits, options.closeMilliseconds);
}

/**
 * Writes two parts of an insert at once, even with less free memory than the 4 GiB per thread that
 * the engine wants by default.
 */
const sideBySide: Settings = { max_insert_threads: 2, max_insert_threads_min_free_memory_per_thread: 0 };

interface Statement {
  readonly lane: PoolName;
  readonly sql: string;
  readonly format?: OutputFormat;
  readonly options: Partial<QueryOptions>;
  readonly signal: AbortSignal | undefined;
  /** Default: at once. */
  readonly cancel?: CancelMode;
}

class EmbeddedEngine implements Engine {
  readonly #supervisor: Supervisor;
  readonly #scratch: Scratch;
  readonly #definitions: Definitions;
  readonly #limits: QueryLimits;
  readonly #closeMilliseconds: number;

  constructor(
    supervisor: Supervisor,
    scratch: Scratch,
    definitions: Definitions,
    limits: QueryLimits,
    closeMilliseconds = 10_000,
  ) {
    this.#supervisor = supervisor;
    this.#scratch = scratch;
    this.#definitions = definitions;
    this.#limits = limits;
    this.#closeMilliseconds = closeMilliseconds;
  }

  query(sql: string, options: QueryOptions): Promise<EngineResult> {
    return this.#run({ lane: 'query', sql, format: options.format, options, signal: options.signal });
  }

  stream(sql: string, options: QueryOptions): AsyncIterable<Uint8Array> {
    return exportThroughPipe(this.#scratch, sql, options.format, options.signal, (sql, signal) =>
      this.#run({ lane: 'export', sql, options, signal, cancel: 'when-stopped' }),
    );
  }

  async execute(sql: string, options: ExecuteOptions = {}): Promise<void> {
    const lane = options.apart ?? 'statement';
    const { defines, signal } = options;
    if (defines === undefined) await this.#run({ lane, sql, options, signal });
    else {
      const run = (): Promise<unknown> => this.#run({ lane, sql, options, signal, cancel: 'when-stopped' });
      await this.#definitions.write(defines, run, () => this.#redefineLimits());
    }
  }

  #redefineLimits(): void {
    if (this.#supervisor.health().state === 'ready')
      this.#supervisor.current().kill('the definition of a table was written in part');
  }

  async insert(insert: Insert): Promise<void> {
    this.#supervisor.current();
    const file = await this.#scratch.writeBlock(insert.chunks);
    const sql = insertFromFile(insert, file.path);
    try {
      const settings: Settings = { ...sideBySide, ...settingsOfInsert(insert) };
      await this.#run({ lane: 'insert', sql, options: { settings }, signal: undefined });
    } catch (error) {
      // The engine may still be reading the file, so it must not be reused.
      await this.#scratch.remove(file.path);
      throw error;
    }
    await this.#scratch.release(file);
  }

  health(): EngineHealth {
    return this.#supervisor.health();
  }

  onReady(listener: () => void): () => void {
    return this.#supervisor.onReady(listener);
  }

  async close(): Promise<void> {
    await this.#supervisor.close(this.#closeMilliseconds, killMilliseconds);
    await this.#definitions.whenRepaired();
    await this.#scratch.close();
  }

  async #run({ lane, sql, format, options, signal, cancel = 'at-once' }: Statement): Promise<EngineResult> {
    const limits = settingsOfLimits({ ...this.#limits, ...options.limits });
    const settings = mergeSettings(limits, options.settings);
    const request = {
      type: 'run',
      lane,
      sql,
      ...(format !== undefined && { format }),
      settings,
      priority: options.priority ?? 'normal',
      ...(options.deadline !== undefined && { milliseconds: options.deadline - performance.now() }),
    } as const;
    return call(this.#supervisor.current(), request, signal, cancel);
  }
}

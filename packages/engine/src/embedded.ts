import { totalmem } from 'node:os';
import { call, type CancelMode } from './calls.js';
import type { ColdStorage } from './cold.js';
import { Definitions } from './definitions.js';
import type {
  Engine,
  EngineHealth,
  ExecuteOptions,
  Insert,
  OutputFormat,
  QueryAnswer,
  QueryLimits,
  QueryOptions,
  Settings,
} from './engine.js';
import { EngineError } from './errors.js';
import { exportThroughPipe } from './export.js';
import { insertFromFile, settingsOfInsert } from './insert.js';
import type { Log } from './log.js';
import type { LaneName } from './messages.js';
import { isPattern, patternProblem } from './pattern-path.js';
import type { ProcessOptions } from './process.js';
import { Scratch } from './scratch.js';
import { mergeSettings, settingsOfLimits } from './settings.js';
import { Supervisor } from './supervisor.js';

export interface EmbeddedOptions {
  /** Where the engine keeps its data; nobody else writes here. Created if missing. */
  readonly directory: string;
  /**
   * Holds blocks briefly on their way into the engine; for this engine alone, on a local disk or in
   * memory. Created if missing.
   */
  readonly scratchDirectory: string;
  /** Queries that run at once; more wait. Default 4. */
  readonly sessions?: number;
  /**
   * Streams that run at once; more wait. Each keeps a session for as long as its reader takes.
   * Default 2.
   */
  readonly exportSessions?: number;
  /**
   * Memory that all work of the engine together may use, including its caches; one query half of
   * it. Default: half of the machine's memory.
   */
  readonly memoryBytes?: number;
  /** Silence after which the process counts as hung and is killed. Default 2,000. */
  readonly hangMilliseconds?: number;
  /** How long `close` lets running work continue before cancelling it. Default 10,000. */
  readonly closeMilliseconds?: number;
  /**
   * Where parts may lie besides the directory; once there was one, tables cannot be opened without
   * it.
   */
  readonly cold?: ColdStorage;
  readonly log?: Log;
}

/**
 * New tables and columns, above all: an insert waits for its own, and should not wait for those of
 * other datasets too.
 */
const statementsAtOnce = 4;
/** Whoever read a table that is removed has been stopped, but may take seconds to notice. */
const removalsAtOnce = 4;
/** Statements that may wait for a session before more are refused as `overloaded`. */
const maxWaiting = 256;
/** How long opening the data may take: thousands of parts on a cold disk. */
const startMilliseconds = 60_000;
/**
 * How long a heartbeat query may go unanswered, or a cancelled query run on, before the process is
 * killed.
 */
const stuckMilliseconds = 15_000;
/** How long a closing process gets after its work has been cancelled before it is killed. */
const killMilliseconds = 2000;

/**
 * Opens ClickHouse in a child process of this one. It is started again whenever it ends.
 * @throws EngineError `unavailable` if it cannot be started, for example because the directory is
 * in use; `detail` says why
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Engine> {
  // Nothing would come into the engine from there, and no insert would fail.
  if (isPattern(options.scratchDirectory))
    throw new EngineError('unavailable', patternProblem(options.scratchDirectory));
  const memoryBytes = options.memoryBytes ?? Math.floor(totalmem() / 2);
  const scratch = await Scratch.open(options.scratchDirectory);
  const definitions = new Definitions(options.directory);
  const process: ProcessOptions = {
    directory: options.directory,
    // Two insert sessions, so that a query of one dataset does not wait for a load into another.
    // Only one for deletions, although one of another dataset may take minutes: a deletion by query
    // holds the numbers of all the events it removes in memory, and only whoever asked for a
    // deletion waits for it. Most of what retention removes are whole partitions, which are not
    // dropped in this session. Some for removing tables, each of which waits until nobody reads it,
    // and one for removing columns, which waits until parts have been rewritten. What remains as a
    // statement is short.
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
  readonly lane: LaneName;
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

  query(sql: string, options: QueryOptions): Promise<QueryAnswer> {
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
      await this.#definitions.write(defines, run, () => this.#redefined());
    }
  }

  #redefined(): void {
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
    await this.#scratch.giveBack(file);
  }

  health(): EngineHealth {
    return this.#supervisor.health();
  }

  onReady(listener: () => void): () => void {
    return this.#supervisor.onReady(listener);
  }

  async close(): Promise<void> {
    await this.#supervisor.close(this.#closeMilliseconds, killMilliseconds);
    await this.#definitions.settled();
    await this.#scratch.close();
  }

  async #run({ lane, sql, format, options, signal, cancel = 'at-once' }: Statement): Promise<QueryAnswer> {
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

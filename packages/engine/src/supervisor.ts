import { setTimeout as sleep } from 'node:timers/promises';
import type { Definitions } from './definitions.js';
import type { EngineHealth, EngineState } from './engine.js';
import { EngineError } from './errors.js';
import { claimDirectory } from './owner.js';
import { EngineProcess, type ProcessOptions } from './process.js';
import { ReadyListeners } from './ready-listeners.js';

/** After being ready for this long, the next failure counts as the first again. */
const stableMilliseconds = 10_000;
/** This many failures in a row are a crash loop: the state is `down`, not `restarting`. */
const crashLoop = 3;
const firstPauseMilliseconds = 250;
const longestPauseMilliseconds = 30_000;

/**
 * How long to wait before a restart after this many failures in a row: not at all the first time,
 * then twice as long each time.
 */
export function restartPause(failures: number): number {
  return failures <= 1 ? 0 : Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** (failures - 2));
}

/**
 * Keeps one engine process running: starts it, restarts it when it ends, and backs off when that
 * does not help.
 */
export class Supervisor {
  readonly #options: ProcessOptions;
  readonly #definitions: Pick<Definitions, 'repair'>;
  readonly #listeners: ReadyListeners;
  readonly #closeController = new AbortController();
  #process: EngineProcess | undefined;
  #state: EngineState = 'starting';
  #since = Date.now();
  #restarts = 0;
  #failures = 0;
  #reason: string | undefined;
  #runPromise: Promise<void> = Promise.resolve();

  private constructor(options: ProcessOptions, definitions: Pick<Definitions, 'repair'>) {
    this.#options = options;
    this.#definitions = definitions;
    this.#listeners = new ReadyListeners(options.log);
  }

  /**
   * @throws EngineError `unavailable` if the first start fails: then something is wrong that a
   * restart would not fix
   */
  static async start(options: ProcessOptions, definitions: Pick<Definitions, 'repair'>): Promise<Supervisor> {
    const supervisor = new Supervisor(options, definitions);
    await claimDirectory(options.directory);
    await definitions.repair();
    const first = await EngineProcess.start(options, supervisor.#closeController.signal);
    supervisor.#ready(first);
    supervisor.#runPromise = supervisor.#keepRunning(first);
    return supervisor;
  }

  /** @throws EngineError `unavailable` while no process runs */
  current(): EngineProcess {
    if (this.#process === undefined)
      throw new EngineError('unavailable', `the engine is ${this.#state}: ${this.#reason ?? ''}`);
    return this.#process;
  }

  health(): EngineHealth {
    return {
      state: this.#state,
      since: this.#since,
      restarts: this.#restarts,
      ...(this.#reason !== undefined && { reason: this.#reason }),
      memoryBytes: this.#process?.memoryBytes ?? 0,
    };
  }

  onReady(listener: () => void): () => void {
    return this.#listeners.add(listener, this.#state === 'ready');
  }

  async close(waitMilliseconds: number, killMilliseconds: number): Promise<void> {
    if (!this.#closeController.signal.aborted) {
      const process = this.#process;
      this.#process = undefined;
      this.#enter('closed', undefined);
      this.#closeController.abort();
      await process?.close(waitMilliseconds, killMilliseconds);
    }
    await this.#runPromise;
  }

  async #keepRunning(first: EngineProcess): Promise<void> {
    let process: EngineProcess | undefined = first;
    while (!this.#closeController.signal.aborted) {
      if (process !== undefined) {
        const readySince = performance.now();
        const reason = await process.exitReason;
        if (this.#closeController.signal.aborted) return;
        this.#process = undefined;
        if (performance.now() - readySince > stableMilliseconds) this.#failures = 0;
        this.#handleFailure(reason);
      }
      await sleep(restartPause(this.#failures), undefined, { signal: this.#closeController.signal }).catch(
        () => undefined,
      );
      if (this.#closeController.signal.aborted) return;
      process = await this.#restart();
    }
    await process?.close(0, 0);
  }

  async #restart(): Promise<EngineProcess | undefined> {
    try {
      // Files that could not be checked when written would otherwise be read as they are.
      await this.#definitions.repair();
      const process = await EngineProcess.start(this.#options, this.#closeController.signal);
      if (this.#closeController.signal.aborted) return process;
      this.#restarts += 1;
      this.#ready(process);
      return process;
    } catch (error) {
      if (this.#closeController.signal.aborted) return undefined;
      this.#handleFailure(error instanceof EngineError ? error.detail : String(error));
      return undefined;
    }
  }

  #handleFailure(reason: string): void {
    this.#failures += 1;
    this.#enter(this.#failures >= crashLoop ? 'down' : 'restarting', reason);
    this.#options.log('error', 'the engine process ended', {
      reason,
      failures: this.#failures,
      pause: restartPause(this.#failures),
    });
  }

  #ready(process: EngineProcess): void {
    this.#process = process;
    this.#enter('ready', this.#reason);
    this.#options.log('info', 'the engine is ready', { pid: process.pid, restarts: this.#restarts });
    this.#listeners.tellAll();
  }

  #enter(state: EngineState, reason: string | undefined): void {
    if (this.#state !== state) this.#since = Date.now();
    this.#state = state;
    this.#reason = reason;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Priority } from '../engine.js';
import type { AnswerHead, PoolName, ToChild } from '../messages.js';
import { deadlineExceeded, limitByDeadline } from '../settings.js';
import type { Control } from './control.js';
import type { Job } from './worker-pool.js';
import type { Worker } from './worker.js';

export type RunRequest = Extract<ToChild, { readonly type: 'run' }>;

/** Receives a statement's outcome. */
interface Outlet {
  answer(head: AnswerHead, output: Uint8Array): Promise<void>;
  detached(): void;
  failed(text: string): void;
}

/**
 * Pauses between attempts to stop a statement, milliseconds. The first are short: the statement may
 * not have begun at the first attempt.
 */
const killPauses = [5, 10, 20, 50, 100];
/** Pause between attempts to stop a detached statement, milliseconds. */
const detachedPause = 5000;

export class Statement implements Job {
  readonly #request: RunRequest;
  readonly #outlet: Outlet;
  readonly #control: Control;
  readonly #arrivedAt = performance.now();
  #canceledAt: number | undefined;
  #runsOn: Worker | undefined;
  #isDetached = false;
  #kill: Promise<void> = Promise.resolve();

  constructor(request: RunRequest, outlet: Outlet, control: Control) {
    this.#request = request;
    this.#outlet = outlet;
    this.#control = control;
  }

  get lane(): PoolName {
    return this.#request.lane;
  }

  get priority(): Priority {
    return this.#request.priority;
  }

  /** Whether it may be left running after its cancellation: it changes no data. */
  get isDetachable(): boolean {
    return this.#request.lane === 'query' || this.#request.lane === 'export';
  }

  get isDetached(): boolean {
    return this.#isDetached;
  }

  /** Time since the cancellation of a running statement. */
  get cancelMilliseconds(): number {
    return this.#canceledAt === undefined || this.#runsOn === undefined ? 0 : performance.now() - this.#canceledAt;
  }

  /** Records that another session has replaced this statement's. */
  detach(): void {
    this.#isDetached = true;
    this.#outlet.detached();
  }

  async run(worker: Worker): Promise<void> {
    const { sql, format } = this.#request;
    const settings = this.#settings();
    if (settings === undefined) return this.#outlet.failed(deadlineExceeded);
    try {
      this.#runsOn = worker;
      const run = worker.run(sql, engineFormat(format), settings);
      const { bytes, elapsedSeconds } = await run.finally(() => (this.#runsOn = undefined));
      const elapsedNanoseconds = Math.round(elapsedSeconds * 1e9);
      await this.#outlet.answer({ type: 'answer', bodyBytes: bytes.length, elapsedNanoseconds }, bytes);
    } catch (error) {
      this.#outlet.failed(error instanceof Error ? error.message : String(error));
    }
    // A kill stops whatever the worker is running, so it must be over before the next statement
    // starts there.
    await this.#kill;
  }

  /**
   * The statement's settings, with the rest of its time as the time limit; undefined if it used up
   * its time in the queue.
   */
  #settings(): RunRequest['settings'] | undefined {
    const { settings, milliseconds } = this.#request;
    return milliseconds === undefined
      ? settings
      : limitByDeadline(settings, milliseconds - (performance.now() - this.#arrivedAt));
  }

  /** Stops the engine's work; the outcome is then a failure, unless the statement was faster. */
  async cancel(): Promise<void> {
    if (this.#canceledAt !== undefined) return;
    this.#canceledAt = performance.now();
    for (let attempt = 0; this.#runsOn !== undefined; attempt += 1) {
      this.#kill = this.#control.kill(this.#runsOn.mark);
      await this.#kill;
      await sleep(this.#isDetached ? detachedPause : killPauses[Math.min(attempt, killPauses.length - 1)]);
    }
  }
}

function engineFormat(format: RunRequest['format']): string {
  if (format === undefined) return 'Null';
  return format === 'JSONCompactColumns' ? 'JSONColumnsWithMetadata' : format;
}

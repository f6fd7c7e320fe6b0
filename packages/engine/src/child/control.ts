import { quoteString } from '@millrace/sql';
import type { Worker } from './worker.js';

/**
 * The session that manages the others: it stops statements and shows that the engine still
 * responds, one statement at a time.
 */
export class Control {
  readonly #worker: Worker;
  #tail: Promise<unknown> = Promise.resolve();
  #heartbeatSince: number | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  /**
   * Makes the engine stop the statement that the worker with this mark is running. A statement that
   * has not begun yet is not found, so call it again. The engine offers no way to name a statement
   * beforehand, but it shows the settings of running ones. ASYNC, because the synchronous form
   * waits, sometimes forever.
   */
  kill(mark: string): Promise<void> {
    return this.#run(`KILL QUERY WHERE Settings['log_comment'] = ${quoteString(mark)} ASYNC`);
  }

  heartbeat(): void {
    if (this.#heartbeatSince !== undefined) return;
    this.#heartbeatSince = performance.now();
    void this.#run('SELECT 1').finally(() => (this.#heartbeatSince = undefined));
  }

  /** Milliseconds since the unanswered heartbeat, 0 if all are answered. */
  get heartbeatMilliseconds(): number {
    return this.#heartbeatSince === undefined ? 0 : performance.now() - this.#heartbeatSince;
  }

  async close(): Promise<void> {
    await this.#tail;
    this.#worker.close();
  }

  #run(sql: string): Promise<void> {
    const done = this.#tail
      .then(() => this.#worker.run(sql, 'Null', {}))
      .then(
        () => undefined,
        () => undefined,
      );
    this.#tail = done;
    return done;
  }
}

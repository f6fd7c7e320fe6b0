import type { Priority } from '../engine.js';
import type { Worker } from './worker.js';

export interface Job {
  readonly priority: Priority;
  /** Runs on a worker that is its alone until this resolves; never throws. */
  run(worker: Worker): Promise<void>;
}

/**
 * A set of workers and the jobs waiting for them: `high` first, then `normal`, then `low`, each in
 * order of arrival.
 */
export class Lane {
  readonly #workers: readonly Worker[];
  readonly #free: Worker[];
  readonly #waiting: Readonly<Record<Priority, Set<Job>>> = { high: new Set(), normal: new Set(), low: new Set() };
  readonly #maxWaiting: number;

  constructor(workers: readonly Worker[], maxWaiting: number) {
    this.#workers = workers;
    this.#free = [...workers];
    this.#maxWaiting = maxWaiting;
  }

  get idle(): boolean {
    return this.#free.length === this.#workers.length;
  }

  /** @returns whether the job was taken; it is not when too many wait */
  add(job: Job): boolean {
    const { high, normal, low } = this.#waiting;
    if (this.#free.length === 0 && high.size + normal.size + low.size >= this.#maxWaiting) return false;
    this.#waiting[job.priority].add(job);
    this.#next();
    return true;
  }

  /** @returns whether the job was still waiting; then it will not run */
  remove(job: Job): boolean {
    return this.#waiting[job.priority].delete(job);
  }

  close(): void {
    for (const worker of this.#workers) worker.close();
  }

  #next(): void {
    const { high, normal, low } = this.#waiting;
    for (const queue of [high, normal, low]) {
      for (const job of queue) {
        const worker = this.#free.pop();
        if (worker === undefined) return;
        queue.delete(job);
        void job.run(worker).finally(() => {
          this.#free.push(worker);
          this.#next();
        });
      }
    }
  }
}

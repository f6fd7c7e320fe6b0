import type { Priority } from '../engine.js';
import type { Worker } from './worker.js';

export interface Job {
  readonly priority: Priority;
  /** Runs on a worker that no other job uses until this resolves; never throws. */
  run(worker: Worker): Promise<void>;
}

/**
 * A set of workers and the jobs waiting for them: `high` first, then `normal`, then `low`, each in
 * order of arrival. A worker whose job does not end can be replaced, so that others do not wait for
 * it.
 */
export class WorkerPool {
  readonly #open: (index: number) => Worker;
  readonly #workers: Set<Worker>;
  readonly #free: Worker[];
  readonly #activeWorkers = new Map<Job, Worker>();
  #openedCount: number;
  readonly #queues: Readonly<Record<Priority, Set<Job>>> = { high: new Set(), normal: new Set(), low: new Set() };
  readonly #maxWaiting: number;

  /** @param open opens a worker; indexes are unique */
  constructor(size: number, open: (index: number) => Worker, maxWaiting: number) {
    this.#open = open;
    this.#openedCount = size;
    this.#workers = new Set(Array.from({ length: size }, (_, index) => open(index)));
    this.#free = [...this.#workers];
    this.#maxWaiting = maxWaiting;
  }

  get idle(): boolean {
    return this.#activeWorkers.size === 0;
  }

  /** @returns whether the job was queued; false when too many are waiting */
  add(job: Job): boolean {
    const { high, normal, low } = this.#queues;
    if (this.#free.length === 0 && high.size + normal.size + low.size >= this.#maxWaiting) return false;
    this.#queues[job.priority].add(job);
    this.#next();
    return true;
  }

  /** @returns whether the job was still waiting; then it will not run */
  remove(job: Job): boolean {
    return this.#queues[job.priority].delete(job);
  }

  /** Replaces the worker of a running job, which is closed when the job ends. */
  replace(job: Job): void {
    const worker = this.#activeWorkers.get(job);
    if (worker === undefined || !this.#workers.delete(worker)) return;
    const replacement = this.#open(this.#openedCount++);
    this.#workers.add(replacement);
    this.#free.push(replacement);
    this.#next();
  }

  close(): void {
    for (const worker of this.#workers) worker.close();
  }

  #next(): void {
    const { high, normal, low } = this.#queues;
    for (const queue of [high, normal, low]) {
      for (const job of queue) {
        const worker = this.#free.pop();
        if (worker === undefined) return;
        queue.delete(job);
        this.#activeWorkers.set(job, worker);
        void job.run(worker).finally(() => {
          this.#activeWorkers.delete(job);
          if (!this.#workers.has(worker)) return worker.close();
          this.#free.push(worker);
          this.#next();
        });
      }
    }
  }
}

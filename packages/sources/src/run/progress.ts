import type { StoredSourceStatus } from '@millrace/api/schemas/source';
import type { StoredBatch } from './batch.js';
import { emptyStatus } from './empty-status.js';

/** Rejected messages, objects and events that are remembered. */
const rejectsKept = 20;
const longestProblem = 500;

type Counts = Omit<StoredSourceStatus, 'id'>;

/** What a source has done, for its status. */
export class Progress {
  #now: Counts;
  readonly #clock: () => number;
  #version = 0;

  /** @param before status that was recorded by an earlier run */
  constructor(clock: () => number, before: Counts | undefined) {
    this.#clock = clock;
    this.#now = before ?? emptyStatus;
  }

  /** Grows with each change. */
  get version(): number {
    return this.#version;
  }

  get counts(): Counts {
    return this.#now;
  }

  recordStored(
    batch: { readonly position: string; readonly bytes: number },
    { ingested, failed, failures }: StoredBatch,
  ): void {
    const { events, failedEvents, batches, bytes } = this.#now;
    this.#change({
      events: events + ingested,
      failedEvents: failedEvents + failed,
      batches: batches + 1,
      bytes: bytes + batch.bytes,
      position: batch.position,
      lastBatchAt: this.#time(),
    });
    if (failed > 0) this.#reject(batch.position, `${failed} events rejected: ${failures[0] ?? ''}`);
  }

  /** A message or object that cannot be read and was kept aside. */
  recordRejected(position: string, problem: string): void {
    this.#change({ rejectedMessages: this.#now.rejectedMessages + 1 });
    this.#reject(position, problem);
  }

  lag(lag: number, lagBytes?: number): void {
    if (this.#now.lag === lag && this.#now.lagBytes === lagBytes) return;
    this.#change({ lag, ...(lagBytes !== undefined && { lagBytes }) });
  }

  markFailing(problem: string): void {
    this.#change({ state: 'failing', problem: problem.slice(0, longestProblem) });
  }

  markWorking(): void {
    if (this.#now.state === 'running') return;
    const { problem: _, ...rest } = this.#now;
    this.#now = rest;
    this.#change({ state: 'running' });
  }

  #reject(position: string, problem: string): void {
    const reject = { time: this.#time(), position, problem: problem.slice(0, longestProblem) };
    this.#change({ rejects: [reject, ...this.#now.rejects].slice(0, rejectsKept) });
  }

  #time(): string {
    return new Date(this.#clock()).toISOString();
  }

  #change(change: Partial<Counts>): void {
    this.#now = { ...this.#now, ...change };
    this.#version++;
  }
}

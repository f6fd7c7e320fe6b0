import { setTimeout as sleep } from 'node:timers/promises';

/** A running read without a condition, which sees all rows. */
interface UnboundedRead {
  readonly read: Promise<unknown>;
  /** When an insert began during the read, by `performance.now()`. */
  overtakenAt?: number;
}

/**
 * An insert of several days enters the table partition by partition, and a concurrent read would
 * see part of a batch. During such inserts, reads therefore exclude batches that were not
 * completely in the table at their start: the flush before the read inserted everything
 * acknowledged by then. This makes them read the column `_seq`, so it is done only when needed.
 */
export class BatchVisibility {
  readonly #unboundedReads = new Set<UnboundedRead>();
  #boundedUntil = -Infinity;
  /** Running inserts of several partitions. */
  #insertsInFlight = 0;

  /** Whether reads must exclude batches that are not completely in the table. */
  get isBounded(): boolean {
    return this.#insertsInFlight > 0 || performance.now() < this.#boundedUntil;
  }

  /** Registers a running read without a condition. */
  register(read: Promise<unknown>): UnboundedRead {
    const noted: UnboundedRead = { read };
    this.#unboundedReads.add(noted);
    const over = (): void => void this.#unboundedReads.delete(noted);
    read.then(over, over);
    return noted;
  }

  /**
   * Runs an insert of several partitions, once all earlier reads without a condition are over or
   * marked as overtaken. Reads are restricted during the insert, however long it takes, and for a
   * while afterwards.
   */
  async hideDuring(insert: () => Promise<void>): Promise<void> {
    this.#insertsInFlight += 1;
    try {
      await this.#othersOver();
      await insert();
    } finally {
      this.#insertsInFlight -= 1;
      this.#boundedUntil = performance.now() + boundedMilliseconds;
    }
  }

  async #othersOver(): Promise<void> {
    if (this.#unboundedReads.size === 0) return;
    const waiting = [...this.#unboundedReads];
    const waited = new AbortController();
    const patience = sleep(patienceMilliseconds, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(waiting.map(({ read }) => read)), patience]);
    waited.abort();
    // Later inserts do not wait for these again.
    for (const noted of waiting) if (this.#unboundedReads.delete(noted)) noted.overtakenAt = performance.now();
  }
}

/**
 * A client that sends events of several days once is likely to do so again; while reads stay
 * restricted, the next such insert need not wait.
 */
const boundedMilliseconds = 60_000;
/**
 * The engine fixes a query's snapshot when the query begins, and most queries that are unfinished
 * after this long began long ago.
 */
const patienceMilliseconds = 2000;

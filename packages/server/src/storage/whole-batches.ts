import { setTimeout as sleep } from 'node:timers/promises';

/** A question that is asked without bounds and sees whatever is there. */
interface Unbounded {
  readonly question: Promise<unknown>;
  /** When an insert began before the question was over, by `performance.now()`. */
  overtaken?: number;
}

/**
 * An insert of several days enters the table partition by partition, and a question in between
 * would see part of a batch. While there are such inserts, questions therefore leave out the
 * batches that were not in the table when they were asked: the flush before the question brought in
 * everything acknowledged by then. This makes them read the column `_seq`, so it is done only as
 * long as there is a reason.
 */
export class WholeBatches {
  readonly #unbounded = new Set<Unbounded>();
  #boundedUntil = -Infinity;
  /** The number of running inserts of several partitions. */
  #underWay = 0;

  /** Whether questions must leave out what is not in the table yet. */
  get bounded(): boolean {
    return this.#underWay > 0 || performance.now() < this.#boundedUntil;
  }

  /** Notes a running question that is not bounded. */
  note(question: Promise<unknown>): Unbounded {
    const noted: Unbounded = { question };
    this.#unbounded.add(noted);
    const over = (): void => void this.#unbounded.delete(noted);
    question.then(over, over);
    return noted;
  }

  /**
   * Runs an insert of several partitions, once all unbounded questions asked before it are over or
   * marked as overtaken. Questions are bounded while it runs, however long that takes, and for a
   * while afterwards.
   */
  async during(insert: () => Promise<void>): Promise<void> {
    this.#underWay += 1;
    try {
      await this.#othersOver();
      await insert();
    } finally {
      this.#underWay -= 1;
      this.#boundedUntil = performance.now() + boundedMilliseconds;
    }
  }

  async #othersOver(): Promise<void> {
    if (this.#unbounded.size === 0) return;
    const waiting = [...this.#unbounded];
    const waited = new AbortController();
    const patience = sleep(patienceMilliseconds, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(waiting.map(({ question }) => question)), patience]);
    waited.abort();
    // No later insert waits for these again.
    for (const noted of waiting) if (this.#unbounded.delete(noted)) noted.overtaken = performance.now();
  }
}

/**
 * A client that sends events of several days once is likely to do so again; while questions stay
 * bounded, the next such insert need not wait.
 */
const boundedMilliseconds = 60_000;
/**
 * The engine fixes what a query sees when it begins it, and most queries that are unfinished after
 * this long began long ago.
 */
const patienceMilliseconds = 2000;

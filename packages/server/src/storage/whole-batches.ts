import { setTimeout as sleep } from 'node:timers/promises';

/** A question that sees whatever is there. */
export interface Unbounded {
  readonly question: Promise<unknown>;
  /** When an insert began although the question was not over, by `performance.now()`. */
  overtaken?: number;
}

/**
 * An insert of several days comes into the table partition by partition, and a question in between would see some of a
 * batch. So while there are such inserts, questions leave out the batches that were not in the table when they were asked: none of
 * these had been acknowledged before. That costs them the column `_seq`, so it is done only as long as there is a reason.
 */
export class WholeBatches {
  readonly #unbounded = new Set<Unbounded>();
  #boundedUntil = -Infinity;

  /** Whether questions are to leave out what is not in the table yet. */
  get bounded(): boolean {
    return performance.now() < this.#boundedUntil;
  }

  /** A question runs that sees whatever is there. */
  note(question: Promise<unknown>): Unbounded {
    const noted: Unbounded = { question };
    this.#unbounded.add(noted);
    const over = (): void => void this.#unbounded.delete(noted);
    question.then(over, over);
    return noted;
  }

  /** From now on questions are bounded. */
  bound(): void {
    this.#boundedUntil = performance.now() + boundedMilliseconds;
  }

  /** Before an insert of several partitions: those who were asked before and are not bounded have seen what they see, or are overtaken. */
  async beforeInsert(): Promise<void> {
    this.bound();
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

/** Who sends events of several days once does so again: the wait before such an insert is not to come each time. */
const boundedMilliseconds = 60_000;
/** The engine fixes what a query sees when it begins it, and most that have run for so long began long ago. */
const patienceMilliseconds = 2000;

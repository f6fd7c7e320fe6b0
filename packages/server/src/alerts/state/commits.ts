import type { Outcome } from './records.js';

/**
 * Writes what runs decided, those that end at about the same time in one transaction: each waits
 * for the disk, and a thousand monitors end seventeen runs a second.
 */
export class Commits {
  readonly #write: (outcomes: readonly Outcome[]) => Promise<void>;
  readonly #milliseconds: number;
  #waiting: Outcome[] = [];
  #next: Promise<void> | undefined;

  constructor(write: (outcomes: readonly Outcome[]) => Promise<void>, milliseconds: number) {
    this.#write = write;
    this.#milliseconds = milliseconds;
  }

  /** Resolved when it is on disk; a failure leaves nothing of it there. */
  add(outcome: Outcome): Promise<void> {
    this.#waiting.push(outcome);
    return (this.#next ??= this.#later());
  }

  async #later(): Promise<void> {
    // Never at once: the caller has to note first that a write is to come.
    await (this.#milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, this.#milliseconds)) : undefined);
    const outcomes = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    await this.#write(outcomes);
  }
}

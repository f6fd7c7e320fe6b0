import type { RunOutcome } from './records.js';

/**
 * Writes outcomes of runs that end at about the same time in one transaction (group commit): each
 * transaction waits for an fsync, and a thousand monitors end seventeen runs per second.
 */
export class Commits {
  readonly #write: (outcomes: readonly RunOutcome[]) => Promise<void>;
  readonly #milliseconds: number;
  #queue: RunOutcome[] = [];
  #next: Promise<void> | undefined;

  constructor(write: (outcomes: readonly RunOutcome[]) => Promise<void>, milliseconds: number) {
    this.#write = write;
    this.#milliseconds = milliseconds;
  }

  /** Resolves when it is on disk; after a failure nothing of it is stored. */
  add(outcome: RunOutcome): Promise<void> {
    this.#queue.push(outcome);
    return (this.#next ??= this.#later());
  }

  async #later(): Promise<void> {
    // Never synchronous: the caller first has to store the promise.
    await (this.#milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, this.#milliseconds)) : undefined);
    const outcomes = this.#queue;
    this.#queue = [];
    this.#next = undefined;
    await this.#write(outcomes);
  }
}

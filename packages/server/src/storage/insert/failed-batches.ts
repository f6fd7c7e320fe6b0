import type { Batch } from './queue.js';

/**
 * What is known of the batches of a queue that were in an insert which failed. Each has one state
 * until it leaves the queue:
 *
 *     fresh ─── an insert with it was refused ───────────────────────► suspect
 *     suspect ─ it failed alone, and it is not known who is to blame ► doubtful
 *     suspect ─ it failed alone, by its own fault ───────────────────► guilty
 *     doubtful  it failed again after others had gone in ────────────► guilty
 *
 * Suspects are tried apart from the others, fewer and fewer together. A doubtful batch is tried
 * alone, after all others. A guilty one is put aside, which takes it out of the queue. Whatever its
 * state, a batch may also be *unsure*: the engine may have rows of it, so it is compared before
 * anything else.
 */
export class FailedBatches {
  readonly #unsure = new Set<bigint>();
  readonly #suspects = new Set<bigint>();
  /**
   * With how many inserts had succeeded when it first failed alone; the one that failed last comes
   * last. The engine may have a part of it.
   */
  readonly #doubtful = new Map<bigint, number>();
  /** How many suspects are tried together. */
  #together = 1;
  /** How many inserts have succeeded; those on trial, into another table, count too. */
  #inserts = 0;
  /**
   * Since when doubtful batches have made the queue wait while nothing went in, although the engine
   * and the metadata worked, on the monotonic clock.
   */
  #waitingSince: number | undefined;

  stateOf({ position }: Pick<Batch, 'position'>): 'fresh' | 'suspect' | 'doubtful' {
    if (this.#doubtful.has(position)) return 'doubtful';
    return this.#suspects.has(position) ? 'suspect' : 'fresh';
  }

  /** How many suspects are tried together. */
  get together(): number {
    return this.#together;
  }

  /** Whether the engine may have a part of any batch that waits. */
  get mayHaveParts(): boolean {
    return this.#unsure.size + this.#doubtful.size > 0;
  }

  /** The engine may have rows of these: an insert failed, or a crash came in between. */
  addUnsure(batches: readonly Pick<Batch, 'position'>[]): void {
    for (const { position } of batches) this.#unsure.add(position);
  }

  isUnsure({ position }: Batch): boolean {
    return this.#unsure.has(position);
  }

  /**
   * It was compared with what the engine has, and nothing has to be done before it is tried again.
   */
  compared({ position }: Batch): void {
    this.#unsure.delete(position);
  }

  /**
   * An insert failed, and one of its batches may be to blame.
   * @param fault whether it is known to be the fault of a batch, if there is only one
   * @returns what becomes of a batch that was tried alone; otherwise fewer are tried together
   */
  judge(group: readonly Batch[], fault: boolean): 'guilty' | 'doubtful' | 'smaller' {
    // Halving finds one bad batch among many quickly; if many are bad, batches are soon tried one
    // by one.
    this.#together = Math.max(1, Math.floor(group.length / 2));
    const [first] = group;
    if (first === undefined || group.length > 1 || this.stateOf(first) === 'fresh') {
      for (const { position } of group) this.#suspects.add(position);
      return 'smaller';
    }
    if (fault || this.isOutlived(first)) return 'guilty';
    const since = this.#doubtful.get(first.position) ?? this.#inserts;
    // It goes behind the others.
    this.#doubtful.delete(first.position);
    this.#doubtful.set(first.position, since);
    return 'doubtful';
  }

  /**
   * Whether others have gone in since this batch first failed alone. Then the engine works, and
   * another failure is the batch's own.
   */
  isOutlived({ position }: Batch): boolean {
    const before = this.#doubtful.get(position);
    return before !== undefined && this.#inserts > before;
  }

  /**
   * Whether several have become doubtful and nothing has gone in since: no other one need be tried
   * now.
   */
  get severalInVain(): boolean {
    return [...this.#doubtful.values()].filter((before) => before === this.#inserts).length > 1;
  }

  /** The doubtful batch whose turn is next. */
  get longestDoubtful(): bigint | undefined {
    return this.#doubtful.keys().next().value;
  }

  /** An insert of so many batches succeeded. */
  succeeded(batches: number): void {
    this.#together = 2 * batches;
    this.#inserts++;
  }

  /** A row went into another table in place of a batch. */
  passedTrial(): void {
    this.#inserts++;
  }

  /** For how long doubtful batches have made the queue wait, milliseconds. */
  waited(now: number): number {
    this.#waitingSince ??= now;
    return now - this.#waitingSince;
  }

  /** The time begins again: a trial failed. */
  waitAnew(now: number): void {
    this.#waitingSince = now;
  }

  /**
   * How long batches have been doubtful says nothing about them: something went in, or nothing
   * could.
   */
  waitNoLonger(): void {
    this.#waitingSince = undefined;
  }

  /** Batches have left the queue. */
  left(positions: Iterable<bigint>): void {
    for (const position of positions) {
      this.#unsure.delete(position);
      this.#suspects.delete(position);
      this.#doubtful.delete(position);
    }
  }
}

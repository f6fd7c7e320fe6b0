import type { Batch } from './queue.js';

/**
 * State of the batches of a queue that were in a failed insert. Each has one state until it leaves
 * the queue:
 *
 *     fresh ─── an insert with it was rejected ──────────────────────► suspect
 *     suspect ─ it failed alone, and the cause is unknown ───────────► doubtful
 *     suspect ─ it failed alone, and it is the cause ────────────────► guilty
 *     doubtful  it failed again after others were inserted ──────────► guilty
 *
 * Suspects are tried apart from the others, in ever smaller groups. A doubtful batch is tried
 * alone, after all others. A guilty one is quarantined, which removes it from the queue. In any
 * state a batch may also be *unsure*: the engine may have rows of it, so it is compared before
 * anything else.
 */
export class FailedBatches {
  readonly #unsure = new Set<bigint>();
  readonly #suspects = new Set<bigint>();
  /**
   * Number of successful inserts when it first failed alone; the batch that failed last comes last.
   * The engine may have a part of it.
   */
  readonly #doubtful = new Map<bigint, number>();
  /** Maximum suspects per insert. */
  #batchCount = 1;
  /** How many inserts have succeeded, including probe inserts. */
  #inserts = 0;
  /**
   * Since when doubtful batches have blocked the queue while nothing was inserted, although the
   * engine and the metadata worked, on the monotonic clock.
   */
  #waitingSince: number | undefined;

  stateOf({ position }: Pick<Batch, 'position'>): 'fresh' | 'suspect' | 'doubtful' {
    if (this.#doubtful.has(position)) return 'doubtful';
    return this.#suspects.has(position) ? 'suspect' : 'fresh';
  }

  /** Maximum suspects per insert. */
  get batchCount(): number {
    return this.#batchCount;
  }

  /** Whether the engine may have a part of any pending batch. */
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

  /** It was compared with the engine's rows, and may be tried again. */
  recordComparison({ position }: Batch): void {
    this.#unsure.delete(position);
  }

  /**
   * An insert failed, perhaps because of one of its batches.
   * @param fault whether a batch is known to be the cause, if the group has only one
   * @returns the new state of a batch that was tried alone; otherwise smaller groups follow
   */
  judge(group: readonly Batch[], fault: boolean): 'guilty' | 'doubtful' | 'smaller' {
    // Halving finds one bad batch among many quickly; if many are bad, batches are soon tried one
    // by one.
    this.#batchCount = Math.max(1, Math.floor(group.length / 2));
    const [first] = group;
    if (first === undefined || group.length > 1 || this.stateOf(first) === 'fresh') {
      for (const { position } of group) this.#suspects.add(position);
      return 'smaller';
    }
    if (fault || this.isOutlived(first)) return 'guilty';
    const since = this.#doubtful.get(first.position) ?? this.#inserts;
    // It moves to the end.
    this.#doubtful.delete(first.position);
    this.#doubtful.set(first.position, since);
    return 'doubtful';
  }

  /**
   * Whether others have been inserted since this batch first failed alone. Then the engine works,
   * and another failure is caused by the batch.
   */
  isOutlived({ position }: Batch): boolean {
    const before = this.#doubtful.get(position);
    return before !== undefined && this.#inserts > before;
  }

  /**
   * Whether several have become doubtful and nothing was inserted since: trying another one is
   * useless now.
   */
  get severalInVain(): boolean {
    return [...this.#doubtful.values()].filter((before) => before === this.#inserts).length > 1;
  }

  /** The next doubtful batch to try. */
  get longestDoubtful(): bigint | undefined {
    return this.#doubtful.keys().next().value;
  }

  /** An insert of so many batches succeeded. */
  recordSuccess(batches: number): void {
    this.#batchCount = 2 * batches;
    this.#inserts++;
  }

  /** A probe insert succeeded. */
  passedTrial(): void {
    this.#inserts++;
  }

  /** How long doubtful batches have blocked the queue, milliseconds. */
  timeWaited(now: number): number {
    this.#waitingSince ??= now;
    return now - this.#waitingSince;
  }

  /** Restarts the time after a failed probe. */
  waitAnew(now: number): void {
    this.#waitingSince = now;
  }

  /** Resets the time as doubtful: something was inserted, or nothing could be. */
  waitNoLonger(): void {
    this.#waitingSince = undefined;
  }

  /** Batches have left the queue. */
  forget(positions: Iterable<bigint>): void {
    for (const position of positions) {
      this.#unsure.delete(position);
      this.#suspects.delete(position);
      this.#doubtful.delete(position);
    }
  }
}

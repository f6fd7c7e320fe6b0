/**
 * After this many bodies the statistics are reset, because the values of a field may have changed.
 */
const BODIES = 64;
/** Maximum fields with statistics: more than a dataset has columns. */
const MAX_FIELDS = 4096;

/** Statistics of a field's strings in earlier bodies, updated by the current one. */
export class DictionaryHint {
  /** Whether they repeat themselves enough for a dictionary. */
  repeats = false;
  /** The number of values at which the core should check again whether they do. */
  nextLook = 0;

  /** Records the core's statistics. */
  set(repeats: boolean, nextLook: number): void {
    this.repeats = repeats;
    this.nextLook = nextLook;
  }

  /** Whether this many values would stay plain, and checking them would reveal nothing new. */
  staysPlain(values: number): boolean {
    return !this.repeats && values < this.nextLook;
  }
}

/**
 * Statistics of the strings in a dataset's fields, carried from one body or insert to the next.
 * They affect how strings are stored, never their values.
 */
export class DictionaryHints {
  readonly #habits = new Map<string, DictionaryHint>();
  #bodies = 0;

  /** A body or an insert begins. */
  begin(): this {
    if (this.#bodies++ % BODIES === 0) this.#habits.clear();
    return this;
  }

  /** The statistics of a field, if there are any. */
  knownHint(field: string): DictionaryHint | undefined {
    return this.#habits.get(field);
  }

  of(field: string): DictionaryHint {
    let habit = this.#habits.get(field);
    if (habit === undefined) {
      habit = new DictionaryHint();
      if (this.#habits.size < MAX_FIELDS) this.#habits.set(field, habit);
    }
    return habit;
  }
}

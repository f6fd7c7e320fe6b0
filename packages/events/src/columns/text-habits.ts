/**
 * After this many bodies everything is forgotten and found out again: what a field holds may have
 * changed.
 */
const BODIES = 64;
/** How many fields are remembered: more than a dataset has columns. */
const MOST_FIELDS = 4096;

/** What the texts of a field showed in earlier bodies, and then in this one. */
export class TextHabit {
  /** Whether they repeat themselves enough for a dictionary. */
  repeats = false;
  /** The number of values at which the core should check again whether they do. */
  nextLook = 0;

  /** Records what the core found out. */
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
 * What is remembered about the texts of a dataset's fields from one body or insert to the next. It
 * affects how they are written, never what is read.
 */
export class TextHabits {
  readonly #habits = new Map<string, TextHabit>();
  #bodies = 0;

  /** A body or an insert begins. */
  begin(): this {
    if (this.#bodies++ % BODIES === 0) this.#habits.clear();
    return this;
  }

  /** What is remembered about a field, if anything. */
  known(field: string): TextHabit | undefined {
    return this.#habits.get(field);
  }

  of(field: string): TextHabit {
    let habit = this.#habits.get(field);
    if (habit === undefined) {
      habit = new TextHabit();
      if (this.#habits.size < MOST_FIELDS) this.#habits.set(field, habit);
    }
    return habit;
  }
}

/** After so many bodies everything is found out again: what a field holds may have changed. */
const BODIES = 64;
/** Fields remembered: more than a dataset has columns. */
const MOST_FIELDS = 4096;

/** What the texts of a field showed in earlier bodies, and then in this one. */
export class TextHabit {
  /** They repeat themselves enough for a dictionary. */
  repeats = false;
  /** With so many values it is worth looking whether they do; the core knows after how many. */
  nextLook = 0;

  /** What the core found out. */
  set(repeats: boolean, nextLook: number): void {
    this.repeats = repeats;
    this.nextLook = nextLook;
  }

  /** So many values will be no dictionary, and nothing more would be found out by looking at them. */
  staysPlain(values: number): boolean {
    return !this.repeats && values < this.nextLook;
  }
}

/** What is known about the texts of a dataset's fields from one body or insert to the next: it changes how they are written, never what is read. */
export class TextHabits {
  readonly #habits = new Map<string, TextHabit>();
  #bodies = 0;

  /** A body or an insert begins. */
  begin(): this {
    if (this.#bodies++ % BODIES === 0) this.#habits.clear();
    return this;
  }

  /** What is remembered of a field, if anything is. */
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

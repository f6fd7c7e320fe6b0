/**
 * After so many values a column looks whether it repeats itself enough for a dictionary: early, because most that do show
 * it at once, and again later for those with a thousand different values in a hundred thousand rows.
 */
export const LOOKS = [128, 2048, 16384] as const;
export const lookAfter = (values: number): number => LOOKS.find((count) => count > values) ?? Infinity;

/** After so many bodies everything is found out again: what a field holds may have changed. */
const BODIES = 64;
/** Fields remembered: more than a dataset has columns. */
const MOST_FIELDS = 4096;

/** What the texts of a field showed in earlier bodies, and then in this one. */
export class TextHabit {
  /** They repeat themselves enough for a dictionary. */
  repeats = false;
  /** Of so many values they did not. */
  looked = 0;

  /** So many values will be no dictionary, and nothing more would be found out by looking at them. */
  staysPlain(values: number): boolean {
    return !this.repeats && values < lookAfter(this.looked);
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

  of(field: string): TextHabit {
    let habit = this.#habits.get(field);
    if (habit === undefined) {
      habit = new TextHabit();
      if (this.#habits.size < MOST_FIELDS) this.#habits.set(field, habit);
    }
    return habit;
  }
}

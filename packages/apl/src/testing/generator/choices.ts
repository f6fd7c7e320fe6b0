/**
 * Only for tests: decisions read from a list of numbers that a property test makes, and shrinks. 0 is always the simplest choice, and
 * where the list ends all choices are.
 */
export class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A number below `count`. */
  below(count: number): number {
    const number = this.#numbers[this.#next++] ?? 0;
    return number % count;
  }

  /** One of a list, the first if nothing speaks for another. */
  of<T>(options: readonly T[]): T {
    return options[this.below(options.length)]!;
  }

  /** Whether something is to be done that happens one time in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === times - 1;
  }

  /** Some of a list, at least one, in its order. */
  some<T>(options: readonly T[]): readonly T[] {
    const sure = this.below(options.length);
    return options.filter((_, i) => i === sure || this.oneIn(2));
  }

  /** Between `least` and `most` times what `make` gives. */
  times<T>(least: number, most: number, make: (i: number) => T): readonly T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, i) => make(i));
  }
}

/**
 * Only for tests: decisions read from a list of numbers that a property test makes and shrinks. 0
 * is always the simplest choice, and beyond the end of the list all choices are 0.
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

  /** One of a list; the first is the simplest choice. */
  of<T>(options: readonly T[]): T {
    return options[this.below(options.length)]!;
  }

  /** True one time in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === times - 1;
  }

  /** At least one of a list, in its order. */
  some<T>(options: readonly T[]): readonly T[] {
    const sure = this.below(options.length);
    return options.filter((_, i) => i === sure || this.oneIn(2));
  }

  /** Between `min` and `max` results of `make`. */
  times<T>(min: number, max: number, make: (i: number) => T): readonly T[] {
    return Array.from({ length: min + this.below(max - min + 1) }, (_, i) => make(i));
  }
}

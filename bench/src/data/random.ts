/** Random numbers that are the same on every machine and in every run (xorshift128). */
export class Random {
  #a: number;
  #b: number;
  #c = 0x9e37_79b9;
  #d = 0x243f_6a88;

  constructor(seed: number) {
    this.#a = seed | 0 || 1;
    this.#b = Math.imul(seed, 0x85eb_ca6b) ^ 0x1234_5678;
    for (let i = 0; i < 16; i++) this.#next();
  }

  /** A 32-bit unsigned integer. */
  #next(): number {
    let t = this.#d;
    const s = this.#a;
    this.#d = this.#c;
    this.#c = this.#b;
    this.#b = s;
    t ^= t << 11;
    t ^= t >>> 8;
    this.#a = t ^ s ^ (s >>> 19);
    return this.#a >>> 0;
  }

  /** Uniform from 0 to below 1. */
  fraction(): number {
    return this.#next() / 0x1_0000_0000;
  }

  /** An integer from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** An integer from 0 to below `limit`, small ones far more often than large ones. */
  pickSkewed(limit: number): number {
    return Math.min(limit - 1, Math.floor(limit ** this.fraction() - 1 + this.fraction()));
  }

  /** A number of hexadecimal digits. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.#next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  /** A number of characters from the 32 that identifiers use. */
  letters(count: number): string {
    let text = '';
    for (let i = 0; i < count; i++) text += 'abcdefghijklmnopqrstuvwxyz234567'[this.#next() & 31];
    return text;
  }

  /** Positive, with a given median and a long tail. */
  latency(median: number): number {
    const normal = this.fraction() + this.fraction() + this.fraction() + this.fraction() - 2;
    return median * Math.exp(1.6 * normal);
  }
}

import { createHash } from 'node:crypto';

/**
 * Random choices that are the same in every run. Each actor of each cycle has a sequence of its
 * own, by name, so that timing does not change them.
 */
export class Random {
  #state: number;

  constructor(...name: readonly (string | number)[]) {
    this.#state = createHash('sha256').update(name.join('/')).digest().readUInt32LE(0);
  }

  /** Uniform from 0 to below 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** An integer, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)]!;
  }

  /** One of the names, with a probability proportional to its weight. */
  pickWeighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries<number>(weights);
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name as K;
    }
    return entries.at(-1)![0] as K;
  }
}

import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import { viewOf } from '../bytes/json-bytes.js';
import type { LabelSource } from '../series/series-cache.js';
import type { WrittenSeries } from './write-rows.js';

/** The texts of a request of version 2, to which its labels refer. */
export class Symbols {
  readonly #body: Buffer;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #scratch = sourceOf(4096);

  constructor({ body }: LabelSource) {
    this.#body = body;
  }

  /** Adds the text from `start` to before `end`. */
  add(start: number, end: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** @throws CorruptDataError without this symbol */
  text(reference: number): string {
    // The first symbol is the empty text, and a request without symbols may refer to it.
    if (reference === 0 && this.#starts.length === 0) return '';
    this.#check(reference);
    return this.#body.toString('utf8', this.#starts[reference], this.#ends[reference]);
  }

  /**
   * The bytes of several symbols, each after its length; valid until the next call.
   * @throws CorruptDataError without one of them
   */
  join(references: readonly number[]): WrittenSeries['bytes'] {
    let bytes = 0;
    for (const reference of references) {
      this.#check(reference);
      bytes += 4 + this.#ends[reference]! - this.#starts[reference]!;
    }
    if (bytes > this.#scratch.body.length) this.#scratch = sourceOf(2 * bytes);
    const { body, words } = this.#scratch;
    let at = 0;
    for (const reference of references) {
      const [start, end] = [this.#starts[reference]!, this.#ends[reference]!];
      words.setInt32(at, end - start);
      at += 4;
      for (let from = start; from < end; from++) body[at++] = this.#body[from]!;
    }
    return { source: this.#scratch, start: 0, end: at };
  }

  #check(reference: number): void {
    if (reference >= this.#starts.length)
      throw new CorruptDataError(`symbol ${reference} is referred to, and there are ${this.#starts.length}`);
  }
}

function sourceOf(bytes: number): LabelSource {
  const body = Buffer.allocUnsafeSlow(bytes);
  return { body, words: viewOf(body) };
}

import { CorruptDataError } from './corrupt-data-error.js';
import { bytesIn, type PackHead, readHead, valuesIn } from './message-pack.js';

/**
 * Splits a stream of MessagePack into its values, independent of its chunks. Scans every byte once.
 */
export class PackFrames {
  readonly #max: number;
  #bytes: Buffer = Buffer.alloc(0);
  /** Bytes received so far. */
  #length = 0;
  /** Position up to which the current value was scanned, and the number of its remaining values. */
  #at = 0;
  #remainingValues = 1;
  readonly #head: PackHead = { kind: 'nil', size: 0, next: 0 };

  /** @param max maximum bytes of a value */
  constructor(max: number) {
    this.#max = max;
  }

  /** Bytes of the value that is not complete yet. */
  get bufferedBytes(): number {
    return this.#length;
  }

  /**
   * The values that are complete with these bytes.
   * @throws CorruptDataError if the bytes are no values, or one is too long
   */
  *push(piece: Buffer): Generator<Buffer> {
    this.#add(piece);
    for (let start = 0; ;) {
      if (!this.#isComplete(start)) {
        this.#keep(start);
        return;
      }
      const end = this.#at;
      // A copy, because the memory is used again.
      yield Buffer.from(this.#bytes.subarray(start, end));
      start = end;
    }
  }

  #isComplete(start: number): boolean {
    for (; this.#remainingValues > 0; this.#remainingValues--) {
      if (!readHead(this.#bytes, this.#at, this.#length, this.#head)) return this.#isLate(start, this.#at);
      const behind = this.#head.next + bytesIn(this.#head);
      // Rejects an oversized message as soon as its length is known, before its bytes arrive.
      if (behind > this.#length) return this.#isLate(start, behind);
      this.#at = behind;
      this.#remainingValues += valuesIn(this.#head);
    }
    this.#remainingValues = 1;
    return true;
  }

  #isLate(start: number, end: number): false {
    if (end - start > this.#max)
      throw new CorruptDataError(`the message has more than ${this.#max} bytes, the most that one may have`);
    return false;
  }

  #add(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = needed;
  }

  #keep(start: number): void {
    this.#bytes.copyWithin(0, start, this.#length);
    this.#length -= start;
    this.#at -= start;
    // Releases the memory of a long value.
    if (this.#length === 0) this.#bytes = Buffer.alloc(0);
  }
}

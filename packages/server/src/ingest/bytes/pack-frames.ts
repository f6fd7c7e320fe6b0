import { DamagedError } from './damaged-error.js';
import { bytesIn, type PackHead, readHead, valuesIn } from './message-pack.js';

/**
 * Divides a stream of MessagePack into its values, whichever pieces it comes in. Every byte is
 * looked at once.
 */
export class PackFrames {
  readonly #most: number;
  #bytes: Buffer = Buffer.alloc(0);
  /** Bytes that are there. */
  #length = 0;
  /**
   * Up to where the value that is being read has been looked at, and how many values it still has.
   */
  #at = 0;
  #left = 1;
  readonly #head: PackHead = { kind: 'nil', size: 0, next: 0 };

  /** @param most the most bytes of a value */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes of the value that is not complete yet. */
  get held(): number {
    return this.#length;
  }

  /**
   * The values that are complete with these bytes.
   * @throws DamagedError if the bytes are no values, or one is too long
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
    for (; this.#left > 0; this.#left--) {
      if (!readHead(this.#bytes, this.#at, this.#length, this.#head)) return this.#isLate(start, this.#at);
      const behind = this.#head.next + bytesIn(this.#head);
      // Before its bytes have come: what is too long is refused as soon as it is announced.
      if (behind > this.#length) return this.#isLate(start, behind);
      this.#at = behind;
      this.#left += valuesIn(this.#head);
    }
    this.#left = 1;
    return true;
  }

  #isLate(start: number, end: number): false {
    if (end - start > this.#most)
      throw new DamagedError(`the message has more than ${this.#most} bytes, the most that one may have`);
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
    // A long value leaves its memory behind.
    if (this.#length === 0) this.#bytes = Buffer.alloc(0);
  }
}

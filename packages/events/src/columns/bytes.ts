/**
 * Growing byte buffers. A dataset may bring a hundred thousand names in one batch, so a buffer that holds little lives in
 * a slab shared with its neighbours; an ArrayBuffer of its own would cost more than its content.
 */
const SLAB = 1 << 16;
/** From this size on a buffer gets memory of its own. */
const OWN = 1 << 13;
const FIRST = 16;

/** Hands out pieces of shared memory; nothing is given back before the arena itself is forgotten. */
export class Arena {
  buffer = new Uint8Array(0);
  view = new DataView(this.buffer.buffer);
  #used = 0;

  /** Start of `size` bytes in `this.buffer`, valid until the next call. */
  take(size: number): number {
    if (this.#used + size > this.buffer.length) {
      this.buffer = new Uint8Array(SLAB);
      this.view = new DataView(this.buffer.buffer);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += size;
    return start;
  }
}

/** Bytes written at the end, read anywhere. Positions are absolute in `buffer` and move when it grows. */
export class GrowingBytes {
  readonly #arena: Arena;
  buffer: Uint8Array;
  view: DataView;
  /** First byte of the content. */
  start: number;
  /** Behind the last byte of the content. */
  end: number;
  /** Behind the last byte that may be written. */
  limit: number;
  /** Where a writer stands that has not yet made its bytes part of the content. */
  cursor: number;

  constructor(arena: Arena) {
    this.#arena = arena;
    this.start = arena.take(FIRST);
    this.buffer = arena.buffer;
    this.view = arena.view;
    this.end = this.start;
    this.cursor = this.start;
    this.limit = this.start + FIRST;
  }

  /** Makes room for `more` bytes behind `at`, keeping what stands before; answers where `at` is now. */
  reserve(at: number, more: number): number {
    if (at + more <= this.limit) return at;
    const kept = at - this.start;
    const size = Math.max(2 * (this.limit - this.start), kept + more);
    const old = this.buffer.subarray(this.start, at);
    const ended = this.end - this.start;
    if (size < OWN) {
      this.start = this.#arena.take(size);
      this.buffer = this.#arena.buffer;
      this.view = this.#arena.view;
    } else {
      this.start = 0;
      this.buffer = new Uint8Array(size);
      this.view = new DataView(this.buffer.buffer);
    }
    this.buffer.set(old, this.start);
    this.end = this.start + ended;
    this.limit = this.start + size;
    return this.start + kept;
  }

  /** Appends `bytes`. */
  push(bytes: Uint8Array): void {
    this.end = this.reserve(this.end, bytes.length);
    this.buffer.set(bytes, this.end);
    this.end += bytes.length;
  }

  /** Appends one byte. */
  pushByte(byte: number): void {
    if (this.end === this.limit) this.reserve(this.end, 1);
    this.buffer[this.end++] = byte;
  }

  /** The content; valid until the next write. */
  content(): Uint8Array {
    return this.buffer.subarray(this.start, this.end);
  }

  /** Forgets the content and keeps the memory. */
  clear(): void {
    this.end = this.start;
    this.cursor = this.start;
  }
}

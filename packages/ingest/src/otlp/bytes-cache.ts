/** Number of slots, as powers of two; a small body needs few. */
const fewestBits = 6;
const maxBits = 12;
const bytesPerSlot = 64;
/** Shorter stretches are read just as fast, longer ones seldom come again. */
const shortest = 4;
const longest = 128;

/**
 * Cache of byte ranges of a body. Keys and most values repeat in every record, and a lookup costs a
 * fraction of parsing. Of two ranges in the same slot, the later one stays, so memory is bounded,
 * and a range that never repeats costs one lookup.
 */
export class BytesCache {
  readonly slots: number;
  readonly #words: DataView;
  readonly #shift: number;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;

  /** @param words a view of the body */
  constructor(words: DataView) {
    let bits = fewestBits;
    while (bits < maxBits && bytesPerSlot << bits < words.byteLength) bits++;
    this.slots = 1 << bits;
    this.#words = words;
    this.#shift = 32 - bits;
    this.#starts = new Int32Array(this.slots);
    this.#lengths = new Int32Array(this.slots);
  }

  /**
   * Returns the slot of a cached byte range. For a new range returns `~slot`: the range is cached
   * from now on, and data that the caller stored for that slot belongs to an evicted one. Returns
   * undefined for a range too short or too long to be cached.
   */
  find(start: number, end: number): number | undefined {
    const length = end - start;
    if (length < shortest || length > longest) return undefined;
    const words = this.#words;
    // Hashes the first, middle and last bytes. Ranges that agree in all three share a slot and
    // evict each other.
    let hash = Math.imul(words.getInt32(start), 31) + words.getInt32(start + (length >>> 1) - 2);
    hash = Math.imul(hash ^ length, 0x85ebca6b) ^ words.getInt32(end - 4);
    const slot = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> this.#shift;
    if (this.#lengths[slot] === length && this.#same(this.#starts[slot]!, start, length)) return slot;
    this.#starts[slot] = start;
    this.#lengths[slot] = length;
    return ~slot;
  }

  #same(left: number, right: number, length: number): boolean {
    const words = this.#words;
    let i = 0;
    for (; i + 4 <= length; i += 4) if (words.getInt32(left + i) !== words.getInt32(right + i)) return false;
    for (; i < length; i++) if (words.getInt8(left + i) !== words.getInt8(right + i)) return false;
    return true;
  }
}

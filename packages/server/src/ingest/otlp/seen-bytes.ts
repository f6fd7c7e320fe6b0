/**
 * How many stretches are remembered at once, as powers of two; a small body has no use for many.
 */
const fewestBits = 6;
const mostBits = 12;
const bytesPerSlot = 64;
/** Shorter stretches are read just as fast, longer ones seldom come again. */
const shortest = 4;
const longest = 128;

/**
 * Remembers stretches of a body. Keys and most values come again in record after record, and
 * finding the earlier result costs a fraction of reading them again. If two stretches fall on the
 * same slot, the later one stays, so memory is bounded, and a stretch that never repeats costs one
 * look.
 */
export class SeenBytes {
  readonly slots: number;
  readonly #words: DataView;
  readonly #shift: number;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;

  /** @param words a view of the body */
  constructor(words: DataView) {
    let bits = fewestBits;
    while (bits < mostBits && bytesPerSlot << bits < words.byteLength) bits++;
    this.slots = 1 << bits;
    this.#words = words;
    this.#shift = 32 - bits;
    this.#starts = new Int32Array(this.slots);
    this.#lengths = new Int32Array(this.slots);
  }

  /**
   * Returns the slot of a stretch that is remembered. For a new one it returns `~slot`: the stretch
   * is remembered from now on, and whatever the caller kept for that slot belongs to another
   * stretch. Returns undefined for a stretch too short or too long to be remembered.
   */
  find(start: number, end: number): number | undefined {
    const length = end - start;
    if (length < shortest || length > longest) return undefined;
    const words = this.#words;
    // Beginning, middle and end tell most stretches apart. Those that agree in all three share a
    // slot, and displace each other.
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

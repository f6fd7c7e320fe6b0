/** How many stretches are remembered at once, powers of two; a small body has no use for many. */
const fewestBits = 6;
const mostBits = 12;
const bytesPerSlot = 64;
/** Shorter ones are read as fast, longer ones seldom come again. */
const shortest = 4;
const longest = 128;

/**
 * Stretches of a body that came before: keys and most values come again in record after record, and finding what they were read as is a fraction of
 * reading them. Of two that fall on one slot the later stays, so what is remembered is bounded, and what never repeats costs one look.
 */
export class SeenBytes {
  readonly slots: number;
  readonly #words: DataView;
  readonly #shift: number;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;

  /** @param words of the body */
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
   * The slot of a stretch that is remembered; `~slot` of one that is from now on, whatever the caller had there being of another one; undefined for one
   * that is not to be.
   */
  find(start: number, end: number): number | undefined {
    const length = end - start;
    if (length < shortest || length > longest) return undefined;
    const words = this.#words;
    // Its beginning, end and middle tell most apart. Those they do not share a slot, which costs no more.
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

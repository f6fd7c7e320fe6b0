/** How many different texts are remembered at once, powers of two; a small body has no use for many. */
const fewestSlots = 64;
const mostSlots = 4096;
const bytesPerSlot = 64;
/** Longer ones seldom come again. */
const longest = 64;
/** Bytes of a text that go into its hash. */
const mostHashed = 8;

/**
 * Texts of a body by their bytes. Keys, names and most values come again in record after record: finding what they were read as is a fraction
 * of reading them. Of two that fall on one slot the later stays, so what is remembered is bounded, and what never repeats costs one look.
 */
export class RepeatedTexts {
  readonly #body: Buffer;
  readonly #mask: number;
  readonly #starts: Int32Array;
  /** One more than the length; 0 where nothing is. */
  readonly #lengths: Int32Array;
  readonly #texts: string[];
  readonly #quoted: string[];

  constructor(body: Buffer) {
    this.#body = body;
    let slots = fewestSlots;
    while (slots < mostSlots && slots * bytesPerSlot < body.length) slots *= 2;
    this.#mask = slots - 1;
    this.#starts = new Int32Array(slots);
    this.#lengths = new Int32Array(slots);
    this.#texts = Array.from({ length: slots }, () => '');
    this.#quoted = this.#texts.slice();
  }

  /** The bytes as UTF-8, with U+FFFD for what is none. */
  text(start: number, end: number): string {
    const slot = this.#slot(start, end);
    return slot < 0 ? this.#body.toString('utf8', start, end) : this.#texts[slot]!;
  }

  /** The same as a string of JSON. */
  quoted(start: number, end: number): string {
    const slot = this.#slot(start, end);
    if (slot < 0) return JSON.stringify(this.#body.toString('utf8', start, end));
    return (this.#quoted[slot] ||= JSON.stringify(this.#texts[slot]!));
  }

  /** Where the text is remembered; -1 if it is not to be. */
  #slot(start: number, end: number): number {
    const length = end - start;
    if (length > longest) return -1;
    const body = this.#body;
    let hash = length;
    // A few bytes tell most texts apart, and the end of names more than their beginning. Those they do not share a slot, which costs no more.
    const step = length <= mostHashed ? 1 : length / mostHashed;
    for (let i = end - 1; i >= start; i -= step) hash = (Math.imul(hash, 31) + body[i | 0]!) | 0;
    const slot = (hash ^ (hash >>> 15)) & this.#mask;
    if (this.#lengths[slot] === length + 1 && this.#same(this.#starts[slot]!, start, length)) return slot;
    this.#starts[slot] = start;
    this.#lengths[slot] = length + 1;
    this.#texts[slot] = body.toString('utf8', start, end);
    this.#quoted[slot] = '';
    return slot;
  }

  #same(left: number, right: number, length: number): boolean {
    const body = this.#body;
    for (let i = 0; i < length; i++) if (body[left + i] !== body[right + i]) return false;
    return true;
  }
}

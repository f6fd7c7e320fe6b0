import { type Arena, GrowingBytes, type TextBytes, copyShort } from './bytes.js';
import { varintWidth, writeVarint } from './varint.js';

/** Above this many entries a dictionary no longer pays. */
const MOST_ENTRIES = 1 << 15;
/** Slots looked at before a value counts as new: keeps made-up collisions from costing quadratic time. */
const MOST_PROBES = 64;

/** Distinct strings, found again by a hash of their bytes; no JavaScript string is made. */
export class Dictionary {
  /** The entries one behind the other, each with its length before it, as Native writes strings. */
  readonly entries: GrowingBytes;
  /** Entries. */
  size = 0;
  /** Set when there are too many entries, or too many that collide. */
  full = false;
  /** Per entry: start of its text relative to `entries.start`, length of its text, hash. */
  #starts = new Int32Array(64);
  #lengths = new Int32Array(64);
  #hashes = new Int32Array(64);
  /** Hash → entry + 1. */
  #slots = new Int32Array(128);

  constructor(arena: Arena) {
    this.entries = new GrowingBytes(arena);
  }

  /** Start of the entry's text in `entries.buffer`. */
  start(entry: number): number {
    return this.entries.start + this.#starts[entry]!;
  }

  length(entry: number): number {
    return this.#lengths[entry]!;
  }

  /** The entry with the text that stands in `text` at `at`; added if it is new. */
  add(text: TextBytes, at: number, length: number): number {
    const { view } = text;
    const hash = hashOf(view, at, length);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let probes = 0; ; probes++) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0) break;
      if (this.#hashes[entry] === hash && this.#lengths[entry] === length && this.#equals(entry, view, at))
        return entry;
      if (probes === MOST_PROBES) {
        this.full = true;
        break;
      }
      slot = (slot + 1) & mask;
    }
    return this.#insert(text, at, length, hash, slot);
  }

  /** Removes the newest entry again. */
  removeLast(): void {
    const entry = --this.size;
    const mask = this.#slots.length - 1;
    let slot = this.#hashes[entry]! & mask;
    while (this.#slots[slot] !== entry + 1 && this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = 0;
    const length = this.#lengths[entry]!;
    this.entries.end = this.start(entry) - varintWidth(length);
  }

  #insert(text: TextBytes, at: number, length: number, hash: number, slot: number): number {
    const { entries } = this;
    const width = varintWidth(length);
    const to = entries.reserve(entries.end, width + length);
    writeVarint(entries.buffer, to, length);
    copyShort(text, at, entries, to + width, length);
    entries.end = to + width + length;
    if (this.size === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#lengths = doubled(this.#lengths);
      this.#hashes = doubled(this.#hashes);
    }
    const entry = this.size++;
    this.#starts[entry] = to + width - entries.start;
    this.#lengths[entry] = length;
    this.#hashes[entry] = hash;
    if (this.size >= MOST_ENTRIES) this.full = true;
    // A value that collided too often has no slot; the dictionary is about to be given up.
    if (this.#slots[slot] === 0) this.#slots[slot] = entry + 1;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return entry;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.size; entry++) {
      let slot = this.#hashes[entry]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
  }

  #equals(entry: number, view: DataView, at: number): boolean {
    return equalBytes(this.entries.view, this.start(entry), view, at, this.#lengths[entry]!);
  }
}

/** Counts distinct strings by their hashes alone: close enough to decide whether a dictionary is worth making. */
export class DistinctHashes {
  size = 0;
  readonly #hashes: Int32Array;

  /** For at most `most` strings. */
  constructor(most: number) {
    this.#hashes = new Int32Array(4 << (32 - Math.clz32(most)));
  }

  add(view: DataView, at: number, length: number): void {
    // 0 marks an empty slot.
    const hash = hashRange(view, at, at + length, SEED ^ length) || 1;
    const mask = this.#hashes.length - 1;
    let slot = hash & mask;
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    if (this.#hashes[slot] === 0) this.size++;
    this.#hashes[slot] = hash;
  }
}

/** Whether `length` bytes are the same in both. */
export function equalBytes(left: DataView, leftAt: number, right: DataView, rightAt: number, length: number): boolean {
  if (length < 4) {
    for (let i = 0; i < length; i++) if (left.getUint8(leftAt + i) !== right.getUint8(rightAt + i)) return false;
    return true;
  }
  // The last word may overlap the one before.
  const last = length - 4;
  for (let i = 0; i < last; i += 4) {
    if (left.getInt32(leftAt + i, true) !== right.getInt32(rightAt + i, true)) return false;
  }
  return left.getInt32(leftAt + last, true) === right.getInt32(rightAt + last, true);
}

/** Bytes of a long text that count at its start and at its end. */
const SAMPLE = 48;

/** A hash of the text; of a long one its ends, every fourth word between, and its length count. */
function hashOf(view: DataView, at: number, length: number): number {
  const end = at + length;
  if (length <= 2 * SAMPLE) return hashRange(view, at, end, SEED ^ length);
  let hash = SEED ^ length;
  let i = at;
  for (const stop = at + SAMPLE; i < stop; i += 4) hash = mix(hash, view.getInt32(i, true));
  for (const stop = end - SAMPLE; i < stop; i += 16) hash = mix(hash, view.getInt32(i, true));
  return hashRange(view, end - SAMPLE, end, hash);
}

/** Continues a hash with every byte of a range. */
function hashRange(view: DataView, at: number, end: number, start: number): number {
  let hash = start;
  let i = at;
  for (; i + 4 <= end; i += 4) hash = mix(hash, view.getInt32(i, true));
  let rest = 0;
  for (; i < end; i++) rest = (rest << 8) | view.getUint8(i);
  hash = mix(hash, rest);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** Differs from process to process, so that nobody can prepare collisions. */
const SEED = (Math.random() * 0x100000000) | 0;

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1 | 0);
  return (mixed << 13) | (mixed >>> 19);
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

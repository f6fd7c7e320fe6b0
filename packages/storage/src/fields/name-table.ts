import { NameTexts } from './name-encoding.js';

/**
 * Hash table of IDs, as lists in arrays: `first` of a bucket, then `next` of each ID. There are as
 * many buckets as IDs: each new ID adds one bucket, which takes over its share of another one
 * (linear hashing). Doubling at once would block the event loop for as long as there are names.
 */
class Lists {
  #first = new Int32Array(64).fill(none);
  #next = new Int32Array(64);
  #hashes = new Int32Array(64);
  /** Buckets: a power of two, and the buckets divided since. */
  #power = 1;
  #dividedCount = 0;
  #count = 0;

  /** Creates the buckets for this many IDs at once, while there are none: dividing takes longer. */
  expect(count: number): void {
    while (this.#power < count) this.#power *= 2;
    this.#first = new Int32Array(Math.max(64, this.#power)).fill(none);
    this.#next = new Int32Array(Math.max(64, count));
    this.#hashes = new Int32Array(Math.max(64, count));
  }

  add(id: number, hash: number): void {
    this.#makeRoom(id);
    this.#hashes[id] = hash;
    this.#link(id, this.#placeOf(hash));
    if (++this.#count > this.#power + this.#dividedCount) this.#divide();
  }

  *entriesOf(hash: number): Generator<number> {
    for (let id = this.first(hash); id !== none; id = this.next(id, hash)) yield id;
  }

  first(hash: number): number {
    return this.#skip(this.#first[this.#placeOf(hash)]!, hash);
  }

  next(id: number, hash: number): number {
    return this.#skip(this.#next[id]!, hash);
  }

  #skip(from: number, hash: number): number {
    let id = from;
    while (id !== none && this.#hashes[id] !== hash) id = this.#next[id]!;
    return id;
  }

  #placeOf(hash: number): number {
    const place = hash & (this.#power - 1);
    return place < this.#dividedCount ? hash & (2 * this.#power - 1) : place;
  }

  #link(id: number, place: number): void {
    this.#next[id] = this.#first[place]!;
    this.#first[place] = id;
  }

  #divide(): void {
    if (this.#power + this.#dividedCount === this.#first.length) this.#first = twice(this.#first, none);
    const place = this.#dividedCount++;
    let id = this.#first[place]!;
    this.#first[place] = none;
    while (id !== none) {
      const next = this.#next[id]!;
      this.#link(id, (this.#hashes[id]! & this.#power) === 0 ? place : place + this.#power);
      id = next;
    }
    if (this.#dividedCount < this.#power) return;
    this.#power *= 2;
    this.#dividedCount = 0;
  }

  #makeRoom(id: number): void {
    while (id >= this.#next.length) {
      this.#next = twice(this.#next, 0);
      this.#hashes = twice(this.#hashes, absent);
    }
  }
}

function twice(array: Int32Array, rest: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  if (rest !== 0) larger.fill(rest, array.length);
  return larger;
}

const none = -1;
/** The hash of absent entries; no text has it. */
const absent = 0;

/** Random, so that colliding names cannot be constructed. */
const seed = Math.trunc(Math.random() * 0x7fffffff);

/** Hash of a part of a text; never `absent`. */
function hashOf(text: string, from: number, end: number): number {
  let hash = seed;
  for (let i = from; i < end; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  return hash === absent ? 1 : hash;
}

/** Where the last segment of a dotted name, a part of a text, begins; `from` without a dot. */
const lastSegment = (text: string, from: number, end: number): number =>
  end === from ? from : Math.max(from, text.lastIndexOf('.', end - 1) + 1);

/** The names by their rising IDs, with their numbers. */
class Entries {
  readonly #texts = new NameTexts();
  #places = new Uint32Array(64);
  #numbers = new Uint16Array(64);
  /** Includes removed names. */
  count = 0;

  add(text: string, from: number, end: number, number: number): number {
    const id = this.count++;
    if (id >= this.#places.length) {
      this.#places = growArray(this.#places, new Uint32Array(2 * id));
      this.#numbers = growArray(this.#numbers, new Uint16Array(2 * id));
    }
    this.#places[id] = this.#texts.add(text, from, end);
    this.#numbers[id] = number;
    return id;
  }

  is(id: number, text: string, from: number, end: number): boolean {
    return this.has(id) && this.#texts.is(this.#places[id]!, text, from, end);
  }

  has(id: number): boolean {
    return this.#places[id] !== missingFieldMark;
  }

  name(id: number): string {
    return this.#texts.read(this.#places[id]!);
  }

  number(id: number): number {
    return this.#numbers[id]!;
  }

  setNumber(id: number, number: number): void {
    this.#numbers[id] = number;
  }

  remove(id: number): void {
    this.#places[id] = missingFieldMark;
  }
}

/** The address of a removed name. */
const missingFieldMark = 0xffffffff;

function growArray<T extends Uint32Array | Uint16Array>(array: T, larger: T): T {
  larger.set(array);
  return larger;
}

/**
 * Names with numbers, which can also be found by their last segment. Two maps would do the same,
 * but there may be millions of names: a map takes twice the memory, and blocks everything for a
 * quarter of a second whenever it grows.
 */
export class NameTable {
  #entries = new Entries();
  #byName = new Lists();
  #byEnding = new Lists();
  #removedCount = 0;
  /** The copy without gaps, while it is being built. */
  #compactCopy: NameTable | undefined;

  get size(): number {
    return this.#entries.count - this.#removedCount;
  }

  /** Reserves space for this many names in an empty table. */
  expect(count: number): void {
    if (this.#entries.count > 0) return;
    this.#byName.expect(count);
    this.#byEnding.expect(count);
  }

  /** The number of a name; 0 if absent. */
  get(name: string): number {
    const id = this.#find(name, 0, name.length);
    return id === none ? 0 : this.#entries.number(id);
  }

  /** Sets bits of a name's number, adding the name if needed; returns the previous number. */
  setBits(name: string, bits: number): number {
    return this.setBitsOf(name, 0, name.length, bits);
  }

  /**
   * Sets bits for a name that is a part of a text, so that a million names need no separate
   * strings.
   */
  setBitsOf(text: string, from: number, end: number, bits: number): number {
    const hash = hashOf(text, from, end);
    const id = this.#find(text, from, end, hash);
    if (id === none) {
      this.#add(text, from, end, bits, hash);
      this.#compactCopy?.set(text.slice(from, end), bits);
      return 0;
    }
    const before = this.#entries.number(id);
    this.#entries.setNumber(id, before | bits);
    this.#compactCopy?.set(text.slice(from, end), before | bits);
    return before;
  }

  /** Sets the number of a name; 0 removes it. */
  set(name: string, number: number): void {
    const hash = hashOf(name, 0, name.length);
    const id = this.#find(name, 0, name.length, hash);
    this.#compactCopy?.set(name, number);
    if (id !== none) this.#entries.setNumber(id, number);
    else if (number !== 0) this.#add(name, 0, name.length, number, hash);
    if (id !== none && number === 0) this.#remove(id);
  }

  /** In insertion order, even while names are added or removed. */
  *entries(): Generator<readonly [name: string, number: number]> {
    const entries = this.#entries;
    for (let id = 0; id < entries.count; id++) if (entries.has(id)) yield [entries.name(id), entries.number(id)];
  }

  /** Dotted names whose last segment is the word. */
  *namesEndingIn(word: string): Generator<string> {
    for (const id of this.#byEnding.entriesOf(hashOf(word, 0, word.length))) {
      if (!this.#entries.has(id)) continue;
      const name = this.#entries.name(id);
      const isLast = lastSegment(name, 0, name.length) === name.length - word.length;
      if (name.length > word.length && isLast && name.endsWith(word)) yield name;
    }
  }

  #find(text: string, from: number, end: number, hash = hashOf(text, from, end)): number {
    let id = this.#byName.first(hash);
    while (id !== none && !this.#entries.is(id, text, from, end)) id = this.#byName.next(id, hash);
    return id;
  }

  #add(text: string, from: number, end: number, number: number, hash: number): void {
    const id = this.#entries.add(text, from, end, number);
    this.#byName.add(id, hash);
    const segment = lastSegment(text, from, end);
    if (segment > from) this.#byEnding.add(id, hashOf(text, segment, end));
  }

  #remove(id: number): void {
    this.#entries.remove(id);
    this.#removedCount++;
    // In a large table the caller closes gaps in steps.
    if (this.#hasGaps && this.#entries.count < manyNames) for (const _ of this.removeClosed());
  }

  get #hasGaps(): boolean {
    return 2 * this.#removedCount > this.#entries.count + 64;
  }

  /**
   * Closes the gaps of removed names in steps, if there are many. Iterators see the names present
   * at their start; concurrent changes go into both the old and the new table.
   */
  *removeClosed(): Generator<void, void> {
    if (!this.#hasGaps || this.#compactCopy !== undefined) return;
    const closed = new NameTable();
    this.#compactCopy = closed;
    let steps = 0;
    for (const [name, number] of this.entries()) {
      closed.set(name, number);
      if (++steps % namesInStep === 0) yield;
    }
    this.#entries = closed.#entries;
    this.#byName = closed.#byName;
    this.#byEnding = closed.#byEnding;
    this.#removedCount = closed.#removedCount;
    this.#compactCopy = undefined;
  }
}

/** Closing the gaps of more names than this at once would block the event loop. */
const manyNames = 20_000;
/** Names per step: a fraction of a millisecond. */
const namesInStep = 200;

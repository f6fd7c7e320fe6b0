import { NameTexts } from './name-texts.js';

/**
 * Ids whose hashes are the same, as lists in arrays: `first` of a place, then `next` of each id.
 * There are as many places as ids: with each id one more place is made, which takes over what
 * belongs to it from another one (linear hashing). Making twice as many at once would stop
 * everything for as long as there are names.
 */
class Lists {
  #first = new Int32Array(64).fill(none);
  #next = new Int32Array(64);
  #hashes = new Int32Array(64);
  /** Places: a power of two, and those that were divided since. */
  #power = 1;
  #divided = 0;
  #count = 0;

  /** Makes the places for so many ids at once, while there are none: dividing takes longer. */
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
    if (++this.#count > this.#power + this.#divided) this.#divide();
  }

  *having(hash: number): Generator<number> {
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
    return place < this.#divided ? hash & (2 * this.#power - 1) : place;
  }

  #link(id: number, place: number): void {
    this.#next[id] = this.#first[place]!;
    this.#first[place] = id;
  }

  #divide(): void {
    if (this.#power + this.#divided === this.#first.length) this.#first = twice(this.#first, none);
    const place = this.#divided++;
    let id = this.#first[place]!;
    this.#first[place] = none;
    while (id !== none) {
      const next = this.#next[id]!;
      this.#link(id, (this.#hashes[id]! & this.#power) === 0 ? place : place + this.#power);
      id = next;
    }
    if (this.#divided < this.#power) return;
    this.#power *= 2;
    this.#divided = 0;
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
/** The hash of what is in no list; no text has it. */
const absent = 0;

/** Names that collide cannot be made up without it. */
const seed = Math.trunc(Math.random() * 0x7fffffff);

/** Of the characters from a place up to another; never `absent`. */
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

/** The names by their ids, which rise, and their numbers. */
class Entries {
  readonly #texts = new NameTexts();
  #places = new Uint32Array(64);
  #numbers = new Uint16Array(64);
  /** Those that were removed included. */
  count = 0;

  add(text: string, from: number, end: number, number: number): number {
    const id = this.count++;
    if (id >= this.#places.length) {
      this.#places = withRoom(this.#places, new Uint32Array(2 * id));
      this.#numbers = withRoom(this.#numbers, new Uint16Array(2 * id));
    }
    this.#places[id] = this.#texts.add(text, from, end);
    this.#numbers[id] = number;
    return id;
  }

  is(id: number, text: string, from: number, end: number): boolean {
    return this.has(id) && this.#texts.is(this.#places[id]!, text, from, end);
  }

  has(id: number): boolean {
    return this.#places[id] !== gone;
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
    this.#places[id] = gone;
  }
}

/** The place of a name that was removed. */
const gone = 0xffffffff;

function withRoom<T extends Uint32Array | Uint16Array>(array: T, larger: T): T {
  larger.set(array);
  return larger;
}

/**
 * Names, each with a number, which can be found by their last segment too. Two maps would do the
 * same, but there may be millions of names: a map takes twice the memory, and stops everything for
 * a quarter of a second whenever it has to grow.
 */
export class NameTable {
  #entries = new Entries();
  #byName = new Lists();
  #byEnding = new Lists();
  #removed = 0;
  /** The same without gaps, while it is being made. */
  #closed: NameTable | undefined;

  get size(): number {
    return this.#entries.count - this.#removed;
  }

  /** So many names are going to be added to an empty table. */
  expect(count: number): void {
    if (this.#entries.count > 0) return;
    this.#byName.expect(count);
    this.#byEnding.expect(count);
  }

  /** The number of a name; 0 if it is not there. */
  get(name: string): number {
    const id = this.#find(name, 0, name.length);
    return id === none ? 0 : this.#entries.number(id);
  }

  /** Sets bits of the number of a name, which is added if need be; returns what the number was. */
  setBits(name: string, bits: number): number {
    return this.setBitsOf(name, 0, name.length, bits);
  }

  /**
   * The same for a name that is a part of a text: a million names would be a million more texts.
   */
  setBitsOf(text: string, from: number, end: number, bits: number): number {
    const hash = hashOf(text, from, end);
    const id = this.#find(text, from, end, hash);
    if (id === none) {
      this.#add(text, from, end, bits, hash);
      this.#closed?.set(text.slice(from, end), bits);
      return 0;
    }
    const before = this.#entries.number(id);
    this.#entries.setNumber(id, before | bits);
    this.#closed?.set(text.slice(from, end), before | bits);
    return before;
  }

  /** Sets the number of a name; with 0 it is removed. */
  set(name: string, number: number): void {
    const hash = hashOf(name, 0, name.length);
    const id = this.#find(name, 0, name.length, hash);
    this.#closed?.set(name, number);
    if (id !== none) this.#entries.setNumber(id, number);
    else if (number !== 0) this.#add(name, 0, name.length, number, hash);
    if (id !== none && number === 0) this.#remove(id);
  }

  /** In the order in which they came, also while names are added or removed. */
  *entries(): Generator<readonly [name: string, number: number]> {
    const entries = this.#entries;
    for (let id = 0; id < entries.count; id++) if (entries.has(id)) yield [entries.name(id), entries.number(id)];
  }

  /** Dotted names whose last segment is the word. */
  *ending(word: string): Generator<string> {
    for (const id of this.#byEnding.having(hashOf(word, 0, word.length))) {
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
    this.#removed++;
    // Of a large table somebody does it in steps.
    if (this.#hasGaps && this.#entries.count < manyNames) for (const _ of this.closing());
  }

  get #hasGaps(): boolean {
    return 2 * this.#removed > this.#entries.count + 64;
  }

  /**
   * Closes the gaps that removed names have left, if they are many, in steps. Whoever goes through
   * the names sees those there were; what changes meanwhile changes here and there.
   */
  *closing(): Generator<void, void> {
    if (!this.#hasGaps || this.#closed !== undefined) return;
    const closed = new NameTable();
    this.#closed = closed;
    let steps = 0;
    for (const [name, number] of this.entries()) {
      closed.set(name, number);
      if (++steps % namesInStep === 0) yield;
    }
    this.#entries = closed.#entries;
    this.#byName = closed.#byName;
    this.#byEnding = closed.#byEnding;
    this.#removed = closed.#removed;
    this.#closed = undefined;
  }
}

/** Closing the gaps of more names than this would hold up everything else. */
const manyNames = 20_000;
/** A fraction of a millisecond. */
const namesInStep = 200;

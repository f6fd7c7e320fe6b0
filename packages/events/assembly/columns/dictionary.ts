import { Bytes } from '../bytes';
import { hashAll, hashText } from '../hash';
import { equalBytes, takeScratch, takeZeros } from '../memory';
import { varintWidth, writeVarint } from '../varint';

/** A dictionary with more entries does not pay. */
const MAX_ENTRIES: i32 = 1 << 15;
/** Probes before a value counts as new: bounds the cost of crafted collisions. */
const MAX_PROBES: i32 = 64;

/** Room at first: a body may have 100,000 columns with one text each. */
const FIRST_ENTRIES: u32 = 16;

/** Bytes per entry: where its text begins in `entries`, its length, its hash. */
const ENTRY: usize = 12;

/**
 * Values as a list of distinct texts, found by a hash of their bytes, and for each value the number
 * of its text.
 */
export class Dictionary {
  /** The entries one after another, each with its length before it, as Native writes strings. */
  readonly entries: Bytes = new Bytes(64);
  /** The entry of each value. */
  private readonly values: Bytes = new Bytes(1024);
  /** Number of entries. */
  size: i32 = 0;
  /** Set when there are too many entries, or too many that collide. */
  full: bool = false;
  private readonly known: Bytes = new Bytes(<usize>FIRST_ENTRIES * ENTRY);
  /** Hash → entry + 1. */
  private slots: usize = takeZeros((<usize>FIRST_ENTRIES * 2) << 2);
  private mask: u32 = FIRST_ENTRIES * 2 - 1;

  /** Appends a value; returns whether its text is new. */
  push(at: usize, length: usize): bool {
    const size = this.size;
    this.values.push32(this.entryOf(at, length));
    return this.size > size;
  }

  /** Removes the last value, and its text if that was new. */
  undo(wasNew: bool): void {
    this.values.end -= 4;
    if (wasNew) this.removeLast();
  }

  /** The entry of a value. */
  entry(ordinal: i32): i32 {
    return load<i32>(this.entriesFrom(ordinal));
  }

  /** The address of the entry numbers of the values from this one on, four bytes each. */
  entriesFrom(ordinal: i32): usize {
    return this.values.start + ((<usize>ordinal) << 2);
  }

  /** Start of the entry's text. */
  start(entry: i32): usize {
    return this.entries.start + load<u32>(this.known.start + <usize>entry * ENTRY);
  }

  length(entry: i32): usize {
    return load<u32>(this.known.start + <usize>entry * ENTRY, 4);
  }

  private hash(entry: i32): u32 {
    return load<u32>(this.known.start + <usize>entry * ENTRY, 8);
  }

  /** The entry for the text at `at`; added if it is new. */
  entryOf(at: usize, length: usize): i32 {
    const hash = hashText(at, length);
    let slot = hash & this.mask;
    for (let probes = 0; ; probes++) {
      const entry = load<i32>(this.slots + ((<usize>slot) << 2)) - 1;
      if (entry < 0) break;
      if (this.hash(entry) == hash && this.length(entry) == length && equalBytes(this.start(entry), at, length)) {
        return entry;
      }
      if (probes == MAX_PROBES) {
        this.full = true;
        break;
      }
      slot = (slot + 1) & this.mask;
    }
    return this.insert(at, length, hash, slot);
  }

  /** Bytes of an index into the keys. */
  get indexWidth(): usize {
    const keys = this.size + 1;
    return keys <= 0x100 ? 1 : keys <= 0x10000 ? 2 : 4;
  }

  /** Bytes of a Native body for this many rows. */
  nativeBytes(rows: i32): usize {
    return 33 + this.entries.length + <usize>rows * this.indexWidth;
  }

  /**
   * Writes the beginning of a `LowCardinality(Nullable(String))` body; returns where the indexes
   * begin. All numbers are little endian:
   *
   * | bytes      | content                                                                                    |
   * |------------|--------------------------------------------------------------------------------------------|
   * | 8          | version of the keys: 1                                                                     |
   * | 8          | bits 0–7 width of an index (0: 1 byte, 1: 2, 2: 4); bit 9 has keys; bit 10 keys are all new |
   * | 8          | number of keys, including null                                                             |
   * | 1          | key 0: null, written as the empty string                                                   |
   * | …          | the other keys, in the order of the entries: length, bytes                                 |
   * | 8          | number of rows                                                                             |
   * | rows × 1–4 | index of the key of each row                                                               |
   */
  writeHead(rows: i32, to: usize): usize {
    const keys = this.entries;
    store<i64>(to, 1);
    store<i64>(to, (this.indexWidth >> 1) | (1 << 9) | (1 << 10), 8);
    store<i64>(to, this.size + 1, 16);
    store<u8>(to, 0, 24);
    memory.copy(to + 25, keys.start, keys.length);
    const at = to + 25 + keys.length;
    store<i64>(at, rows);
    return at + 8;
  }

  private removeLast(): void {
    const entry = --this.size;
    let slot = this.hash(entry) & this.mask;
    while (true) {
      const found = load<i32>(this.slots + ((<usize>slot) << 2));
      if (found == entry + 1 || found == 0) break;
      slot = (slot + 1) & this.mask;
    }
    store<i32>(this.slots + ((<usize>slot) << 2), 0);
    this.entries.end = this.start(entry) - varintWidth(this.length(entry));
    this.known.end -= ENTRY;
  }

  private insert(at: usize, length: usize, hash: u32, slot: u32): i32 {
    const entries = this.entries;
    const known = this.known;
    entries.end = writeVarint(entries.reserve(length + 5), length);
    const start = entries.end - entries.start;
    entries.push(at, length);
    known.push32(<i32>start);
    known.push32(<i32>length);
    known.push32(<i32>hash);
    const entry = this.size++;
    if (this.size >= MAX_ENTRIES) this.full = true;
    const place = this.slots + ((<usize>slot) << 2);
    // A value with too many collisions gets no slot; the dictionary is about to be dropped.
    if (load<i32>(place) == 0) store<i32>(place, entry + 1);
    if (<u32>this.size * 2 > this.mask) this.rehash();
    return entry;
  }

  private rehash(): void {
    const count = (this.mask + 1) * 4;
    const mask = count - 1;
    const slots = takeZeros((<usize>count) << 2);
    for (let entry = 0; entry < this.size; entry++) {
      let slot = this.hash(entry) & mask;
      let probes = 0;
      while (probes < MAX_PROBES && load<i32>(slots + ((<usize>slot) << 2)) != 0) {
        slot = (slot + 1) & mask;
        probes++;
      }
      // Lookups stop after as many probes, and with many equal hashes the search for a slot would
      // take too long.
      if (probes < MAX_PROBES) store<i32>(slots + ((<usize>slot) << 2), entry + 1);
      else this.full = true;
    }
    this.slots = slots;
    this.mask = mask;
  }
}

/**
 * Counts distinct texts by their hashes alone: accurate enough to decide whether a dictionary is
 * worthwhile. There is one at a time.
 */
export class DistinctHashes {
  size: i32 = 0;
  private readonly hashes: usize;
  private readonly mask: u32;

  /** For at most `max` texts. */
  constructor(max: u32) {
    const slots: u32 = 4 << (32 - clz(max));
    this.mask = slots - 1;
    this.hashes = takeScratch((<usize>slots) << 2);
  }

  add(at: usize, length: usize): void {
    // 0 marks an empty slot.
    const hash = max(hashAll(at, length, 0), 1);
    let slot = hash & this.mask;
    while (true) {
      const found = load<u32>(this.hashes + ((<usize>slot) << 2));
      if (found == hash) return;
      if (found == 0) break;
      slot = (slot + 1) & this.mask;
    }
    store<u32>(this.hashes + ((<usize>slot) << 2), hash);
    this.size++;
  }
}

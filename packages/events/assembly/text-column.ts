import { Bytes } from './bytes';
import { Column } from './column';
import { Dictionary, DistinctHashes } from './dictionary';
import { copyLoosely } from './memory';
import { readVarint, varintWidth, writeVarint } from './varint';

/**
 * After so many values a column looks whether it repeats itself enough for a dictionary: early, because most that do show
 * it at once, and again later for those with a thousand different values in a hundred thousand rows.
 */
const LOOKS: StaticArray<i32> = [128, 2048, 16384];
const NEVER: i32 = i32.MAX_VALUE;

/** Longer texts on average are looked at once only: looking costs as much as reading them, and they rarely repeat. */
const LONG_TEXT: usize = 512;
/** New values a dictionary may meet beyond every second one before it is given up. */
const GRACE: i32 = 256;
/** What a dictionary must save in the end: each entry is used this often on average. */
const LEAST_USES: i32 = 3;
/** Below this many rows a dictionary costs more than the repetition it saves; the host, which merges blocks by it, says it. */
let dictionaryRows: i32 = 0;

export function setDictionaryRows(rows: i32): void {
  dictionaryRows = rows;
}

function lookAfter(values: i32): i32 {
  for (let i = 0; i < LOOKS.length; i++) if (LOOKS[i] > values) return LOOKS[i];
  return NEVER;
}

/**
 * Strings, and JSON text kept whole. Values are written the way Native wants them (length, bytes), so that a column
 * without gaps needs one copy at the end. A column that repeats itself goes over to a dictionary and a list of entry
 * numbers; one that stops repeating itself goes back for good.
 */
export class TextColumn extends Column {
  private readonly values: Bytes = new Bytes(16, true);
  private dictionary: Dictionary | null = null;
  /** Values at which the next look is due. */
  private nextLook: i32 = NEVER;
  /** Start of the last value in its segment, without a dictionary. */
  private lastStart: usize = 0;
  /** With a dictionary: whether the text of the last value was new. */
  private lastIsNew: bool = false;
  /** What is known of the field's texts and stays known for the next body: they repeat themselves; with so many values it is worth looking again. */
  habitRepeats: bool = false;
  habitNextLook: i32 = 0;

  /** The column may use a dictionary; what was found out in earlier bodies. */
  mayRepeat(repeats: bool, nextLook: i32): void {
    this.habitRepeats = repeats;
    this.habitNextLook = nextLook;
    this.nextLook = max(nextLook, LOOKS[0]);
    if (repeats) this.dictionary = new Dictionary();
  }

  push(row: i32, at: usize, length: usize): void {
    const dictionary = this.dictionary;
    if (dictionary != null) {
      this.pushEntry(dictionary, row, at, length);
      return;
    }
    const values = this.values;
    const start = values.reserve(length + 5);
    const text = writeVarint(start, length);
    copyLoosely(text, at, length);
    values.end = text + length;
    this.lastStart = start - values.start;
    this.mark(row, values.before + this.lastStart);
    if (this.count >= this.nextLook) this.look();
  }

  private pushEntry(dictionary: Dictionary, row: i32, at: usize, length: usize): void {
    this.lastIsNew = dictionary.push(at, length);
    this.mark(row, 0);
    if (this.lastIsNew && (dictionary.full || dictionary.size * 2 > this.count + 2 * GRACE)) this.giveUp(dictionary);
  }

  /** Goes over to a dictionary if at most every second value so far is a new one. */
  private look(): void {
    this.nextLook = lookAfter(this.count);
    this.habitNextLook = this.nextLook;
    if (this.count > LOOKS[0] && this.bytes > LONG_TEXT * this.count) return;
    if (!this.repeatsEnough()) return;
    const dictionary = new Dictionary();
    const texts = new PlainTexts(this.values);
    while (texts.move()) this.lastIsNew = dictionary.push(texts.at, texts.length);
    if (dictionary.full) return;
    this.dictionary = dictionary;
    this.habitRepeats = true;
    this.values.clear();
  }

  /** Whether at most every second plain value is a new one; reads no further than it takes to know. */
  private repeatsEnough(): bool {
    const distinct = new DistinctHashes(this.count);
    const texts = new PlainTexts(this.values);
    while (texts.move()) {
      distinct.add(texts.at, texts.length);
      if (distinct.size * 2 > this.count) return false;
    }
    return true;
  }

  /** The values do not repeat themselves enough after all. */
  private giveUp(dictionary: Dictionary): void {
    this.habitRepeats = false;
    this.habitNextLook = NEVER;
    this.expand(dictionary);
  }

  /** Goes back to plain values. */
  private expand(dictionary: Dictionary): void {
    const values = this.values;
    let run = 0;
    const runs = this.runCount;
    for (let ordinal = 0; ordinal < this.count; ordinal++) {
      const entry = dictionary.entry(ordinal);
      const length = dictionary.length(entry);
      const start = values.reserve(length + 5);
      this.lastStart = start - values.start;
      if (run < runs && ordinal == this.runOrdinal(run)) this.setRunStart(run++, values.before + this.lastStart);
      const text = writeVarint(start, length);
      copyLoosely(text, dictionary.start(entry), length);
      values.end = text + length;
    }
    this.dictionary = null;
    this.nextLook = NEVER;
  }

  protected takeBack(): void {
    const dictionary = this.dictionary;
    if (dictionary == null) {
      this.values.end = this.values.start + this.lastStart;
    } else {
      dictionary.undo(this.lastIsNew);
    }
  }

  get bytes(): usize {
    const dictionary = this.dictionary;
    return dictionary == null ? this.values.length : dictionary.entries.length + 2 * this.count;
  }

  /** Whether the Native body is a dictionary's; it is not if too few rows would share one or it saves too little. */
  get isDictionary(): bool {
    return this.dictionary != null;
  }

  nativeBytes(rows: i32): usize {
    const dictionary = this.dictionary;
    if (dictionary != null) {
      if (rows >= dictionaryRows && dictionary.size * LEAST_USES <= this.count) {
        return 33 + dictionary.entries.length + <usize>rows * indexWidth(dictionary);
      }
      if (rows >= dictionaryRows) this.giveUp(dictionary);
      else this.expand(dictionary);
    }
    return <usize>rows + this.values.length + <usize>(rows - this.count);
  }

  writeNative(rows: i32, to: usize): void {
    const dictionary = this.dictionary;
    if (dictionary != null) this.writeDictionary(dictionary, rows, to);
    else this.writePlain(rows, to);
  }

  /** `Nullable(String)`: null map, then the strings; a row without a value has the empty one. */
  private writePlain(rows: i32, to: usize): void {
    const values = this.values;
    this.writeNulls(rows, to);
    const runs = this.runCount;
    let segment = 0;
    /** Content before the segment. */
    let before: usize = 0;
    let at = to + rows;
    let filled = 0;
    for (let run = 0; run < runs; run++) {
      const gap = this.runRow(run) - filled;
      memory.fill(at, 0, gap);
      at += gap;
      filled = this.runRow(run) + this.runLength(run);
      let from = this.runStart(run);
      const stop = run + 1 < runs ? this.runStart(run + 1) : values.length;
      while (from < stop) {
        const start = values.segmentStart(segment);
        const next = before + values.segmentEnd(segment) - start;
        const length = min(stop, next) - from;
        copyLoosely(at, start + from - before, length);
        at += length;
        from += length;
        if (from < next) continue;
        before = next;
        segment++;
      }
    }
    memory.fill(at, 0, rows - filled);
  }

  /**
   * `LowCardinality(Nullable(String))`, all numbers little endian:
   *
   * | bytes      | what                                                                                       |
   * |------------|--------------------------------------------------------------------------------------------|
   * | 8          | version of the keys: 1                                                                     |
   * | 8          | bits 0–7 width of an index (0: 1 byte, 1: 2); bit 9 has keys; bit 10 keys are all new |
   * | 8          | keys, counting null                                                                        |
   * | 1          | key 0: null, written as the empty string                                                   |
   * | …          | the other keys: length, bytes                                                              |
   * | 8          | rows                                                                                       |
   * | rows × 1–2 | index of the key of each row                                                               |
   */
  private writeDictionary(dictionary: Dictionary, rows: i32, to: usize): void {
    const keys = dictionary.entries;
    const width = indexWidth(dictionary);
    store<i64>(to, 1);
    store<i64>(to, (width - 1) | (1 << 9) | (1 << 10), 8);
    store<i64>(to, dictionary.size + 1, 16);
    store<u8>(to, 0, 24);
    memory.copy(to + 25, keys.start, keys.length);
    const at = to + 25 + keys.length;
    store<i64>(at, rows);
    const first = at + 8;
    if (this.count < rows) memory.fill(first, 0, <usize>rows * width);
    const runs = this.runCount;
    for (let run = 0; run < runs; run++) {
      let place = first + <usize>this.runRow(run) * width;
      let from = dictionary.entriesFrom(this.runOrdinal(run));
      const end = from + ((<usize>this.runLength(run)) << 2);
      if (width == 1) for (; from < end; from += 4) store<u8>(place++, <u8>(load<i32>(from) + 1));
      else for (; from < end; from += 4, place += 2) store<u16>(place, <u16>(load<i32>(from) + 1));
    }
  }

  writeTexts(texts: Bytes, ends: Bytes): void {
    const dictionary = this.dictionary;
    if (dictionary != null) {
      for (let ordinal = 0; ordinal < this.count; ordinal++) {
        const entry = dictionary.entry(ordinal);
        texts.push(dictionary.start(entry), dictionary.length(entry));
        ends.push32(<i32>texts.length);
      }
      return;
    }
    const plain = new PlainTexts(this.values);
    while (plain.move()) {
      texts.push(plain.at, plain.length);
      ends.push32(<i32>texts.length);
    }
  }
}

/** Goes through texts that stand one behind the other, each with its length before it. */
class PlainTexts {
  /** The text it stands at. */
  at: usize = 0;
  length: usize = 0;
  private readonly values: Bytes;
  private segment: i32 = 0;
  private next: usize = 0;
  private end: usize = 0;

  constructor(values: Bytes) {
    this.values = values;
  }

  /** To the first text, or the next one; false behind the last. */
  move(): bool {
    while (this.next == this.end) {
      if (this.segment == this.values.segmentCount) return false;
      this.next = this.values.segmentStart(this.segment);
      this.end = this.values.segmentEnd(this.segment++);
    }
    this.length = readVarint(this.next);
    this.at = this.next + varintWidth(this.length);
    this.next = this.at + this.length;
    return true;
  }
}

/** Bytes of an index; a dictionary has at most 2¹⁵ entries. */
function indexWidth(dictionary: Dictionary): usize {
  return dictionary.size + 1 <= 0x100 ? 1 : 2;
}

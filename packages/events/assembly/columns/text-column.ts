import { Bytes } from '../bytes';
import { Column } from './column';
import { Dictionary, DistinctHashes } from './dictionary';
import { copyLoosely } from '../memory';
import { readVarint, varintWidth, writeVarint } from '../varint';

/**
 * After this many values a column checks whether it repeats itself enough for a dictionary: early,
 * because most that do show it at once, and again later for those with a thousand different values
 * in a hundred thousand rows.
 */
const LOOKS: StaticArray<i32> = [128, 2048, 16384];
const NEVER: i32 = i32.MAX_VALUE;

/**
 * If strings are longer than this on average, only the first check is made: checking costs as much
 * as parsing them, and they rarely repeat.
 */
const LONG_TEXT: usize = 512;
/**
 * How many new values, in addition to every second one, a dictionary may meet before it is dropped.
 */
const GRACE: i32 = 256;
/** A dictionary is stored only if each entry is used this often on average. */
const LEAST_USES: i32 = 3;
/**
 * Below this many rows a dictionary costs more than it saves. Set by the host, which also merges
 * blocks by this number.
 */
let dictionaryRows: i32 = 0;

export function setDictionaryRows(rows: i32): void {
  dictionaryRows = rows;
}

function lookAfter(values: i32): i32 {
  for (let i = 0; i < LOOKS.length; i++) if (LOOKS[i] > values) return LOOKS[i];
  return NEVER;
}

/**
 * Strings, and JSON text stored verbatim. Values are in Native format (length, bytes), so that a
 * column without gaps needs one copy at the end. A column with repeated values switches to a
 * dictionary and a list of entry numbers; if repetition stops, it switches back permanently.
 */
export class TextColumn extends Column {
  private readonly values: Bytes = new Bytes(16, true);
  private dictionary: Dictionary | null = null;
  /** The number of values at which the next check is due. */
  private nextLook: i32 = NEVER;
  /** Start of the last value in its segment, without a dictionary. */
  private lastStart: usize = 0;
  /** With a dictionary: whether the text of the last value was new. */
  private lastIsNew: bool = false;
  /**
   * Statistics of the field's strings, carried over to the next body: whether they repeat, and the
   * number of values at which to check again.
   */
  habitRepeats: bool = false;
  habitNextLook: i32 = 0;

  /** Lets the column use a dictionary; the parameters are statistics from earlier bodies. */
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

  /** Switches to a dictionary if at most every second value so far is distinct. */
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

  /** Whether at most every second plain value is distinct; stops reading once this is known. */
  private repeatsEnough(): bool {
    const distinct = new DistinctHashes(this.count);
    const texts = new PlainTexts(this.values);
    while (texts.move()) {
      distinct.add(texts.at, texts.length);
      if (distinct.size * 2 > this.count) return false;
    }
    return true;
  }

  /** Drops the dictionary for good: the values do not repeat enough after all. */
  private giveUp(dictionary: Dictionary): void {
    this.habitRepeats = false;
    this.habitNextLook = NEVER;
    this.expand(dictionary);
  }

  /** Switches back to plain values. */
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

  /**
   * Whether the column has a dictionary. `nativeBytes` drops one that too few rows would share or
   * that saves too little.
   */
  get isDictionary(): bool {
    return this.dictionary != null;
  }

  nativeBytes(rows: i32): usize {
    const dictionary = this.dictionary;
    if (dictionary != null) {
      if (rows >= dictionaryRows && dictionary.size * LEAST_USES <= this.count) {
        return dictionary.nativeBytes(rows);
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

  /** `Nullable(String)`: the null map, then the strings; a row without a value has an empty one. */
  private writePlain(rows: i32, to: usize): void {
    const values = this.values;
    this.writeNulls(rows, to);
    const runs = this.runCount;
    let segment = 0;
    /** Bytes of content before the segment. */
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

  private writeDictionary(dictionary: Dictionary, rows: i32, to: usize): void {
    const width = dictionary.indexWidth;
    const first = dictionary.writeHead(rows, to);
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

/** Walks through texts that follow one another, each preceded by its length. */
class PlainTexts {
  /** The current text. */
  at: usize = 0;
  length: usize = 0;
  private readonly values: Bytes;
  private segment: i32 = 0;
  private next: usize = 0;
  private end: usize = 0;

  constructor(values: Bytes) {
    this.values = values;
  }

  /** Moves to the first text, or to the next one; false after the last. */
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

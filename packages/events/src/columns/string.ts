import { readText, writeTooLong } from '../json/text.js';
import type { Source } from '../json/source.js';
import { type Arena, GrowingBytes, type Segment, type TextBytes, copyShort, fillShort } from './bytes.js';
import { Column, writeNullMap } from './column.js';
import { Dictionary, DistinctHashes } from './dictionary.js';
import type { NativeBody } from './native-body.js';
import { nativeDictionary } from './native-dictionary.js';
import { lookAfter, LOOKS, type TextHabit } from './text-habits.js';
import { readVarint, varintWidth, writeVarint } from './varint.js';

/** Longer texts on average are looked at once only: looking costs as much as reading them, and they rarely repeat. */
const LONG_TEXT = 512;
/** New values a dictionary may meet beyond every second one before it is given up. */
const SLACK = 256;
/** What a dictionary must save in the end: each entry is used this often on average. */
const LEAST_USES = 3;

const NO_ENTRIES = new Int32Array(0);

/**
 * Strings, and JSON text kept whole. Values are written the way Native wants them (length, bytes), so that a column
 * without gaps needs one copy at the end. A column that repeats itself goes over to a dictionary and a list of entry
 * numbers; one that stops repeating itself goes back for good.
 */
export class StringColumn extends Column {
  readonly #arena: Arena;
  readonly #habit: TextHabit | undefined;
  readonly #segments: Segment[] = [];
  readonly #values: GrowingBytes;
  #dictionary: Dictionary | undefined;
  /** Values at which the next look is due. */
  #nextLook: number;
  /** Bytes of the length before the last text: most likely the next one's too. */
  #prefix = 1;
  /** Start of the last value relative to the content, without a dictionary. */
  #lastStart = 0;
  /** Without a dictionary: how many bytes of the content stand before each run. */
  #runStarts: number[] = [];
  /** With a dictionary: the entry of each value, and how the last one was written. */
  #entries = NO_ENTRIES;
  #lastIsNew = false;

  /** @param habit of the field, for a column that may use a dictionary */
  constructor(arena: Arena, habit: TextHabit | undefined) {
    super();
    this.#arena = arena;
    this.#values = new GrowingBytes(arena, this.#segments);
    this.#habit = habit;
    this.#nextLook = habit === undefined ? Infinity : lookAfter(habit.looked);
    if (habit?.repeats === true) {
      this.#dictionary = new Dictionary(arena);
      this.#entries = new Int32Array(LOOKS[0]);
    }
  }

  /** Reads the JSON string whose opening quote stands before `at`; answers the position behind it, or -1 and nothing is appended. */
  readJson(source: Source, at: number, row: number, scratch: GrowingBytes, longest: number): number {
    const dictionary = this.#dictionary;
    if (dictionary === undefined) return this.#readPlain(source, at, row, longest);
    scratch.clear();
    const next = readText(source, at, scratch);
    if (next < 0) return next;
    if (scratch.cursor - scratch.start > longest) writeTooLong(scratch, scratch.start);
    this.#pushText(dictionary, row, scratch, scratch.start, scratch.cursor - scratch.start);
    return next;
  }

  /** Appends a text that stands in `from`. */
  push(row: number, from: TextBytes, at: number, length: number): void {
    if (this.#dictionary !== undefined) {
      this.#pushText(this.#dictionary, row, from, at, length);
      return;
    }
    const values = this.#values;
    const to = values.reserve(values.end, length + 5);
    const text = writeVarint(values.buffer, to, length);
    copyShort(from, at, values, text, length);
    this.#endPlain(row, to, text + length);
  }

  get repeats(): boolean {
    return this.#dictionary !== undefined;
  }

  repeat(row: number): void {
    this.#lastIsNew = false;
    this.#pushEntry(row, this.#entries[this.count - 1]!);
  }

  #readPlain(source: Source, at: number, row: number, longest: number): number {
    const values = this.#values;
    const prefix = this.#prefix;
    values.cursor = values.reserve(values.end, 8) + prefix;
    const next = readText(source, at, values);
    if (next < 0) return next;
    let length = values.cursor - values.end - prefix;
    if (length > longest) {
      writeTooLong(values, values.end + prefix);
      length = values.cursor - values.end - prefix;
    }
    const width = varintWidth(length);
    if (width !== prefix) {
      values.cursor = values.reserve(values.cursor, 8);
      const text = values.end + prefix;
      values.buffer.copyWithin(values.end + width, text, text + length);
      this.#prefix = width;
    }
    writeVarint(values.buffer, values.end, length);
    this.#endPlain(row, values.end, values.end + width + length);
    return next;
  }

  #endPlain(row: number, start: number, end: number): void {
    const values = this.#values;
    this.#lastStart = start - values.start;
    values.end = end;
    const runs = this.runs.length;
    this.mark(row);
    if (this.runs.length > runs) this.#runStarts.push(values.before + this.#lastStart);
    if (this.count >= this.#nextLook) this.#look();
  }

  #pushText(dictionary: Dictionary, row: number, from: TextBytes, at: number, length: number): void {
    const size = dictionary.size;
    const entry = dictionary.add(from, at, length);
    this.#lastIsNew = dictionary.size > size;
    this.#pushEntry(row, entry);
    if (this.#lastIsNew && (dictionary.full || dictionary.size * 2 > this.count + 2 * SLACK)) {
      this.#giveUp();
    }
  }

  #pushEntry(row: number, entry: number): void {
    if (this.count === this.#entries.length) {
      const larger = new Int32Array(this.count * 2);
      larger.set(this.#entries);
      this.#entries = larger;
    }
    this.#entries[this.count] = entry;
    this.mark(row);
  }

  /** Goes over to a dictionary if at most every second value so far is a new one. */
  #look(): void {
    const habit = this.#habit!;
    this.#nextLook = lookAfter(this.count);
    habit.looked = this.count;
    if (this.count > LOOKS[0] && this.bytes() > LONG_TEXT * this.count) return;
    if (!this.#repeats()) return;
    const dictionary = new Dictionary(this.#arena);
    const entries = new Int32Array(2 * this.count);
    let size = 0;
    this.forEachText((ordinal, text, at, length) => {
      size = dictionary.size;
      entries[ordinal] = dictionary.add(text, at, length);
    });
    if (dictionary.full) return;
    this.#dictionary = dictionary;
    this.#entries = entries;
    habit.repeats = true;
    this.#lastIsNew = dictionary.size > size;
    this.#values.clear();
    this.#runStarts = [];
  }

  /** Whether at most every second plain value is a new one; reads no further than it takes to know. */
  #repeats(): boolean {
    const distinct = new DistinctHashes(this.count);
    for (const { buffer, view, start, end } of this.#plainSegments()) {
      for (let at = start; at < end;) {
        const length = readVarint(buffer, at);
        at += varintWidth(length);
        distinct.add(view, at, length);
        if (distinct.size * 2 > this.count) return false;
        at += length;
      }
    }
    return true;
  }

  /** The values do not repeat themselves enough after all. */
  #giveUp(): void {
    const habit = this.#habit!;
    habit.repeats = false;
    habit.looked = Infinity;
    this.#expand();
  }

  /** Goes back to plain values. */
  #expand(): void {
    const values = this.#values;
    const { runs } = this;
    const starts: number[] = [];
    this.forEachText((ordinal, text, at, length) => {
      const to = values.reserve(values.end, length + 5);
      if (ordinal === runs[2 * starts.length + 1]) starts.push(values.before + to - values.start);
      const start = writeVarint(values.buffer, to, length);
      copyShort(text, at, values, start, length);
      this.#lastStart = to - values.start;
      values.end = start + length;
    });
    this.#dictionary = undefined;
    this.#entries = NO_ENTRIES;
    this.#runStarts = starts;
    this.#nextLook = Infinity;
  }

  protected takeBack(): void {
    if (this.#dictionary === undefined) {
      this.#values.end = this.#values.start + this.#lastStart;
      if (this.#runStarts.length * 2 > this.runs.length) this.#runStarts.pop();
    } else {
      if (this.#lastIsNew) this.#dictionary.removeLast();
    }
  }

  /** Calls `visit` for every value with its ordinal and where its text stands. */
  forEachText(visit: (ordinal: number, bytes: TextBytes, at: number, length: number) => void): void {
    const dictionary = this.#dictionary;
    if (dictionary !== undefined) {
      for (let ordinal = 0; ordinal < this.count; ordinal++) {
        const entry = this.#entries[ordinal]!;
        visit(ordinal, dictionary.entries, dictionary.start(entry), dictionary.length(entry));
      }
      return;
    }
    let ordinal = 0;
    for (const segment of this.#plainSegments()) {
      for (let at = segment.start; at < segment.end; ordinal++) {
        const length = readVarint(segment.buffer, at);
        at += varintWidth(length);
        visit(ordinal, segment, at, length);
        at += length;
      }
    }
  }

  #plainSegments(): readonly Segment[] {
    return this.#segments.length === 0 ? [this.#values] : [...this.#segments, this.#values];
  }

  bytes(): number {
    const dictionary = this.#dictionary;
    if (dictionary !== undefined) return dictionary.entries.end - dictionary.entries.start + 2 * this.count;
    return this.#plainBytes();
  }

  #plainBytes(): number {
    const { before, start, end } = this.#values;
    return before + end - start;
  }

  /** The Native body for `rows` rows and whether it is a dictionary's; plain if fewer than `dictionaryRows` would share one or it saves too little. */
  native(rows: number, dictionaryRows: number): NativeBody & { readonly dictionary: boolean } {
    if (this.#dictionary !== undefined) {
      if (rows >= dictionaryRows && this.#dictionary.size * LEAST_USES <= this.count) {
        return { dictionary: true, ...nativeDictionary(this, this.#dictionary, this.#entries, rows) };
      }
      if (rows >= dictionaryRows) this.#giveUp();
      else this.#expand();
    }
    const bytes = rows + this.#plainBytes() + rows - this.count;
    return { dictionary: false, bytes, write: (to, start) => this.#writePlain(rows, to, start, start + bytes) };
  }

  /** Null map, then the strings; a row without a value has the empty one. */
  #writePlain(rows: number, to: TextBytes, start: number, end: number): void {
    const segments = this.#plainSegments();
    writeNullMap(this, rows, to.buffer, start);
    const { runs } = this;
    const starts = this.#runStarts;
    let index = 0;
    let segment = segments[0]!;
    /** Content before the segment. */
    let before = 0;
    let at = start + rows;
    let filled = 0;
    for (let run = 0; run < runs.length; run += 2) {
      const row = runs[run]!;
      const gap = at + row - filled;
      fillShort(to.buffer, 0, at, gap);
      at = gap;
      filled = row + this.runLength(run);
      let from = starts[run >> 1]!;
      const stop = run + 2 < runs.length ? starts[(run >> 1) + 1]! : this.#plainBytes();
      while (from < stop) {
        const next = before + segment.end - segment.start;
        const length = Math.min(stop, next) - from;
        copyShort(segment, segment.start + from - before, to, at, length);
        at += length;
        from += length;
        if (from < next || from === stop) continue;
        before = next;
        segment = segments[++index]!;
      }
    }
    fillShort(to.buffer, 0, at, end);
  }
}

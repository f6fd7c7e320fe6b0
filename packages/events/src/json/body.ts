import type { EventWriter } from '../event-writer.js';
import { lineEnds } from '../line-ends.js';
import { Resumer } from './resume.js';
import { skipSpace, type Source } from './source.js';

/**
 * Parses a body: a sequence of JSON values, with or without white space between them, arrays
 * flattened. That rule covers an object, an array, NDJSON with any line ending, and concatenated
 * arrays. An object may be followed by one comma, as in elements copied from an array. Each event
 * is stored or fails alone.
 */
export class JsonBody {
  readonly #source: Source;
  readonly #writer: EventWriter;
  readonly #resumer: Resumer;
  /**
   * The extent of the last event outside an array, until it is known whether it spans several
   * lines.
   */
  #last = { start: 0, end: 0 };
  /**
   * Whether an event outside an array spanned several lines, in the part of the body that was
   * checked.
   */
  #spread = false;
  /** A position and its line, from which to continue counting. */
  #lineCursor = { at: 0, line: 1 };

  constructor(writer: EventWriter) {
    this.#source = writer.source;
    this.#writer = writer;
    writer.placeOf = (start) => this.#place(start, start);
    this.#resumer = new Resumer(writer.source);
  }

  read(): void {
    const { buffer: bytes, end } = this.#source;
    let i = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    for (i = skipSpace(bytes, i); i < end; i = skipSpace(bytes, i)) {
      if (bytes[i] === 0x7b) i = this.#readObjects(i);
      else if (bytes[i] === 0x5b) i = this.#readArray(i);
      else if (bytes[i] === 0x2c && this.#followsEvent(i)) i++;
      else i = this.#readForeign(i);
    }
  }

  /** Whether only white space separates a position from the previous event. */
  #followsEvent(at: number): boolean {
    const { end } = this.#last;
    return end > 0 && skipSpace(this.#source.buffer, end) === at;
  }

  #readObjects(start: number): number {
    const next = this.#writer.readEvents(start, false);
    if (next >= 0) {
      this.#last = { start: this.#writer.lastEvent, end: next };
      return next;
    }
    this.#spread ||= this.#resumer.lineBreak(this.#last.start) < this.#last.end;
    this.#last = { start: 0, end: 0 };
    const resumed = this.#resumer.afterEvent(start, this.#spread);
    this.#reject(start, this.#resumer.lineBreak(this.#source.failedAt), resumed);
    return resumed;
  }

  /**
   * Skips input outside an array that is neither an object nor an array: each line of it is one
   * failure.
   */
  #readForeign(start: number): number {
    const { buffer: bytes } = this.#source;
    this.#writer.core.resetTime();
    let i = this.#writer.skip(start);
    if (i >= 0) {
      this.#source.fail(start, 'an object');
      while (bytes[i] === 0x20 || bytes[i] === 0x09) i++;
    }
    const resumed = i >= 0 && (bytes[i] === 0x7b || bytes[i] === 0x5b) ? i : this.#resumer.lineBreak(start);
    this.#reject(start, resumed, resumed);
    return resumed;
  }

  #readArray(open: number): number {
    const { buffer: bytes, end } = this.#source;
    let i = skipSpace(bytes, open + 1);
    if (bytes[i] === 0x5d) return i + 1;
    let damaged = false;
    for (;;) {
      let start = i;
      let next = bytes[i] === 0x7b ? this.#writer.readEvents(i, true) : this.#readForeignElement(i);
      if (next >= 0) {
        i = skipSpace(bytes, next);
        if (bytes[i] === 0x5d) return i + 1;
        if (bytes[i] === 0x2c) {
          i = skipSpace(bytes, i + 1);
          continue;
        }
        // An array with a reported failure is not reported again for its missing end, or for every
        // missing comma.
        if (damaged && i >= end) return end;
        if (bytes[i] === 0x7b) {
          this.#source.fail(i, "',' or ']'");
          if (!damaged) this.#reject(i, i, i);
          damaged = true;
          continue;
        }
        next = this.#source.fail(i, "',' or ']'");
        start = i;
      }
      damaged = true;
      const resumed = start >= end ? ({ kind: 'lost', at: end } as const) : this.#resumer.afterElement(start);
      this.#reject(start, resumed.kind === 'lost' ? this.#source.failedAt : resumed.at, resumed.at);
      if (resumed.kind !== 'element') return resumed.at;
      i = skipSpace(bytes, resumed.at);
    }
  }

  /**
   * Reads an element that is not an object: one that is valid JSON fails alone; for others returns
   * -1, as for a broken object.
   */
  #readForeignElement(start: number): number {
    this.#writer.core.resetTime();
    const next = this.#writer.skip(start);
    if (next < 0) return next;
    this.#source.fail(start, 'an object');
    this.#reject(start, next, next);
    return next;
  }

  /**
   * Records that the event at `start` failed with the error in `source`. `usual` is where parsing
   * normally continues, `resumed` where it actually does; the message mentions this if it is
   * further on, or if other events may have been skipped.
   */
  #reject(start: number, expected: number, resumed: number): void {
    const source = this.#source;
    const at = source.failedAt;
    this.#writer.reject(at, () => {
      const reason = `${this.#place(start, at)}: expected ${source.expectedToken}, found ${source.foundText(at)}`;
      const mayHoldEvents = source.buffer.subarray(at + 1, resumed).includes(0x7b);
      if (resumed <= expected && !mayHoldEvents) return reason;
      return resumed < source.end || at >= source.end
        ? `${reason}; reading went on at byte ${resumed}`
        : `${reason}; nothing behind it could be read`;
    });
  }

  /** `at` in words; must be called in the order of events. */
  #place(start: number, at: number): string {
    const first = this.#lineAt(start);
    this.#lineCursor = { at: start, line: first };
    const line = this.#lineAt(at);
    // A line that was cut off is noticed only where a later one does not continue it.
    return `line ${line}, byte ${at}${line === first ? '' : `, in what begins in line ${first}`}`;
  }

  #lineAt(at: number): number {
    const { at: from, line } = this.#lineCursor;
    return line + lineEnds(this.#source.buffer, from, at);
  }
}

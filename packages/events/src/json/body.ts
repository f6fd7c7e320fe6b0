import type { Batch } from '../batch.js';
import type { EncodeOptions } from '../encode.js';
import type { EventTime } from '../event-time.js';
import type { Failures } from '../failures.js';
import type { EventReader } from './event.js';
import type { KeyNode } from './keys.js';
import { Resumer } from './resume.js';
import { skipSpace, type Source } from './source.js';

/**
 * Reads a body: JSON values one behind the other, with or without white space between, arrays flattened. That one rule
 * covers an object, an array, NDJSON with any line ending, and arrays back to back. Each event is stored or fails alone.
 */
export class JsonBody {
  readonly #source: Source;
  readonly #reader: EventReader;
  readonly #batch: Batch;
  readonly #time: EventTime;
  readonly #failures: Failures;
  readonly #arrivalTime: bigint;
  readonly #labels: Source | undefined;
  readonly #labelsRoot: KeyNode;
  readonly #root: KeyNode;
  readonly #resumer: Resumer;
  /** Events so far, stored or not. */
  #index = 0;
  /** Where the last event outside of an array was read. */
  #last = { start: 0, end: 0 };
  /** A place and its line, to count on from. */
  #counted = { at: 0, line: 1 };

  constructor(
    source: Source,
    labels: Source | undefined,
    to: { reader: EventReader; batch: Batch; time: EventTime; failures: Failures; options: EncodeOptions },
  ) {
    this.#source = source;
    this.#labels = labels;
    this.#reader = to.reader;
    this.#batch = to.batch;
    this.#time = to.time;
    this.#failures = to.failures;
    this.#arrivalTime = to.options.arrivalTime;
    this.#root = to.reader.root();
    this.#labelsRoot = to.reader.root();
    this.#resumer = new Resumer(source);
  }

  read(): void {
    const { bytes, end } = this.#source;
    let i = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    for (i = skipSpace(bytes, i); i < end; i = skipSpace(bytes, i)) {
      if (bytes[i] === 0x7b) i = this.#readObject(i);
      else if (bytes[i] === 0x5b) i = this.#readArray(i);
      else i = this.#readForeign(i);
    }
  }

  #readObject(start: number): number {
    const next = this.#readEvent(start);
    if (next >= 0) {
      this.#last = { start, end: next };
      return next;
    }
    const spread = this.#resumer.lineBreak(this.#last.start) < this.#last.end;
    const resumed = this.#resumer.afterEvent(start, spread);
    this.#reject(start, this.#resumer.lineBreak(this.#source.failedAt), resumed);
    return resumed;
  }

  /** What is no object and no array outside of an array: a line of it is one failure. */
  #readForeign(start: number): number {
    const { bytes } = this.#source;
    this.#time.reset();
    let i = this.#reader.skip(this.#source, start);
    if (i >= 0) {
      this.#source.fail(start, 'an object');
      while (bytes[i] === 0x20 || bytes[i] === 0x09) i++;
    }
    const resumed = i >= 0 && (bytes[i] === 0x7b || bytes[i] === 0x5b) ? i : this.#resumer.lineBreak(start);
    this.#reject(start, resumed, resumed);
    return resumed;
  }

  #readArray(open: number): number {
    const { bytes, end } = this.#source;
    let i = skipSpace(bytes, open + 1);
    if (bytes[i] === 0x5d) return i + 1;
    let damaged = false;
    for (;;) {
      let start = i;
      let next = bytes[i] === 0x7b ? this.#readEvent(i) : this.#readForeignElement(i);
      if (next >= 0) {
        i = skipSpace(bytes, next);
        if (bytes[i] === 0x5d) return i + 1;
        if (bytes[i] === 0x2c) {
          i = skipSpace(bytes, i + 1);
          continue;
        }
        // After damage an object where a comma should be is taken for the beginning of something new.
        if (damaged && bytes[i] === 0x7b) return i;
        next = this.#source.fail(i, "',' or ']'");
        start = i;
      }
      damaged = true;
      const resumed = start >= end ? ({ kind: 'outside', at: end } as const) : this.#resumer.afterElement(start);
      const regained = resumed.kind === 'element' || bytes[resumed.at - 1] === 0x5d;
      this.#reject(start, regained ? resumed.at : this.#source.failedAt, resumed.at);
      if (resumed.kind === 'outside') return resumed.at;
      i = skipSpace(bytes, resumed.at);
    }
  }

  /** An element that is no object: fails if it is valid, otherwise answers -1 like a broken object. */
  #readForeignElement(start: number): number {
    this.#time.reset();
    const next = this.#reader.skip(this.#source, start);
    if (next < 0) return next;
    this.#source.fail(start, 'an object');
    this.#reject(start, next, next);
    return next;
  }

  /** The event whose `{` stands at `start`: stored, or failed for its content, or -1 if it is no JSON. */
  #readEvent(start: number): number {
    const time = this.#time;
    time.reset();
    // Labels come first, so that the event's own keys win as later ones.
    if (this.#labels !== undefined) this.#reader.readEvent(this.#labels, this.#labelsRoot, 1);
    const next = this.#reader.readEvent(this.#source, this.#root, start + 1);
    if (next < 0) {
      this.#batch.rollback();
      return next;
    }
    const value = time.get();
    if (value === undefined) {
      this.#batch.rollback();
      this.#fail(start, start, () => time.problem());
    } else {
      this.#batch.commit(value);
      this.#index++;
    }
    return next;
  }

  /** The event at `start` failed as the source says. `usual` is where reading goes on as a rule, `resumed` where it really does. */
  #reject(start: number, usual: number, resumed: number): void {
    const source = this.#source;
    const at = source.failedAt;
    this.#fail(start, at, () => {
      const reason = `expected ${source.expected}, found ${source.found(at)}`;
      if (resumed >= source.end && at < source.end && resumed > usual)
        return `${reason}; nothing behind it could be read`;
      return resumed > usual ? `${reason}; reading went on at byte ${resumed}` : reason;
    });
  }

  #fail(start: number, at: number, reason: () => string): void {
    const index = this.#index++;
    const time = this.#time.get() ?? this.#arrivalTime;
    this.#failures.add(index, at, time, () => {
      this.#counted = { at: start, line: this.#lineAt(start) };
      return `event ${index}, line ${this.#lineAt(at)}, byte ${at}: ${reason()}`;
    });
  }

  #lineAt(at: number): number {
    let { line } = this.#counted;
    const { bytes } = this.#source;
    for (let i = this.#counted.at; i < at; i++) {
      if (bytes[i] === 0x0a || (bytes[i] === 0x0d && bytes[i + 1] !== 0x0a)) line++;
    }
    return line;
  }
}

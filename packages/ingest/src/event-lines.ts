import { encodeJson, type EncodeResult, type Failure, MAX_BODY_BYTES } from '@millrace/events';
import { parseTimestampText } from '@millrace/timestamps';
import { httpError } from '@millrace/api/errors';
import { freeMemory } from '@millrace/runtime/memory/free-memory';
import { JsonBytes, viewOf } from './bytes/json-bytes.js';
import type { FormatOptions } from './formats/format.js';

const space = 0x20;

const quote = 0x22;

/** Range of times that the encoder accepts: from 1900 on, in 64 bits. */
const earliest = -2208988800000000000n;
const latest = 9223372036854775807n;
const longestTime = 64;
/** A number with this many digits is always a time; the longest are nanoseconds. */
const surelyTime = 19;

/** Digits of the seconds of a present time. */
const secondDigits = 10;

/** Whether bytes are the digits of a time, perhaps with a fraction. */
function isNumber(source: Buffer, start: number, end: number): boolean {
  let whole = end;
  for (let at = start; at < end; at++) {
    const byte = source[at]!;
    if (byte === 0x2e && whole === end && at > start) whole = at;
    else if (byte < 0x30 || byte > 0x39) return false;
  }
  return whole > start && whole - start < surelyTime + Number(source[start]! < 0x39) && end - whole !== 1;
}

/** The start of a property, for {@link EventLines}: `member('host')`. */
export const member = (name: string): Buffer => Buffer.from(`${JSON.stringify(name)}:`);

const eventTime = member('_time');

/**
 * Events as lines of JSON, written property by property from the bytes of a request, and encoded
 * like any body. Every line is exactly one event for the encoder, also if a value is malformed, so
 * the outcome of a line is the outcome of its event.
 */
export class EventLines {
  readonly #out: JsonBytes;
  readonly #options: FormatOptions;
  readonly #failures: Failure[] = [];
  /** Start of the current event. */
  #start = 0;
  #empty = true;
  #failedCount = 0;
  #count = 0;

  /**
   * @param expected the number of bytes expected
   * @param max maximum bytes that the events may take
   */
  constructor(expected: number, max: number, options: FormatOptions) {
    const limit = Math.min(max, MAX_BODY_BYTES);
    const tooLarge = (): Error => httpError('events-too-large', { limit, what: 'events' });
    this.#out = new JsonBytes(expected, limit, tooLarge, options.growing);
    this.#options = options;
  }

  /** Starts an event. */
  begin(): void {
    this.#start = this.#out.length;
    this.#empty = true;
    this.#out.ascii('{');
  }

  /** Writes a property whose value is the JSON from `start` to before `end`. */
  json(name: Buffer, source: Buffer, start: number, end: number): void {
    this.#name(name);
    this.#out.copyOnLine(source, start, end);
  }

  /** Copies a property: its name without quotes, and its value. */
  member(source: Buffer, nameStart: number, nameEnd: number, start: number, end: number): void {
    const out = this.next();
    out.copyOnLine(source, nameStart - 1, nameEnd + 1);
    out.ascii(':');
    out.copyOnLine(source, start, end);
  }

  /** Copies the properties of the object from `start`, a brace, to before `end`. */
  members(source: Buffer, start: number, end: number): void {
    let first = start + 1;
    while (first < end - 1 && source[first]! <= space) first++;
    if (first < end - 1) this.next().copyOnLine(source, first, end - 1);
  }

  /**
   * Writes a property whose value is UTF-8 text.
   * @param words a view of the source
   */
  utf8(name: Buffer, source: Buffer, start: number, end: number, words = viewOf(source)): void {
    this.#name(name);
    this.#out.utf8(source, words, start, end);
  }

  /** Writes a string property, unless the value is undefined. */
  text(name: Buffer, text: string | undefined): void {
    if (text === undefined) return;
    this.#name(name);
    this.#out.string(text);
  }

  /** Starts a property; the caller writes its name and value. */
  next(): JsonBytes {
    if (!this.#empty) this.#out.ascii(',');
    this.#empty = false;
    return this.#out;
  }

  /** Copies serialized properties, without braces. */
  ready(members: Buffer): void {
    if (members.length > 0) this.next().bytes(members);
  }

  /** Writes the time of the event: seconds from 1973 on, and nanoseconds. */
  instant(seconds: number, nanoseconds: number): void {
    this.#name(eventTime);
    this.#out.digits(seconds);
    this.#out.padNumber(nanoseconds, 9);
  }

  /**
   * Writes the JSON from `start` to before `end` as the time of the event: a number, a string of
   * digits, or a string in a known format. Any other value is stored as a field, and the event gets
   * the ingest time.
   */
  time(name: Buffer, source: Buffer, start: number, end: number): void {
    const quoted = source[start] === quote;
    const from = quoted ? start + 1 : start;
    const to = quoted ? end - 1 : end;
    if (isNumber(source, from, to)) this.#number(source, from, to);
    else this.json(quoted && this.#isTime(source, from, to) ? eventTime : name, source, start, end);
  }

  /** Ends an event. */
  end(): void {
    this.#out.ascii('}\n');
    this.#out.check();
    this.#count++;
    this.#start = this.#out.length;
  }

  /** Discards the current event. */
  takeBack(): void {
    this.#out.cutTo(this.#start);
  }

  /** Records a failed event. */
  fail(offset: number, error: string): void {
    const { limits, arrivalTime } = this.#options;
    const index = this.#count + this.#failedCount++;
    if (this.#failures.length < limits.maxFailuresReported)
      this.#failures.push({ index, offset, time: arrivalTime, error: `event ${index}, ${error}` });
  }

  /** The events as columns. */
  encode(): EncodeResult {
    const lines = this.#out.writtenBytes();
    try {
      const encoded = encodeJson(lines, this.#options);
      return {
        ...encoded,
        failed: this.#failedCount + encoded.failed,
        failures: [...this.#failures, ...encoded.failures].slice(0, this.#options.limits.maxFailuresReported),
      };
    } finally {
      freeMemory(lines.buffer);
    }
  }

  /** Converts seconds with a fraction to integer nanoseconds, which the encoder parses fastest. */
  #number(source: Buffer, start: number, end: number): void {
    const point = start + secondDigits;
    const fraction = end - point - 1;
    if (source[point] !== 0x2e || fraction < 1 || fraction > 9) return this.json(eventTime, source, start, end);
    this.#name(eventTime);
    this.#out.copyOnLine(source, start, point);
    this.#out.copyOnLine(source, point + 1, end);
    this.#out.ascii('000000000'.slice(fraction));
  }

  #isTime(source: Buffer, start: number, end: number): boolean {
    if (end - start > longestTime) return false;
    const time = parseTimestampText(source.toString('utf8', start, end), this.#options.arrivalTime);
    return time !== undefined && time >= earliest && time <= latest;
  }

  #name(name: Buffer): void {
    this.next().bytes(name);
  }
}

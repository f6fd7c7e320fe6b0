import type { EncodeOptions } from './encode.js';
import { epochToNanoseconds, formatRfc3339, parseEpoch, parseTimestamp } from './time/index.js';

/**
 * `_time` is a DateTime64(9): nanoseconds in an int64, which ends in the year 2262; its calendar begins in 1900, and a day
 * partition before that cannot be named. An event outside fails, because moving it would store a time nobody sent.
 */
const EARLIEST = -2208988800000000000n;
const LATEST = 9223372036854775807n;

const SHOWN = 60;

/** Years of four digits, which a time with a zone can just leave, are what RFC 3339 writes. */
const YEAR_0 = -62_167_219_200_000_000_000n;
const YEAR_10000 = 253_402_300_800_000_000_000n;

const shownTime = (time: bigint): string =>
  time >= YEAR_0 && time < YEAR_10000 ? formatRfc3339(time) : `${time} ns since 1970`;

/** The time of the event being read. The declared field decides; without it `_time`; without that the time of arrival. */
export class EventTime {
  readonly #options: EncodeOptions;
  #value: bigint | undefined;
  #problem = '';
  #fallback: bigint | undefined;
  #fallbackProblem = '';

  constructor(options: EncodeOptions) {
    this.#options = options;
  }

  reset(): void {
    this.#value = undefined;
    this.#fallback = undefined;
    this.#problem = '';
    this.#fallbackProblem = '';
  }

  /** The event's time, or undefined when what it brought is none: see {@link problem}. */
  get(): bigint | undefined {
    if (this.problem() !== '') return undefined;
    return this.#value ?? this.#fallback ?? this.#options.arrivalTime;
  }

  /** What is wrong with the time the event brought, '' if nothing is. */
  problem(): string {
    if (this.#problem !== '' || this.#value !== undefined) return this.#problem;
    return this.#fallbackProblem;
  }

  /** The text from `start` to `end`, unescaped. */
  setText(declared: boolean, bytes: Uint8Array, start: number, end: number): void {
    const { parseTime } = this.#options;
    const text = () => Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    const time =
      parseTime === undefined
        ? parseTimestamp(bytes, start, end, this.#options.arrivalTime)
        : parseTime(text().toString());
    if (time !== undefined) {
      this.#set(declared, time);
      return;
    }
    const shown = JSON.stringify(text().subarray(0, SHOWN).toString());
    const wanted =
      parseTime === undefined ? 'a timestamp of a known format' : 'a timestamp of the given timestamp-format';
    this.#fail(declared, `${shown}${end - start > SHOWN ? '…' : ''} is not ${wanted}`);
  }

  /** An integer: digits of the declared layout, such as 20060102, or else time since 1970 whose magnitude tells its unit. */
  setInteger(declared: boolean, value: bigint | number): void {
    this.#setEpoch(declared, this.#options.parseTime?.(String(value)) ?? epochToNanoseconds(value), value);
  }

  /** The same for the digits of any number. */
  setNumber(declared: boolean, digits: string): void {
    this.#setEpoch(declared, this.#options.parseTime?.(digits) ?? parseEpoch(digits), digits);
  }

  /** A value that cannot be a time. */
  setOther(declared: boolean, what: string): void {
    this.#fail(declared, `expected a timestamp as string or number, found ${what}`);
  }

  /** Null: as if the field were not there. */
  clear(declared: boolean): void {
    if (declared) {
      this.#value = undefined;
      this.#problem = '';
    } else {
      this.#fallback = undefined;
      this.#fallbackProblem = '';
    }
  }

  #setEpoch(declared: boolean, time: bigint | undefined, sent: bigint | number | string): void {
    if (time === undefined) this.#fail(declared, `${sent} is no time in s, ms, µs or ns since 1970`);
    else this.#set(declared, time);
  }

  #set(declared: boolean, time: bigint): void {
    this.clear(declared);
    if (time < EARLIEST || time > LATEST) {
      const range = `${formatRfc3339(EARLIEST)} to ${formatRfc3339(LATEST)}`;
      this.#fail(declared, `${shownTime(time)} is outside of what can be stored (${range})`);
    } else if (declared) {
      this.#value = time;
    } else {
      this.#fallback = time;
    }
  }

  #fail(declared: boolean, problem: string): void {
    this.clear(declared);
    if (declared) this.#problem = `${this.#options.timestampField ?? '_time'}: ${problem}`;
    else this.#fallbackProblem = `_time: ${problem}`;
  }
}

import type { EncodeOptions } from './encode.js';
import { epochToNanoseconds, formatRfc3339, parseEpoch, parseTimestampText, year10000 } from '@millrace/timestamps';

/**
 * `_time` is a DateTime64(9): nanoseconds in an int64, which ends in the year 2262; its calendar
 * begins in 1900, and a day partition before that has no valid name. An event outside this range
 * fails: moving it would store a time that was not sent.
 */
const EARLIEST = -2208988800000000000n;
const LATEST = 9223372036854775807n;

/** The core's value for an invalid time. */
const NO_TIME = -(2n ** 63n);

const SHOWN = 60;

/** A date that begins with a number too large for a month. */
const DAY_FIRST = /^\s*(?:1[3-9]|2\d|3[01])\/\d{1,2}\/\d{2}/;

/**
 * Parses event times in unusual forms, and records the errors of invalid ones. The core parses
 * common forms itself.
 */
export class EventTime {
  readonly #options: EncodeOptions;
  #problem = '';
  #fallbackProblem = '';

  constructor(options: EncodeOptions) {
    this.#options = options;
  }

  /** The error of the event's last time in the declared field, or in `_time`. */
  problem(declared: boolean): string {
    return declared ? this.#problem : this.#fallbackProblem;
  }

  /** Reads a text, already unescaped. */
  text(declared: boolean, text: Buffer): bigint {
    const parseTime = this.#layout(declared);
    const time =
      parseTime === undefined
        ? parseTimestampText(text.toString(), this.#options.arrivalTime)
        : parseTime(text.toString(), this.#options.arrivalTime);
    if (time !== undefined) return this.#storable(declared, time);
    const shown = JSON.stringify(text.subarray(0, SHOWN).toString());
    const dayFirst = parseTime === undefined && DAY_FIRST.test(text.subarray(0, SHOWN).toString());
    const wanted = dayFirst
      ? 'a timestamp: months come first in dates with slashes, and days up to 12 were read as months; send timestamp-format, such as 2/1/2006 15:04:05'
      : parseTime === undefined
        ? 'a timestamp of a known format; timestamp-format, a Go layout such as 2.1.2006 15:04, says how yours are written'
        : 'a timestamp of the given timestamp-format';
    return this.#fail(declared, `${shown}${text.length > SHOWN ? '…' : ''} is not ${wanted}`);
  }

  /**
   * Parses an integer: digits in the declared layout, such as 20060102, or else time since 1970
   * whose magnitude determines its unit.
   */
  integer(declared: boolean, value: bigint): bigint {
    const time = this.#layout(declared)?.(String(value), this.#options.arrivalTime) ?? epochToNanoseconds(exact(value));
    return this.#epoch(declared, time, String(value));
  }

  /** Parses any number, given by its digits. */
  number(declared: boolean, digits: string): bigint {
    return this.#epoch(
      declared,
      this.#layout(declared)?.(digits, this.#options.arrivalTime) ?? parseEpoch(digits),
      digits,
    );
  }

  /** Records a value that cannot be a time. */
  other(declared: boolean, what: string): void {
    this.#fail(declared, `expected a timestamp as string or number, found ${what}`);
  }

  /**
   * The layout of the declared field. It does not apply to the `_time` of an event without the
   * field.
   */
  #layout(declared: boolean): EncodeOptions['parseTime'] {
    return declared ? this.#options.parseTime : undefined;
  }

  #epoch(declared: boolean, time: bigint | undefined, sent: string): bigint {
    return time === undefined
      ? this.#fail(declared, `${sent} is no time in s, ms, µs or ns since 1970`)
      : this.#storable(declared, time);
  }

  #storable(declared: boolean, time: bigint): bigint {
    if (time >= EARLIEST && time <= LATEST) return time;
    const range = `${formatRfc3339(EARLIEST)} to ${formatRfc3339(LATEST)}`;
    return this.#fail(declared, `${shownTime(time)} is outside of what can be stored (${range})`);
  }

  #fail(declared: boolean, problem: string): bigint {
    if (declared) this.#problem = `${this.#options.timestampField ?? '_time'}: ${problem}`;
    else this.#fallbackProblem = `_time: ${problem}`;
    return NO_TIME;
  }
}

/** RFC 3339 writes years with four digits; a time with a zone can fall just outside of them. */
const YEAR_0 = -62_167_219_200_000_000_000n;

const shownTime = (time: bigint): string =>
  time >= YEAR_0 && time < year10000 ? formatRfc3339(time) : `${time} ns since 1970`;

/** The integer as a number if that is exact, because arithmetic with numbers is cheaper. */
function exact(value: bigint): bigint | number {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

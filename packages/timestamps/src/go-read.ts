import { civilFromDays, daysFromCivil, daysInMonth, isLeapYear, secondsPerDay, toNanoseconds } from './calendar.js';
import type { Element, OffsetShape, Step, Steps } from './go-elements.js';

/** Reads a text by a layout, following the rules of Go's `time.Parse`. */

/** The parsed parts; unset parts are undefined. */
interface TimeParts {
  year: number;
  month: number | undefined;
  day: number | undefined;
  yearDay: number | undefined;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  half: 'am' | 'pm' | undefined;
  offset: number | undefined;
  zone: string;
}

const shortMonths = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const longMonths = 'january february march april may june july august september october november december'.split(' ');
const shortWeekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const longWeekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

const offsetShapes: Readonly<Record<OffsetShape, RegExp>> = {
  '00': /([+-])(\d\d)()()/y,
  '0000': /([+-])(\d\d)(\d\d)()/y,
  '00:00': /([+-])(\d\d):(\d\d)()/y,
  '000000': /([+-])(\d\d)(\d\d)(\d\d)/y,
  '00:00:00': /([+-])(\d\d):(\d\d):(\d\d)/y,
};

/** There is no list of zone abbreviations; this is Go's rule for one. */
const zoneName =
  /UTC|ChST|MeST|GMT(?:[+-](?:0*(?:1?\d|2[0-3]))(?!\d))?|[+-]0*(?:1?\d|2[0-3])(?!\d)|(?:[A-Z]{4}T|[A-Z]{3}T|WITA|[A-Z]{3})(?![A-Z])/y;

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** A cursor over the input text; `at` moves past the parsed part. */
class Reader {
  readonly text: string;
  at = 0;
  readonly result: TimeParts = {
    year: 0,
    month: undefined,
    day: undefined,
    yearDay: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    half: undefined,
    offset: undefined,
    zone: '',
  };

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Matches literal text; a run of spaces matches one or more of them, or none at the end of the
   * text.
   */
  literal(expected: string): boolean {
    for (let i = 0; i < expected.length; i++) {
      if (expected[i] !== ' ') {
        if (this.text[this.at] !== expected[i]) return false;
        this.at++;
        continue;
      }
      if (this.at < this.text.length && this.text[this.at] !== ' ') return false;
      while (expected[i + 1] === ' ') i++;
      while (this.text[this.at] === ' ') this.at++;
    }
    return true;
  }

  /** Reads one to `most` digits, or exactly `most` when `fixed`; −1 otherwise. */
  number(max: number, fixed: boolean): number {
    let value = 0;
    let digits = 0;
    for (; digits < max && isDigit(this.text, this.at); digits++) {
      value = value * 10 + this.text.charCodeAt(this.at++) - 0x30;
    }
    return digits === 0 || (fixed && digits < max) ? -1 : value;
  }

  /** The index of the first name with which the text continues, ignoring case; −1 otherwise. */
  name(names: readonly string[]): number {
    const found = names.findIndex((name) => this.hasWord(name));
    if (found >= 0) this.at += names[found]!.length;
    return found;
  }

  hasWord(lowercase: string): boolean {
    for (let i = 0; i < lowercase.length; i++) {
      if ((this.text.charCodeAt(this.at + i) | 0x20) !== lowercase.charCodeAt(i)) return false;
    }
    return true;
  }

  match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.text);
    if (match !== null) this.at += match[0].length;
    return match;
  }

  spaces(max: number): void {
    for (let i = 0; i < max && this.text[this.at] === ' '; i++) this.at++;
  }

  /** Reads a decimal mark and `digits` digits; only the first nine count. */
  fraction(digits: number): boolean {
    const mark = this.text[this.at];
    if ((mark !== '.' && mark !== ',') || this.at + digits >= this.text.length) return false;
    const written = this.text.slice(this.at + 1, this.at + 1 + digits);
    if (!/^\d+$/.test(written)) return false;
    this.result.nanosecond = Number(written.slice(0, 9).padEnd(9, '0'));
    this.at += 1 + digits;
    return true;
  }

  /** How many digits follow a decimal mark here. */
  fractionDigits(): number {
    if (this.text[this.at] !== '.' && this.text[this.at] !== ',') return 0;
    let end = this.at + 1;
    while (isDigit(this.text, end)) end++;
    return end - this.at - 1;
  }
}

/**
 * Reads the whole text by the layout; undefined if it does not fit. Whether the date exists is
 * checked by `instantOf`.
 */
export function readLayout({ steps, tail }: Steps, text: string): TimeParts | undefined {
  const reader = new Reader(text);
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!;
    if (!reader.literal(step.literal) || !readElement(reader, step.element, steps[i + 1])) return undefined;
  }
  return reader.literal(tail) && reader.at === text.length ? reader.result : undefined;
}

function readElement(reader: Reader, element: Element, next: Step | undefined): boolean {
  const { result } = reader;
  switch (element.kind) {
    case 'year':
      return (result.year = reader.number(4, true)) >= 0;
    case 'shortYear': {
      const year = reader.number(2, true);
      result.year = year >= 69 ? 1900 + year : 2000 + year;
      return year >= 0;
    }
    case 'month':
      result.month = reader.number(2, element.fixed);
      return result.month >= 1 && result.month <= 12;
    case 'monthName':
      result.month = reader.name(element.long ? longMonths : shortMonths) + 1;
      return result.month >= 1;
    case 'weekdayName':
      return reader.name(element.long ? longWeekdays : shortWeekdays) >= 0;
    case 'day':
      if (element.padded) reader.spaces(1);
      return (result.day = reader.number(2, element.fixed)) >= 0;
    case 'yearDay':
      if (!element.fixed) reader.spaces(2);
      return (result.yearDay = reader.number(3, element.fixed)) >= 0;
    case 'clock24':
      result.hour = reader.number(2, false);
      return result.hour >= 0 && result.hour <= 23;
    case 'clock12':
      result.hour = reader.number(2, element.fixed);
      return result.hour >= 0 && result.hour <= 12;
    case 'minute':
      result.minute = reader.number(2, element.fixed);
      return result.minute >= 0 && result.minute <= 59;
    case 'second': {
      result.second = reader.number(2, element.fixed);
      // Second 60 is a leap second, which `instantOf` handles.
      if (result.second < 0 || result.second > 60) return false;
      const digits = next?.element.kind === 'fraction' ? 0 : reader.fractionDigits();
      return digits === 0 || reader.fraction(digits);
    }
    case 'fraction': {
      if (!element.optional) return reader.fraction(element.digits);
      const digits = reader.fractionDigits();
      return digits === 0 || reader.fraction(digits);
    }
    case 'halfDay': {
      const written = reader.text.slice(reader.at, reader.at + 2);
      reader.at += 2;
      if (written === element.am) result.half = 'am';
      else if (written === element.pm) result.half = 'pm';
      else return false;
      return true;
    }
    case 'offset':
      return readOffset(reader, element.shape, element.zulu);
    case 'zoneName': {
      const match = reader.match(zoneName);
      if (match !== null && result.zone !== 'UTC') result.zone = match[0];
      return match !== null;
    }
  }
}

/**
 * Reads `Z` or a signed offset. Go accepts 24 hours, 60 minutes and 60 seconds, because some
 * programs write them.
 */
function readOffset(reader: Reader, shape: OffsetShape, zulu: boolean): boolean {
  if (zulu && reader.text[reader.at] === 'Z') {
    reader.at++;
    reader.result.zone = 'UTC';
    return true;
  }
  const match = reader.match(offsetShapes[shape]);
  if (match === null) return false;
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3]), Number(match[4])];
  if (hours > 24 || minutes > 60 || seconds > 60) return false;
  const offset = (hours * 60 + minutes) * 60 + seconds;
  reader.result.offset = match[1] === '-' ? -offset : offset;
  return true;
}

/**
 * The instant of a parsed time, in nanoseconds since the epoch; undefined when the date does not
 * exist or `zoneOffset`, which returns an abbreviation's seconds east of UTC, does not know the
 * zone.
 */
export function instantOf(reading: TimeParts, zoneOffset: (name: string) => number | undefined): bigint | undefined {
  const day = dayOf(reading);
  if (day === undefined) return undefined;
  let { hour } = reading;
  if (reading.half === 'pm' && hour < 12) hour += 12;
  else if (reading.half === 'am' && hour === 12) hour = 0;
  // "UTC" in the text overrides an offset; an offset overrides any other abbreviation.
  const { zone } = reading;
  const offset = zone === 'UTC' ? 0 : (reading.offset ?? (zone === '' ? 0 : zoneOffset(zone)));
  if (offset === undefined) return undefined;
  const inDay = hour * 3600 + reading.minute * 60 + reading.second - offset;
  if (reading.second === 60 && (day * secondsPerDay + inDay) % secondsPerDay !== 0) return undefined;
  return toNanoseconds(day * secondsPerDay + inDay, reading.nanosecond);
}

/**
 * Days since the epoch; a day of the year must agree with the month and day if these were given
 * too.
 */
function dayOf({ year, month, day, yearDay }: TimeParts): number | undefined {
  if (yearDay === undefined) {
    const [m, d] = [month ?? 1, day ?? 1];
    return d >= 1 && d <= daysInMonth(year, m) ? daysFromCivil(year, m, d) : undefined;
  }
  if (yearDay < 1 || yearDay > (isLeapYear(year) ? 366 : 365)) return undefined;
  const days = daysFromCivil(year, 1, 1) + yearDay - 1;
  const date = civilFromDays(days);
  return (month ?? date.month) === date.month && (day ?? date.day) === date.day ? days : undefined;
}

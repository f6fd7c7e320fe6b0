import type { Plain } from '../functions.js';
import { wrap } from '../values.js';
import type { Type } from '../values.js';

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

/** When the queries of tests run (`testNow`). */
const NOW = BigInt(Date.UTC(2024, 5, 15, 12)) * 1_000_000n;

const fitOrNull = (value: bigint): bigint | null => (wrap(value) === value ? value : null);

const isClock = (hour: bigint, minute: bigint, second: number): boolean =>
  hour >= 0n && hour < 24n && minute >= 0n && minute < 60n && second >= 0 && second < 60;

const clock = (hour: bigint, minute: bigint, second: number): bigint =>
  hour * HOUR + minute * MINUTE + BigInt(Math.round(second * 1e9));

function madeDatetime(year: bigint, month: bigint, day: bigint, hour = 0n, minute = 0n, second = 0): bigint | null {
  if (year < 1000n || year > 3000n || month < 1n || month > 12n || day < 1n || day > 31n) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (date.getUTCDate() !== Number(day) || !isClock(hour, minute, second)) return null;
  return fitOrNull(BigInt(date.getTime()) * 1_000_000n + clock(hour, minute, second));
}

const madeTimespan = (day: bigint, hour: bigint, minute: bigint, second: number): bigint | null =>
  day >= 0n && day <= 106_750n && isClock(hour, minute, second) ? day * DAY + clock(hour, minute, second) : null;

const at = (value: Type, size: Type): Plain => ({
  params: [value, size, value],
  returns: value,
  of: (whole: bigint, width: bigint, fixed: bigint) =>
    width <= 0n ? null : fitOrNull(whole - ((((whole - fixed) % width) + width) % width)),
});

const names = {
  MMMM: 'January February March April May June July August September October November December'.split(' '),
  dddd: 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' '),
};

/** The value of each letter of a format, and how it is written. */
type Letters = Readonly<Record<string, (count: number) => string>>;

const digits = (value: number | bigint) => (count: number) => String(value).padStart(count, '0');
const fraction = (below: bigint) => (count: number) => below.toString().padStart(9, '0').slice(0, count);

/**
 * A format in which each run of a letter is written as the table says, and anything else as it is.
 */
const formatTime = (format: string, letters: Letters): string =>
  format.replaceAll(/([A-Za-z])\1*/g, (run) => letters[run[0]!]?.(run.length) ?? run);

function datetimeLetters(instant: bigint): Letters {
  const below = ((instant % SECOND) + SECOND) % SECOND;
  const date = new Date(Number((instant - below) / 1_000_000n));
  const hour = date.getUTCHours();
  const pickName = (all: readonly string[], index: number) => (count: number) =>
    count === 4 ? all[index]! : all[index]!.slice(0, 3);
  const month = pickName(names.MMMM, date.getUTCMonth());
  const weekday = pickName(names.dddd, date.getUTCDay());
  const year = date.getUTCFullYear();
  return {
    y: (count) => digits(count === 4 ? year : year % 100)(count),
    M: (count) => (count > 2 ? month(count) : digits(date.getUTCMonth() + 1)(count)),
    d: (count) => (count > 2 ? weekday(count) : digits(date.getUTCDate())(count)),
    H: digits(hour),
    h: digits(((hour + 11) % 12) + 1),
    m: digits(date.getUTCMinutes()),
    s: digits(date.getUTCSeconds()),
    t: () => (hour < 12 ? 'AM' : 'PM'),
    f: fraction(below),
    F: (count) => fraction(below)(count).replace(/0+$/, ''),
  };
}

const timespanLetters = (size: bigint): Letters => ({
  d: digits(size / DAY),
  H: digits((size / HOUR) % 24n),
  h: digits((size / HOUR) % 24n),
  m: digits((size / MINUTE) % 60n),
  s: digits((size / SECOND) % 60n),
  f: fraction(size % SECOND),
  F: (count) => fraction(size % SECOND)(count).replace(/0+$/, ''),
});

/** Functions that make times, round them to other starts, or write them. */
export const timeMakingFunctions: Readonly<Record<string, readonly Plain[]>> = {
  now: [
    { params: [], returns: 'datetime', of: () => NOW },
    { params: ['timespan'], returns: 'datetime', of: (span: bigint) => fitOrNull(NOW + span) },
  ],
  ago: [{ params: ['timespan'], returns: 'datetime', of: (span: bigint) => fitOrNull(NOW - span) }],
  unixtime_nanoseconds_todatetime: [{ params: ['long'], returns: 'datetime', of: (count: bigint) => count }],
  make_datetime: [
    { params: ['long', 'long', 'long', 'long', 'long', 'real'], optional: 3, returns: 'datetime', of: madeDatetime },
  ],
  make_timespan: [
    {
      params: ['long', 'long', 'real'],
      optional: 2,
      returns: 'timespan',
      of: (hour: bigint, minute: bigint, second = 0) => madeTimespan(0n, hour, minute, second),
    },
    { params: ['long', 'long', 'long', 'real'], returns: 'timespan', of: madeTimespan },
  ],
  bin_at: [
    at('datetime', 'timespan'),
    at('long', 'long'),
    at('timespan', 'timespan'),
    {
      params: ['real', 'real', 'real'],
      returns: 'real',
      of: (value: number, size: number, fixed: number) => fixed + Math.floor((value - fixed) / size) * size,
    },
  ],
  format_datetime: [
    {
      params: ['datetime', 'string'],
      returns: 'string',
      of: (instant: bigint, format: string) => formatTime(format, datetimeLetters(instant)),
    },
  ],
  format_timespan: [
    {
      params: ['timespan', 'string'],
      returns: 'string',
      of: (span: bigint, format: string) =>
        span < 0n ? `-${formatTime(format, timespanLetters(-span))}` : formatTime(format, timespanLetters(span)),
    },
  ],
};

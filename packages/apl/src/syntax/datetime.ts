import { fitsInt64 } from '../int64.js';
import { MILLISECOND, SECOND } from '../nanoseconds.js';
import { floorTo } from '../floor.js';

const DATETIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads an ISO 8601 datetime: `2024-01-15`, `2024-01-15 10:00`, `2024-01-15T10:00:00.123456789+02:00`. Without an offset it
 * is UTC. Returns nanoseconds since 1970, or undefined when the text has no such form or 64 bits cannot hold the value.
 */
export function parseDatetime(text: string): bigint | undefined {
  const time = readDatetime(text);
  return time !== undefined && fitsInt64(time) ? time : undefined;
}

/** Like `parseDatetime` for all years from 1 to 9999, to tell a text that is no datetime from one that is out of range. */
export function readDatetime(text: string): bigint | undefined {
  const match = DATETIME.exec(text.trim());
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = offsetMinutes(match[8]);
  if (offset === undefined) return undefined;
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second;
  return BigInt(seconds) * SECOND + BigInt((match[7] ?? '').padEnd(9, '0'));
}

const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;

/** Reads a time without a date, `10:30` or `10:30:00.5`, as nanoseconds since midnight; undefined if it is none. */
export function parseClock(text: string): bigint | undefined {
  const match = CLOCK.exec(text.trim());
  if (match === null) return undefined;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return BigInt(hour * 3600 + minute * 60 + second) * SECOND + BigInt((match[4] ?? '').padEnd(9, '0'));
}

/** A datetime as answers have it: RFC 3339 in UTC with as many fractional digits as it takes. */
export function datetimeText(nanoseconds: bigint): string {
  const start = floorTo(nanoseconds, SECOND);
  const below = nanoseconds - start;
  const seconds = new Date(Number(start / MILLISECOND)).toISOString().slice(0, 19);
  const fraction = below === 0n ? '' : `.${below.toString().padStart(9, '0').replace(/0+$/, '')}`;
  return `${seconds}${fraction}Z`;
}

function offsetMinutes(text: string | undefined): number | undefined {
  if (text === undefined || text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar. `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round(date.getTime() / 86_400_000);
}

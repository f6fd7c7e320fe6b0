import { parseTimestampText } from '@millrace/timestamps';
import { fitsInt64 } from '../../model/int64.js';
import { MILLISECOND, SECOND } from '../../model/nanoseconds.js';
import { floorTo } from '../../model/floor.js';

/**
 * Reads a datetime as ingest does: `2024-01-15`, `2024-01-15T10:00:00.123456789+02:00`,
 * `Mon, 15 Jan 2024 10:00:00 GMT`. Without an offset it is UTC. Returns nanoseconds since 1970, or
 * undefined when the text has no such form or 64 bits cannot hold the value.
 */
export function parseDatetime(text: string): bigint | undefined {
  const time = readDatetime(text);
  return time !== undefined && fitsInt64(time) ? time : undefined;
}

/**
 * Like `parseDatetime` for all years from 1 to 9999, to distinguish a text that is not a datetime
 * from one that is out of range. Digits alone are a number here.
 */
export const readDatetime = (text: string): bigint | undefined =>
  /^\s*[+-]?[\d.]*\s*$/.test(text) ? undefined : parseTimestampText(text);

/** Reads a year or a month as a literal may have it, `1990` or `2024-05`: its first moment. */
export function readYearOrMonth(text: string): bigint | undefined {
  const [, year, month = '01'] = /^\s*(\d{4})(?:-(\d\d))?\s*$/.exec(text) ?? [];
  return year === undefined ? undefined : parseTimestampText(`${year}-${month}-01`);
}

const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;

/**
 * Parses a time without a date, `10:30` or `10:30:00.5`, as nanoseconds since midnight; undefined
 * if it is not one.
 */
export function parseClock(text: string): bigint | undefined {
  const match = CLOCK.exec(text.trim());
  if (match === null) return undefined;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return BigInt(hour * 3600 + minute * 60 + second) * SECOND + BigInt((match[4] ?? '').padEnd(9, '0'));
}

/** Formats a datetime as in responses: RFC 3339 in UTC with as many fractional digits as needed. */
export function datetimeText(nanoseconds: bigint): string {
  const start = floorTo(nanoseconds, SECOND);
  const below = nanoseconds - start;
  const seconds = new Date(Number(start / MILLISECOND)).toISOString().slice(0, 19);
  const fraction = below === 0n ? '' : `.${below.toString().padStart(9, '0').replace(/0+$/, '')}`;
  return `${seconds}${fraction}Z`;
}

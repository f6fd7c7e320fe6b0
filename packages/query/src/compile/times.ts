import { parseTimestampText } from '@millrace/timestamps';
import { parseDuration } from '@millrace/http/duration';

/** Times of requests, in nanoseconds since the epoch. */

const relative = /^now\s*(?:([+-])\s*(\S+))?$/;

/**
 * Parses a time of a request: RFC 3339 and similar formats, `now`, `now-1h`. Undefined if it is
 * none of these, or if its year does not have four digits. The caller must recognize the zero time
 * that one client sends for "unset" (`isUnset`).
 */
export function parseTime(text: string, now: bigint): bigint | undefined {
  const time = anyTime(text.trim(), now);
  return time === undefined || time < firstTime || time > lastTime ? undefined : time;
}

/**
 * The years 0000 to 9999: responses repeat the requested range, and cannot represent other years.
 */
const [firstTime, lastTime] = [-62_167_219_200_000_000_000n, 253_402_300_799_999_999_999n];

function anyTime(text: string, now: bigint): bigint | undefined {
  const match = relative.exec(text);
  if (match === null) return parseTimestampText(text);
  const [, sign, offset] = match;
  if (offset === undefined) return now;
  const distance = parseDuration(offset);
  if (distance === undefined) return undefined;
  return sign === '-' ? now - distance : now + distance;
}

/** Whether a client means "not given": absent, null, empty, or Go's zero time. */
export const isUnset = (text: string | null | undefined): text is null | undefined | '' =>
  text === undefined || text === null || text.trim() === '' || text.startsWith('0001-01-01T00:00:00');

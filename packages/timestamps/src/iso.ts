import { daysFromCivil, daysInMonth, secondsPerDay, toNanoseconds } from './calendar.js';

/**
 * RFC 3339 and common similar formats, read straight from bytes:
 *
 *     date      = YYYY "-" MM "-" DD
 *     timestamp = date [ ("T" | "t" | " ") hh ":" mm [ ":" ss [ ("." | ",") digits ] ] [ zone ] ]
 *     zone      = [ " " ] ( "Z" | "z" | ("+" | "-") hh [ [ ":" ] mm ] )
 *
 * Without a zone the time is UTC. Digits beyond nanoseconds are cut off. Years 0001–9999. Second 60
 * is accepted only where a leap second can be, at 23:59:60 UTC, and counts as the next second, as
 * in POSIX.
 */

const zero = 0x30;
const colon = 0x3a;
const dash = 0x2d;
const plus = 0x2b;
const space = 0x20;
const scale = [1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1] as const;

/** Two digits as 0–99, anything else as a number above 99. */
function pair(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - zero;
  const ones = bytes[at + 1]! - zero;
  return tens >>> 0 <= 9 && ones >>> 0 <= 9 ? tens * 10 + ones : 1000;
}

/**
 * Nanoseconds since the epoch, or undefined when the bytes from `start` to `end` are not exactly
 * one timestamp of the grammar above.
 */
export function parseIso(bytes: Uint8Array, start: number, end: number): bigint | undefined {
  const length = end - start;
  if (length < 10 || bytes[start + 4] !== dash || bytes[start + 7] !== dash) return undefined;
  const year = pair(bytes, start) * 100 + pair(bytes, start + 2);
  const month = pair(bytes, start + 5);
  const day = pair(bytes, start + 8);
  if (year > 9999 || year === 0 || month === 0 || month > 12) return undefined;
  if (day === 0 || (day > 28 && day > daysInMonth(year, month))) return undefined;
  let seconds = daysFromCivil(year, month, day) * secondsPerDay;
  if (length === 10) return toNanoseconds(seconds, 0);

  const mark = bytes[start + 10]!;
  if (length < 16 || (mark !== 0x54 && mark !== space && mark !== 0x74) || bytes[start + 13] !== colon)
    return undefined;
  const hour = pair(bytes, start + 11);
  const minute = pair(bytes, start + 14);
  if (hour > 23 || minute > 59) return undefined;
  seconds += hour * 3600 + minute * 60;

  let at = start + 16;
  let second = 0;
  let nanoseconds = 0;
  if (at < end && bytes[at] === colon) {
    if (at + 3 > end) return undefined;
    second = pair(bytes, at + 1);
    if (second > 60) return undefined;
    seconds += second;
    at += 3;
    if (at < end && (bytes[at] === 0x2e || bytes[at] === 0x2c)) {
      const first = ++at;
      for (let digit; at < end && (digit = bytes[at]! - zero) >>> 0 <= 9; at++) {
        if (at - first < 9) nanoseconds = nanoseconds * 10 + digit;
      }
      const digits = at - first;
      if (digits === 0) return undefined;
      if (digits < 9) nanoseconds *= scale[digits]!;
    }
  }
  if (at < end) {
    const offset = zoneOffset(bytes, at, end);
    if (offset === undefined) return undefined;
    seconds -= offset;
  }
  if (second === 60 && seconds % secondsPerDay !== 0) return undefined;
  return toNanoseconds(seconds, nanoseconds);
}

/** Seconds east of UTC. */
function zoneOffset(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  if (bytes[at] === space) at++;
  const length = end - at;
  const sign = bytes[at];
  if (sign === 0x5a || sign === 0x7a) return length === 1 ? 0 : undefined;
  if (sign !== plus && sign !== dash) return undefined;
  let minute = 0;
  if (length === 6 && bytes[at + 3] === colon) minute = pair(bytes, at + 4);
  else if (length === 5) minute = pair(bytes, at + 3);
  else if (length !== 3) return undefined;
  const hour = pair(bytes, at + 1);
  if (hour > 23 || minute > 59) return undefined;
  const offset = hour * 3600 + minute * 60;
  return sign === dash ? -offset : offset;
}

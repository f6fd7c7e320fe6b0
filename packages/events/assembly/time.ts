import { timeOfInteger, timeOfNumber, timeOfOther, timeOfText } from './host';
import { INTEGER, numberInteger, numberKind } from './number';

/**
 * The time of the current event: from the declared field, or else from `_time`, or else the ingest
 * time. Common forms, RFC 3339 and integers counted from 1970, are parsed here; the host parses
 * other forms and records the error of an invalid time.
 */

/** Result of the host for an invalid time. */
const NO_TIME: i64 = i64.MIN_VALUE;

const SECOND: i64 = 1_000_000_000;
/**
 * The whole seconds that can be stored, from 1900-01-01 to 2262-04-11; the host reports times
 * outside.
 */
const EARLIEST: i64 = -2_208_988_800;
const BEHIND: i64 = 9_223_372_036;

/** State of a time in the current event. */
const ABSENT: i32 = 0;
const GIVEN: i32 = 1;
const WRONG: i32 = 2;

let arrival: i64 = 0;
/** Whether the host reads all times, because their layout is declared. */
let hostReads: bool = false;
let declaredState: i32 = ABSENT;
let declaredTime: i64 = 0;
let fallbackState: i32 = ABSENT;
let fallbackTime: i64 = 0;

/** A body begins. */
export function beginTimes(arrivalTime: i64, ofLayout: bool): void {
  arrival = arrivalTime;
  hostReads = ofLayout;
}

/** An event begins. */
export function resetTime(): void {
  declaredState = ABSENT;
  fallbackState = ABSENT;
}

/** Whether the event has a time, even if it is only its arrival. */
export function hasTime(): bool {
  return declaredState == GIVEN || (declaredState == ABSENT && fallbackState != WRONG);
}

/** For an event without a time, whether it is the declared field that is wrong. */
export function isDeclaredWrong(): bool {
  return declaredState == WRONG;
}

/** The time of an event that has one. */
export function eventTime(): i64 {
  return declaredState == GIVEN ? declaredTime : fallbackState == GIVEN ? fallbackTime : arrival;
}

function setTime(declared: bool, time: i64): void {
  const state = time == NO_TIME ? WRONG : GIVEN;
  if (declared) {
    declaredState = state;
    declaredTime = time;
  } else {
    fallbackState = state;
    fallbackTime = time;
  }
}

/** A null counts as if the field were missing. */
export function clearTime(declared: bool): void {
  if (declared) declaredState = ABSENT;
  else fallbackState = ABSENT;
}

export function setTimeText(declared: bool, at: usize, length: usize): void {
  const known = !hostReads && parseIso(at, at + length);
  setTime(declared, known ? isoTime : timeOfText(declared, at, length));
}

/** Takes the time from the number read last, which is at `at`. */
export function setTimeNumber(declared: bool, at: usize, length: usize): void {
  if (numberKind() != INTEGER) {
    const read = !hostReads && readSeconds(at, length);
    setTime(declared, read ? epochTime : timeOfNumber(declared, at, length));
    return;
  }
  const value = numberInteger();
  const known = !hostReads && scaleEpoch(value);
  setTime(declared, known ? epochTime : timeOfInteger(declared, value));
}

export function setTimeOther(declared: bool, byte: i32): void {
  timeOfOther(declared, byte);
  setTime(declared, NO_TIME);
}

let epochTime: i64 = 0;
/** Integers from here on count nanoseconds. */
const NANOSECONDS_FROM: i64 = 100_000_000_000_000_000;

/**
 * Sets `epochTime` to the nanoseconds of an integer, whose magnitude determines its unit; false if
 * it cannot be stored, or is not a safe integer as a double.
 */
function scaleEpoch(value: i64): bool {
  const magnitude = value < 0 ? -value : value;
  if (magnitude >= NANOSECONDS_FROM) {
    epochTime = value;
    return value >= EARLIEST * SECOND;
  }
  if (magnitude > (1 << 53) - 1 || magnitude < 0) return false;
  const unit: i64 = magnitude < 100_000_000_000 ? SECOND : magnitude < 100_000_000_000_000 ? 1_000_000 : 1_000;
  const perSecond = SECOND / unit;
  if (value < EARLIEST * perSecond || value >= BEHIND * perSecond) return false;
  epochTime = value * unit;
  return true;
}

/**
 * Sets `epochTime` to a number of ten digits and a fraction of at most nine, which are seconds of a
 * present time; false for any other number.
 */
function readSeconds(at: usize, length: usize): bool {
  if (length < 12 || length > 20 || load<u8>(at, 10) != 0x2e) return false;
  let seconds: i64 = 0;
  let unit: i64 = SECOND;
  let nanoseconds: i64 = 0;
  for (let i: usize = 0; i < length; i++) {
    if (i == 10) continue;
    const digit = <u32>load<u8>(at + i) - 0x30;
    if (digit > 9) return false;
    if (i < 10) seconds = seconds * 10 + digit;
    else nanoseconds += digit * (unit /= 10);
  }
  epochTime = seconds * SECOND + nanoseconds;
  return seconds < BEHIND;
}

let isoTime: i64 = 0;

/** Two digits as 0–99, anything else as a number above 99. */
function pair(at: usize): i32 {
  const tens = <u32>load<u8>(at) - 0x30;
  const ones = <u32>load<u8>(at, 1) - 0x30;
  return tens <= 9 && ones <= 9 ? <i32>(tens * 10 + ones) : 1000;
}

function daysInMonth(year: i32, month: i32): i32 {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/**
 * Days since 1970-01-01 of a Gregorian date from the year 1 on; years begin in March here, so that
 * leap days come last.
 */
function daysFromCivil(year: i32, month: i32, day: i32): i32 {
  const y = month <= 2 ? year - 1 : year;
  const m = month <= 2 ? month + 9 : month - 3;
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468;
}

/**
 * Sets `isoTime` to the nanoseconds of an RFC 3339 time or a similar one; false if the bytes from
 * `start` to `end` are not such a time or it cannot be stored.
 *
 *     date      = YYYY "-" MM "-" DD
 *     timestamp = date [ ("T" | "t" | " ") hh ":" mm [ ":" ss [ ("." | ",") digits ] ] [ zone ] ]
 *     zone      = [ " " ] ( "Z" | "z" | ("+" | "-") hh [ [ ":" ] mm ] )
 *
 * Digits beyond nanoseconds are cut off. Second 60, which only a leap second has, is left to the
 * host.
 */
function parseIso(start: usize, end: usize): bool {
  const length = end - start;
  if (length < 10 || load<u8>(start, 4) != 0x2d || load<u8>(start, 7) != 0x2d) return false;
  const year = pair(start) * 100 + pair(start + 2);
  const month = pair(start + 5);
  const day = pair(start + 8);
  if (year > 9999 || year == 0 || month == 0 || month > 12) return false;
  if (day == 0 || (day > 28 && day > daysInMonth(year, month))) return false;
  const seconds = <i64>daysFromCivil(year, month, day) * 86_400;
  return length == 10 ? setIso(seconds, 0) : parseClock(start + 10, end, seconds);
}

function parseClock(start: usize, end: usize, midnight: i64): bool {
  const mark = load<u8>(start);
  if (end - start < 6 || (mark != 0x54 && mark != 0x20 && mark != 0x74) || load<u8>(start, 3) != 0x3a) return false;
  const hour = pair(start + 1);
  const minute = pair(start + 4);
  if (hour > 23 || minute > 59) return false;
  let seconds = midnight + hour * 3600 + minute * 60;
  let nanoseconds: i64 = 0;
  let at = start + 6;
  if (at < end && load<u8>(at) == 0x3a) {
    const second = pair(at + 1);
    if (at + 3 > end || second > 59) return false;
    seconds += second;
    at += 3;
    if (at < end && (load<u8>(at) == 0x2e || load<u8>(at) == 0x2c)) {
      const first = ++at;
      let unit: i64 = 100_000_000;
      for (let digit: u32; at < end && (digit = <u32>load<u8>(at) - 0x30) <= 9; at++) {
        nanoseconds += unit * digit;
        unit /= 10;
      }
      if (at == first) return false;
    }
  }
  if (at == end) return setIso(seconds, nanoseconds);
  const offset = zoneOffset(at, end);
  return offset != NO_ZONE && setIso(seconds - offset, nanoseconds);
}

const NO_ZONE: i32 = i32.MAX_VALUE;

/** Seconds east of UTC. */
function zoneOffset(start: usize, end: usize): i32 {
  const at = load<u8>(start) == 0x20 ? start + 1 : start;
  const length = end - at;
  const sign = length > 0 ? load<u8>(at) : 0;
  if (sign == 0x5a || sign == 0x7a) return length == 1 ? 0 : NO_ZONE;
  if (sign != 0x2b && sign != 0x2d) return NO_ZONE;
  let minute = 0;
  if (length == 6 && load<u8>(at, 3) == 0x3a) minute = pair(at + 4);
  else if (length == 5) minute = pair(at + 3);
  else if (length != 3) return NO_ZONE;
  const hour = pair(at + 1);
  if (hour > 23 || minute > 59) return NO_ZONE;
  const offset = hour * 3600 + minute * 60;
  return sign == 0x2d ? -offset : offset;
}

function setIso(seconds: i64, nanoseconds: i64): bool {
  isoTime = seconds * SECOND + nanoseconds;
  return seconds >= EARLIEST && seconds < BEHIND;
}

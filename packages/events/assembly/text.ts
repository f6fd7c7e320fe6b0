import { Bytes } from './bytes';
import { writeAscii } from './memory';
import { fail, setRepaired, sourceEnd } from './source';
import { copyCharacter, pushReplacement, sequenceLength, writeCodePoint } from './utf8';

/**
 * Reads JSON strings, sixteen bytes per step. A text without escapes stays where it is; one with
 * escapes or broken UTF-8 is rewritten. Bytes that are not valid text become U+FFFD, one per
 * maximal broken sequence as in the WHATWG decoder, and so does a lone surrogate escape: real logs
 * hold broken bytes, and the rest of the event is worth keeping.
 */

const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;

/**
 * The text read last: the address of its bytes, valid until the next one is read, and their number.
 */
let at: usize = 0;
let length: usize = 0;
let scratch: Bytes = new Bytes(0);
/** A cell with its doubled quotes undone, before it is repaired. */
let unquoted: Bytes = new Bytes(0);

export function textAt(): usize {
  return at;
}

export function textLength(): usize {
  return length;
}

/** A body begins. */
export function beginTexts(): void {
  scratch = new Bytes(256);
  unquoted = new Bytes(256);
}

/** Which of sixteen bytes are quotes, backslashes, control characters or not ASCII. */
function specialIn(bytes: v128): i32 {
  const marks = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c)));
  // Signed comparison: bytes that are not ASCII are negative.
  return i8x16.bitmask(v128.or(marks, i8x16.lt_s(bytes, i8x16.splat(0x20))));
}

/**
 * Reads the string whose opening quote is just before `start`; returns the address after the
 * closing quote, or 0.
 */
export function readText(start: usize): usize {
  let i = start;
  while (true) {
    const special = specialIn(v128.load(i));
    if (special == 0) {
      i += 16;
      continue;
    }
    i += ctz(special);
    const byte = load<u8>(i);
    if (byte == QUOTE) {
      at = start;
      length = i - start;
      return i + 1;
    }
    const sequence = byte >= 0x80 ? sequenceLength(i) : 0;
    if (sequence <= 0) return rewrite(start, i);
    i += sequence;
  }
}

/** Reads the rest of a string from `from` on while rewriting all of it. */
function rewrite(start: usize, from: usize): usize {
  scratch.clear();
  scratch.push(start, from - start);
  let i = from;
  while (true) {
    const bytes = v128.load(i);
    v128.store(scratch.reserve(16), bytes);
    const special = specialIn(bytes);
    if (special == 0) {
      i += 16;
      scratch.end += 16;
      continue;
    }
    const plain = ctz(special);
    i += plain;
    scratch.end += plain;
    const byte = load<u8>(i);
    if (byte == QUOTE) {
      setToScratch();
      return i + 1;
    }
    i = byte >= 0x80 ? copyCharacter(i, sourceEnd(), scratch) : byte == BACKSLASH ? readEscape(i) : failAt(i);
    if (i == 0) return 0;
  }
}

function failAt(place: usize): usize {
  if (place >= sourceEnd()) return fail(place, 'the closing quote of a string');
  return fail(place, 'a control character to be escaped or the closing quote of a string');
}

function readEscape(backslash: usize): usize {
  const letter = load<u8>(backslash, 1);
  // A slash needs no escape, and most other characters that need one have a shorter form.
  if (letter == 0x2f || letter == 0x75) setRepaired(true);
  const simple = simpleEscape(letter);
  if (simple != 0) {
    scratch.push8(simple);
    return backslash + 2;
  }
  if (letter != 0x75) return fail(backslash + 1, 'one of "\\/bfnrtu behind a backslash');
  const unit = hex4(backslash + 2);
  if (unit < 0) return fail(backslash + 2, 'four hexadecimal digits behind \\u');
  if (unit < 0xd800 || unit > 0xdfff) {
    scratch.end = writeCodePoint(scratch.reserve(4), unit);
    return backslash + 6;
  }
  const paired = unit < 0xdc00 && load<u8>(backslash, 6) == BACKSLASH && load<u8>(backslash, 7) == 0x75;
  const low = paired ? hex4(backslash + 8) : -1;
  if (low >= 0xdc00 && low <= 0xdfff) {
    scratch.end = writeCodePoint(scratch.reserve(4), 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
    return backslash + 12;
  }
  pushReplacement(scratch);
  return backslash + 6;
}

/** The byte of an escape letter; 0 for `u` and for letters that are not an escape. */
function simpleEscape(letter: u8): u8 {
  switch (letter) {
    case 0x22:
    case 0x5c:
    case 0x2f:
      return letter;
    case 0x62:
      return 8;
    case 0x66:
      return 12;
    case 0x6e:
      return 10;
    case 0x72:
      return 13;
    case 0x74:
      return 9;
    default:
      return 0;
  }
}

function hex4(from: usize): i32 {
  let unit = 0;
  for (let i = from; i < from + 4; i++) {
    const byte: i32 = load<u8>(i);
    const letter = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) unit = unit * 16 + byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) unit = unit * 16 + letter - 0x57;
    else return -1;
  }
  return unit;
}

/** Copies the bytes from `start` to `end` as the current text, with U+FFFD for invalid UTF-8. */
export function repairText(start: usize, end: usize): void {
  let i = start;
  while (i < end && (load<u8>(i) < 0x80 || sequenceFits(i, end))) i += load<u8>(i) < 0x80 ? 1 : sequenceLength(i);
  at = start;
  length = i - start;
  if (i == end) return;
  scratch.clear();
  scratch.push(start, i - start);
  while (i < end) {
    if (load<u8>(i) >= 0x80) i = copyCharacter(i, end, scratch);
    else scratch.push8(load<u8>(i++));
  }
  setToScratch();
}

function sequenceFits(place: usize, end: usize): bool {
  const sequence = sequenceLength(place);
  return sequence > 0 && place + sequence <= end;
}

function setToScratch(): void {
  at = scratch.start;
  length = scratch.end - scratch.start;
}

/**
 * Copies the bytes from `start` to `end` as the current text, replacing each doubled quote by a
 * single one.
 */
export function singleQuotes(start: usize, end: usize): void {
  unquoted.clear();
  for (let i = start; i < end; i++) {
    unquoted.push8(load<u8>(i));
    if (load<u8>(i) == QUOTE) i++;
  }
  setText(unquoted.start, unquoted.length);
}

/**
 * Shortens the text to `max` bytes: its beginning, and a note with the bytes that it had, which the
 * host writes in `shortenedText`.
 */
export function shortenText(max: usize): void {
  const had = length;
  const begin = '<invalid string: too long, ';
  const end = ' bytes>';
  const note = begin.length + digitsOf(had) + end.length;
  let kept: usize = max > <usize>note ? max - note : 0;
  // A character is kept whole.
  while (kept > 0 && (load<u8>(at + kept) & 0xc0) == 0x80) kept--;
  if (at == scratch.start) scratch.end = scratch.start + kept;
  else {
    scratch.clear();
    scratch.push(at, kept);
  }
  let to = scratch.reserve(note);
  to += writeAscii(to, begin);
  let left = had;
  for (let place = to + digitsOf(had); place > to; left /= 10) store<u8>(--place, <u8>(0x30 + (left % 10)));
  to += digitsOf(had);
  scratch.end = to + writeAscii(to, end);
  setToScratch();
}

function digitsOf(value: usize): i32 {
  let digits = 1;
  for (let left = value; left >= 10; left /= 10) digits++;
  return digits;
}

/** Makes the bytes at `from` the text. */
export function setText(from: usize, bytes: usize): void {
  at = from;
  length = bytes;
}

import { isCanonicalNumber, writeNumber } from './canonical-number';
import { Bytes, pushAscii } from './bytes';
import { addMember, clearMembers, keepLast, memberCount } from './key-names';
import { NONE, beginsNumber, numberKind, readNumber } from './number';
import { skipSpace } from './source';
import { readText, textAt, textLength } from './text';

/**
 * Appends to `out` the text of the valid value at `at` in the form in which all equal values are
 * stored: without white space and needless escapes, of members of one name only the last, numbers
 * in one form, U+FFFD for invalid text, null for numbers beyond double and for anything deeper than
 * `depth` levels. Returns the address after the value.
 */
export function writeCanonical(at: usize, depth: usize, out: Bytes): usize {
  clearMembers();
  return writeValue(at, depth, out);
}

function writeValue(at: usize, depth: usize, out: Bytes): usize {
  const byte = load<u8>(at);
  if (byte == 0x22) {
    const next = readText(at + 1);
    writeText(at + 1, out);
    return next;
  }
  if (beginsNumber(byte)) {
    const next = readNumber(at);
    if (isCanonicalNumber(at, next)) out.push(at, next - at);
    else if (numberKind() == NONE) pushAscii(out, 'null');
    else writeNumber(at, next, out);
    return next;
  }
  if (byte == 0x7b || byte == 0x5b) {
    if (depth == 0) {
      pushAscii(out, 'null');
      return behindNested(at);
    }
    return byte == 0x7b ? writeObject(at, depth - 1, out) : writeArray(at, depth - 1, out);
  }
  const word = byte == 0x74 ? 'true' : byte == 0x66 ? 'false' : 'null';
  pushAscii(out, word);
  return at + word.length;
}

function writeArray(at: usize, depth: usize, out: Bytes): usize {
  out.push8(0x5b);
  let i = skipSpace(at + 1);
  while (load<u8>(i) != 0x5d) {
    i = skipSpace(writeValue(i, depth, out));
    if (load<u8>(i) != 0x2c) continue;
    out.push8(0x2c);
    i = skipSpace(i + 1);
  }
  out.push8(0x5d);
  return i + 1;
}

function writeObject(at: usize, depth: usize, out: Bytes): usize {
  const first = memberCount();
  out.push8(0x7b);
  let i = skipSpace(at + 1);
  while (load<u8>(i) != 0x7d) {
    const start = out.length;
    const colon = skipSpace(readText(i + 1));
    writeText(i + 1, out);
    const name = out.length - start;
    out.push8(0x3a);
    i = skipSpace(writeValue(skipSpace(colon + 1), depth, out));
    addMember(start, name, out.length, out);
    if (load<u8>(i) != 0x2c) continue;
    out.push8(0x2c);
    i = skipSpace(i + 1);
  }
  keepLast(first, out);
  out.push8(0x7d);
  return i + 1;
}

/** The address after an array or object of any depth. */
function behindNested(at: usize): usize {
  let level = 0;
  let i = at;
  while (true) {
    const byte = load<u8>(i);
    if (byte == 0x22) {
      i = readText(i + 1);
      continue;
    }
    i++;
    if (byte == 0x7b || byte == 0x5b) level++;
    else if ((byte == 0x7d || byte == 0x5d) && --level == 0) return i;
  }
}

/**
 * Appends the last parsed string, which began at `start`, as a JSON string. A string that was not
 * copied needs no escapes.
 */
function writeText(start: usize, out: Bytes): void {
  if (textAt() != start) return writeQuoted(out);
  out.push8(0x22);
  out.push(start, textLength());
  out.push8(0x22);
}

/** Appends the last parsed string as a quoted JSON string, escaping only where necessary. */
export function writeQuoted(out: Bytes): void {
  const end = textAt() + textLength();
  out.push8(0x22);
  for (let i = textAt(); i < end; i++) {
    const byte = load<u8>(i);
    if (byte >= 0x20 && byte != 0x22 && byte != 0x5c) out.push8(byte);
    else writeEscape(out, byte);
  }
  out.push8(0x22);
}

function writeEscape(out: Bytes, byte: u8): void {
  const short = byte >= 0x20 ? byte : shortEscape(byte);
  out.push8(0x5c);
  if (short != 0) {
    out.push8(short);
    return;
  }
  pushAscii(out, 'u00');
  out.push8(0x30 + (byte >> 4));
  out.push8((byte & 15) < 10 ? 0x30 + (byte & 15) : 0x57 + (byte & 15));
}

/** The short escape letter of a control character, or 0. */
function shortEscape(byte: u8): u8 {
  switch (byte) {
    case 8:
      return 0x62;
    case 9:
      return 0x74;
    case 10:
      return 0x6e;
    case 12:
      return 0x66;
    case 13:
      return 0x72;
    default:
      return 0;
  }
}

import { dropLongName, refuseValue } from './batch';
import { Bytes, pushAscii } from './bytes';
import { currentRow, Field, ARRAY_TYPE, BOOLEAN_TYPE, FLOAT_TYPE, INTEGER_TYPE, MAP_TYPE, STRING_TYPE } from './field';
import {
  ASIDE,
  DEFAULT_TIME,
  EVENT,
  KeyNode,
  LEFT_OUT,
  MORE,
  OTHER,
  PASSAGE,
  PLAIN,
  TIME,
  TOO_LONG,
  behindKey,
  findKey,
} from './keys';
import { INTEGER, NONE, UNSIGNED, beginsNumber, numberFloat, numberInteger, numberKind, readNumber } from './number';
import { writeCanonical } from './canonical';
import { beginOther } from './other-fields';
import { skipColon, skipValue, skipWord } from './skip';
import { fail, setRepaired, skipSpace, wasRepaired } from './source';
import { readText, setText, shortenText, textAt, textLength } from './text';
import { clearTime, setTimeNumber, setTimeOther, setTimeText } from './time';

/**
 * Parses one event from its bytes directly into columns. Objects are flattened to dotted names;
 * later values of a name win. Every parsing function takes an address and returns the address after
 * the parsed part, or 0 after a failure.
 */

const NO_LIMIT: usize = usize.MAX_VALUE;

let deepest: usize = 0;
let longest: usize = 0;
/** The text of an array or object that had to be rewritten, and of the empty object. */
let whole: Bytes = new Bytes(0);
let emptyObject: Bytes = new Bytes(0);

/** A body begins; the event itself is level 1. */
export function beginEvents(mostLevels: usize, longestValue: usize): void {
  deepest = mostLevels;
  longest = longestValue;
  whole = new Bytes(256);
  emptyObject = new Bytes(2);
  pushAscii(emptyObject, '{}');
}

/** Whether the event of the current envelope has been met. */
let isMet: bool = false;

/** An envelope begins. */
export function beginEnvelope(): void {
  isMet = false;
}

/** Whether the envelope has an event. */
export function hasEvent(): bool {
  return isMet;
}

/** Reads the object whose `{` is just before `at`. */
export function readObjectOf(root: KeyNode, at: usize): usize {
  const first = skipSpace(at);
  return load<u8>(first) == 0x7d ? first + 1 : readMembers(root, first, 1);
}

/** Reads the members of an object that is not empty, from the first key on. */
function readMembers(parent: KeyNode, at: usize, depth: usize): usize {
  let i = at;
  let last: KeyNode | null = null;
  let guess = parent.first;
  while (true) {
    if (load<u8>(i) != 0x22) {
      return fail(i, last == null ? "a field name in quotes or '}'" : 'a field name in quotes');
    }
    i++;
    let node = guess;
    if (node != null && node.matches(i)) {
      i += node.keyLength;
    } else {
      node = findKey(parent, i);
      if (node == null) return 0;
      i = behindKey();
      if (last == null) parent.first = node;
      else last.next = node;
    }
    if (load<u8>(i) == 0x3a && load<u8>(i, 1) > 0x20) i++;
    else i = skipColon(i);
    if (i == 0) return 0;
    if (node.role != PLAIN) i = readSpecial(node, i, depth);
    else if (load<u8>(i) == 0x7b) i = readObject(node, i, depth);
    else i = readValue(node, i, depth);
    if (i == 0) return 0;
    last = node;
    guess = node.next;
    let byte = load<u8>(i);
    if (byte != 0x2c && byte != 0x7d) {
      i = skipSpace(i);
      byte = load<u8>(i);
    }
    if (byte == 0x7d) return i + 1;
    if (byte != 0x2c) return fail(i, "',' or '}'");
    i = skipSpace(i + 1);
  }
}

function readObject(node: KeyNode, at: usize, depth: usize): usize {
  if (depth >= deepest) return readNothing(node, at);
  const first = skipSpace(at + 1);
  if (load<u8>(first) != 0x7d) return readMembers(node, first, depth + 1);
  storeEmptyObject(node.field);
  return first + 1;
}

/** Reads a value that is not an object. */
function readValue(node: KeyNode, at: usize, depth: usize): usize {
  const byte = load<u8>(at);
  const field = node.field;
  if (byte == 0x22) {
    if (!field.allows(STRING_TYPE)) return refuse(field, at, STRING_TYPE);
    const next = readText(at + 1);
    if (next == 0) return 0;
    if (textLength() > longest) shortenText(longest);
    storeString(field);
    return next;
  }
  if (beginsNumber(byte)) return readNumberOf(field, at);
  if (byte == 0x74 || byte == 0x66) return readBoolean(field, at, byte == 0x74);
  if (byte == 0x6e) {
    field.clear();
    return skipWord(at, 'null', 'the word null');
  }
  if (byte != 0x5b) return fail(at, 'a value');
  if (depth >= deepest) return readNothing(node, at);
  if (!field.allows(ARRAY_TYPE)) return refuse(field, at, ARRAY_TYPE);
  return readWhole(field, at, depth, ARRAY_TYPE);
}

/** Stores the text read last as the field's string in the current event. */
export function storeString(field: Field): void {
  field.begin();
  const column = field.stringColumn();
  column.push(currentRow(), textAt(), textLength());
  field.end(column);
}

function readBoolean(field: Field, at: usize, value: bool): usize {
  const next = value ? skipWord(at, 'true', 'the word true') : skipWord(at, 'false', 'the word false');
  if (next == 0) return 0;
  if (!field.allows(BOOLEAN_TYPE)) {
    refuseValue(field, BOOLEAN_TYPE);
    return next;
  }
  field.begin();
  const column = field.booleanColumn();
  column.pushBoolean(currentRow(), value);
  field.end(column);
  return next;
}

function readNumberOf(field: Field, at: usize): usize {
  const next = readNumber(at);
  if (next == 0) return 0;
  const kind = numberKind();
  if (kind == NONE) {
    field.clear();
  } else if (kind == INTEGER && field.allows(INTEGER_TYPE)) {
    field.begin();
    const column = field.integerColumn();
    column.pushInteger(currentRow(), numberInteger());
    field.end(column);
  } else if (kind == UNSIGNED && field.allows(STRING_TYPE)) {
    // Such numbers are IDs and hashes; a float would lose digits.
    setText(at, next - at);
    storeString(field);
  } else if (field.allows(FLOAT_TYPE)) {
    field.begin();
    const column = field.floatColumn();
    column.pushFloat(currentRow(), kind == INTEGER ? <f64>numberInteger() : numberFloat());
    field.end(column);
  } else {
    refuseValue(field, kind == INTEGER ? INTEGER_TYPE : FLOAT_TYPE);
  }
  return next;
}

/** Stores the text of an array or object. */
function readWhole(field: Field, at: usize, depth: usize, type: i32): usize {
  const levels = deepest - depth;
  setRepaired(false);
  const next = skipValue(at, levels);
  if (next == 0) return 0;
  setText(at, next - at);
  if (wasRepaired()) {
    whole.clear();
    writeCanonical(at, levels, whole);
    setText(whole.start, whole.length);
  }
  if (textLength() > longest) {
    storeTooLong(field, type);
    return next;
  }
  field.begin();
  const column = type == ARRAY_TYPE ? field.arrayColumn() : field.mapColumn();
  column.push(currentRow(), textAt(), textLength());
  field.end(column);
  return next;
}

/** An array or object over the limit becomes a string, the beginning of its JSON. */
function storeTooLong(field: Field, type: i32): void {
  if (!field.allows(STRING_TYPE)) {
    refuseValue(field, type);
    return;
  }
  shortenText(longest);
  storeString(field);
}

/** `{}` has no leaf to carry it, so its text is the value of the name it stands under. */
function storeEmptyObject(field: Field): void {
  if (!field.allows(ARRAY_TYPE | MAP_TYPE)) {
    refuseValue(field, MAP_TYPE);
    return;
  }
  field.begin();
  const column = field.arrayColumn();
  column.push(currentRow(), emptyObject.start, emptyObject.length);
  field.end(column);
}

/** Skips a value below the deepest level, which counts as null. */
function readNothing(node: KeyNode, at: usize): usize {
  node.field.clear();
  return skipValue(at, NO_LIMIT);
}

function refuse(field: Field, at: usize, type: i32): usize {
  refuseValue(field, type);
  return skipValue(at, NO_LIMIT);
}

/** Reads the value of a key that is not an ordinary field. */
function readSpecial(node: KeyNode, at: usize, depth: usize): usize {
  if (node.role == TIME || node.role == DEFAULT_TIME) return readTime(node.role == TIME, at);
  if (node.role == TOO_LONG) {
    if (load<u8>(at) != 0x6e) dropLongName(node.id);
    return skipValue(at, NO_LIMIT);
  }
  if (node.role == OTHER) return readOther(node, at, depth);
  if (node.role == PASSAGE) {
    const isObject = load<u8>(at) == 0x7b && depth < deepest && load<u8>(skipSpace(at + 1)) != 0x7d;
    return isObject ? readObject(node, at, depth) : readOther(node, at, depth);
  }
  if (node.role >= EVENT) return readEnveloped(node, at, depth);
  // The only role left is a map field.
  if (load<u8>(at) != 0x7b) return readValue(node, at, depth);
  if (depth >= deepest) return readNothing(node, at);
  const field = node.field;
  return field.allows(MAP_TYPE) ? readWhole(field, at, depth, MAP_TYPE) : refuse(field, at, MAP_TYPE);
}

/**
 * Parses the value of a member of an envelope. Members of the event are on the same level as
 * members of the envelope.
 */
function readEnveloped(node: KeyNode, at: usize, depth: usize): usize {
  const byte = load<u8>(at);
  if (node.role == EVENT) isMet = true;
  if (node.role == LEFT_OUT || (node.role == ASIDE && isMet && node.field.isSet)) return skipValue(at, NO_LIMIT);
  if (node.role == ASIDE) return byte == 0x7b ? readObject(node, at, depth) : readValue(node, at, depth);
  if (byte == 0x7b) {
    const first = skipSpace(at + 1);
    return load<u8>(first) == 0x7d ? first + 1 : readMembers(node, first, depth);
  }
  if (node.role == MORE) return skipValue(at, NO_LIMIT);
  if (byte != 0x22 || load<u8>(at, 1) == 0x22) return fail(at, 'an event, which is an object or a text');
  return readValue(node, at, depth);
}

/** Parses a value whose name exceeds the number of names per body. */
function readOther(node: KeyNode, at: usize, depth: usize): usize {
  if (load<u8>(at) == 0x6e) return skipWord(at, 'null', 'the word null');
  const levels = deepest - depth;
  setRepaired(false);
  const next = skipValue(at, levels);
  if (next == 0) return 0;
  const out = beginOther(node.id);
  if (wasRepaired()) writeCanonical(at, levels, out);
  else out.push(at, next - at);
  return next;
}

function readTime(declared: bool, at: usize): usize {
  const byte = load<u8>(at);
  if (byte == 0x22) {
    const next = readText(at + 1);
    if (next != 0) setTimeText(declared, textAt(), textLength());
    return next;
  }
  if (beginsNumber(byte)) {
    const next = readNumber(at);
    if (next == 0) return 0;
    if (numberKind() == NONE) clearTime(declared);
    else setTimeNumber(declared, at, next - at);
    return next;
  }
  if (byte == 0x6e) {
    clearTime(declared);
    return skipWord(at, 'null', 'the word null');
  }
  setTimeOther(declared, byte);
  return skipValue(at, NO_LIMIT);
}

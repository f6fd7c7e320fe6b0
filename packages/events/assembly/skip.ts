import { Bytes } from './bytes';
import { isCanonicalNumber } from './canonical-number';
import { addName, clearNames, closeNames, openNames } from './key-names';
import { INTEGER, beginsNumber, numberKind, readNumber } from './number';
import { fail, setRepaired, skipSpace } from './source';
import { readText, textAt, textLength } from './text';

/**
 * Maximum open brackets. No event has a thousand; a body of only brackets would otherwise need its
 * own size in memory again. Equals `MAX_OPEN` in limits.ts.
 */
const MAX_OPEN: usize = 1_000_000;

/** The closing brackets still expected, innermost last. */
let open: Bytes = new Bytes(0);

/** A body begins. */
export function beginSkipping(): void {
  open = new Bytes(128);
}

/**
 * Checks the value at `at` without storing anything; returns the address after it, or 0. It does
 * not recurse, so deep nesting is safe. Marks the source as repaired when the text of the value
 * cannot be stored as it is: broken UTF-8, lone surrogates, integers beyond int64, numbers beyond
 * double, or nesting beyond `depth` levels.
 */
export function skipValue(at: usize, depth: usize): usize {
  open.clear();
  clearNames();
  let i = at;
  while (true) {
    const byte = load<u8>(i);
    if (byte == 0x7b || byte == 0x5b) {
      if (open.length >= MAX_OPEN) return fail(i, 'a value with at most a million brackets open');
      open.push8(byte + 2);
      if (open.length > depth) setRepaired(true);
      if (byte == 0x7b) openNames();
      if (load<u8>(++i) <= 0x20) i = skipWhiteSpace(i);
      if (load<u8>(i) != byte + 2) {
        if (byte == 0x7b) i = skipKey(i, "a field name in quotes or '}'");
        if (i == 0) return 0;
        continue;
      }
      open.end--;
      if (byte == 0x7b) closeNames();
      i++;
    } else {
      i = skipScalar(i);
      if (i == 0) return 0;
    }
    while (true) {
      if (open.length == 0) return i;
      const closing = load<u8>(open.end - 1);
      if (load<u8>(i) <= 0x20) i = skipWhiteSpace(i);
      if (load<u8>(i) == 0x2c) {
        if (load<u8>(++i) <= 0x20) i = skipWhiteSpace(i);
        if (closing == 0x7d) i = skipKey(i, 'a field name in quotes');
        if (i == 0) return 0;
        break;
      }
      if (load<u8>(i) != closing) return fail(i, closing == 0x7d ? "',' or '}'" : "',' or ']'");
      open.end--;
      if (closing == 0x7d) closeNames();
      i++;
    }
  }
}

/** The first address from `at` on that does not hold white space, which marks the source. */
function skipWhiteSpace(at: usize): usize {
  const next = skipSpace(at);
  if (next != at) setRepaired(true);
  return next;
}

/** Skips `"key" :` and the white space after it. */
function skipKey(at: usize, expected: string): usize {
  if (load<u8>(at) != 0x22) return fail(at, expected);
  const behind = readText(at + 1);
  if (behind == 0) return 0;
  // A name with escapes has been read into memory that the next one takes.
  if (textAt() != at + 1 || addName(at + 1, textLength())) setRepaired(true);
  if (load<u8>(behind) == 0x3a && load<u8>(behind, 1) > 0x20) return behind + 1;
  setRepaired(true);
  return skipColon(behind);
}

/** Skips the colon after a key, and the white space around it. */
export function skipColon(at: usize): usize {
  const colon = skipSpace(at);
  if (load<u8>(colon) != 0x3a) return fail(colon, "':' behind a field name");
  return skipSpace(colon + 1);
}

function skipScalar(at: usize): usize {
  const byte = load<u8>(at);
  if (byte == 0x22) return readText(at + 1);
  if (beginsNumber(byte)) {
    const next = readNumber(at);
    const isPlain = numberKind() == INTEGER && byte != 0x2d;
    if (next != 0 && !isPlain && !isCanonicalNumber(at, next)) setRepaired(true);
    return next;
  }
  if (byte == 0x74) return skipWord(at, 'true', 'the word true');
  if (byte == 0x66) return skipWord(at, 'false', 'the word false');
  if (byte == 0x6e) return skipWord(at, 'null', 'the word null');
  return fail(at, 'a value');
}

/** Skips `true`, `false` or `null`, whose first letter has been checked. */
export function skipWord(at: usize, word: string, expected: string): usize {
  const length = word.length;
  for (let k = 1; k < length; k++) if (load<u8>(at + k) != word.charCodeAt(k)) return fail(at + k, expected);
  return at + length;
}

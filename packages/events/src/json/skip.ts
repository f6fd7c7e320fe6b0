import type { GrowingBytes } from '../columns/bytes.js';
import { isWideInteger, NumberValue, readNumber } from './number.js';
import { skipSpace, type Source } from './source.js';
import { readText } from './text.js';

const number = new NumberValue();

/**
 * Checks the value at `at` without keeping anything; answers the position behind it, or -1. It does not recurse, so
 * nesting of any depth is safe. Sets `source.repaired` when the text of the value cannot be kept as it stands: broken
 * UTF-8, lone surrogates, integers beyond int64, numbers beyond double, or nesting beyond `depth` levels.
 */
export function skipValue(source: Source, at: number, depth: number, scratch: GrowingBytes): number {
  const { buffer: bytes } = source;
  /** Closing brackets to come, innermost last. */
  const open: number[] = [];
  let i = at;
  for (;;) {
    const byte = bytes[i];
    if (byte === 0x7b || byte === 0x5b) {
      open.push(byte + 2);
      if (open.length > depth) source.repaired = true;
      i = skipSpace(bytes, i + 1);
      if (bytes[i] !== byte + 2) {
        if (byte === 0x7b) i = skipKey(source, i, scratch, `a field name in quotes or '}'`);
        if (i < 0) return i;
        continue;
      }
      open.pop();
      i++;
    } else {
      i = skipScalar(source, i, scratch);
      if (i < 0) return i;
    }
    for (;;) {
      const closing = open.at(-1);
      if (closing === undefined) return i;
      i = skipSpace(bytes, i);
      if (bytes[i] === 0x2c) {
        i = skipSpace(bytes, i + 1);
        if (closing === 0x7d) i = skipKey(source, i, scratch, 'a field name in quotes');
        if (i < 0) return i;
        break;
      }
      if (bytes[i] !== closing) return source.fail(i, `',' or '${String.fromCharCode(closing)}'`);
      open.pop();
      i++;
    }
  }
}

/** `"key" :` and the white space behind. */
function skipKey(source: Source, at: number, scratch: GrowingBytes, expected: string): number {
  if (source.buffer[at] !== 0x22) return source.fail(at, expected);
  scratch.clear();
  const behind = readText(source, at + 1, scratch);
  return behind < 0 ? behind : skipColon(source, behind);
}

/** The colon behind a key, with white space around it. */
export function skipColon(source: Source, at: number): number {
  const colon = skipSpace(source.buffer, at);
  if (source.buffer[colon] !== 0x3a) return source.fail(colon, `':' behind a field name`);
  return skipSpace(source.buffer, colon + 1);
}

function skipScalar(source: Source, at: number, scratch: GrowingBytes): number {
  const byte = source.buffer[at]!;
  if (byte === 0x22) {
    scratch.clear();
    return readText(source, at + 1, scratch);
  }
  if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
    const next = readNumber(source, at, number);
    if (number.kind === 'none' || isWideInteger(source, at, next, number)) source.repaired = true;
    return next;
  }
  if (byte === 0x74) return skipWord(source, at, 'true');
  if (byte === 0x66) return skipWord(source, at, 'false');
  if (byte === 0x6e) return skipWord(source, at, 'null');
  return source.fail(at, 'a value');
}

/** `true`, `false` or `null`. */
export function skipWord(source: Source, at: number, word: 'true' | 'false' | 'null'): number {
  for (let k = 1; k < word.length; k++) {
    if (source.buffer[at + k] !== word.charCodeAt(k)) return source.fail(at + k, `the word ${word}`);
  }
  return at + word.length;
}

import type { GrowingBytes } from '../columns/bytes.js';
import { TOO_LONG } from '../limits.js';
import { copyMultibyte, writeCodePoint } from '../utf8.js';
import type { Source } from './source.js';

/**
 * Reads JSON strings: unescapes, checks UTF-8 and copies in one go, sixteen bytes a step while nothing special comes.
 * What is not text in the source becomes U+FFFD, one per maximal broken sequence as in the WHATWG decoder; a lone
 * surrogate escape likewise. Real logs hold broken bytes, and the rest of the event is worth keeping.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The byte behind a backslash → the byte it stands for; 0 for `u` and for what is no escape. */
const SIMPLE_ESCAPES = new Uint8Array(256);
for (const [letter, byte] of Object.entries({ '"': 0x22, '\\': 0x5c, '/': 0x2f, b: 8, f: 12, n: 10, r: 13, t: 9 })) {
  SIMPLE_ESCAPES[letter.charCodeAt(0)] = byte;
}

/** Bytes the fast loop takes at once: what the engine checks for every turn of a loop costs more than the bytes. */
const STEP = 16;

/**
 * The high bit of the lowest byte that is a quote, a backslash, a control character or not ASCII; 0 if none is. With its bit
 * 1 turned a quote lies below 0x21, as control characters do, and nothing else that is ASCII does. A borrow can only mark
 * bytes above one that is marked already.
 */
function specialIn(word: number): number {
  return (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101) | word) & 0x80808080;
}

/**
 * Reads the string whose opening quote stands before `at` and writes its UTF-8 to `out` from `out.cursor` on.
 * Answers the position behind the closing quote, or -1. `out.cursor` ends behind the last byte written.
 */
export function readText(source: Source, at: number, out: GrowingBytes): number {
  const { buffer: bytes, view, end } = source;
  let i = at;
  for (;;) {
    let o = out.reserve(out.cursor, 3 * STEP);
    const to = out.view;
    const target = out.buffer;
    // A byte is left behind the step, so that there is one behind every backslash.
    const stop = i + Math.min(end - STEP - i, out.limit - 2 * STEP - o);
    while (i < stop) {
      const first = view.getInt32(i, true);
      const second = view.getInt32(i + 4, true);
      const third = view.getInt32(i + 8, true);
      const fourth = view.getInt32(i + 12, true);
      to.setInt32(o, first, true);
      to.setInt32(o + 4, second, true);
      to.setInt32(o + 8, third, true);
      to.setInt32(o + 12, fourth, true);
      let special = specialIn(first);
      let plain = 0;
      if (special === 0) {
        special = specialIn(second);
        plain = 4;
        if (special === 0) {
          special = specialIn(third);
          plain = 8;
          if (special === 0) {
            special = specialIn(fourth);
            plain = 12;
            if (special === 0) {
              i += STEP;
              o += STEP;
              continue;
            }
          }
        }
      }
      plain += (31 - Math.clz32(special & -special)) >> 3;
      i += plain;
      o += plain;
      const byte = bytes[i]!;
      if (byte === QUOTE) {
        out.cursor = o;
        return i + 1;
      }
      if (byte !== BACKSLASH) break;
      const escaped = SIMPLE_ESCAPES[bytes[i + 1]!]!;
      if (escaped === 0) break;
      target[o++] = escaped;
      i += 2;
    }
    out.cursor = o;
    if (bytes[i] === QUOTE) return i + 1;
    i = readSpecial(source, i, out);
    if (i < 0) return i;
  }
}

const TOO_LONG_BYTES = Buffer.from(TOO_LONG);

/** Puts the stand-in for a value over the limit where its text began. */
export function writeTooLong(out: GrowingBytes, at: number): void {
  const start = out.reserve(at, TOO_LONG_BYTES.length);
  out.buffer.set(TOO_LONG_BYTES, start);
  out.cursor = start + TOO_LONG_BYTES.length;
}

/** One character that the fast loop leaves: the last bytes of the source, `\u`, not ASCII, or not allowed. */
function readSpecial(source: Source, at: number, out: GrowingBytes): number {
  const { buffer: bytes } = source;
  const byte = bytes[at];
  if (byte === undefined) return source.fail(at, 'the closing quote of a string');
  if (byte >= 0x80) return copyMultibyte(source, at, source.end, out);
  if (byte < 0x20) return source.fail(at, 'a control character to be escaped or the closing quote of a string');
  if (byte !== BACKSLASH) {
    out.buffer[out.cursor++] = byte;
    return at + 1;
  }
  const letter = bytes[at + 1] ?? 0;
  const simple = SIMPLE_ESCAPES[letter]!;
  if (simple !== 0) {
    out.buffer[out.cursor++] = simple;
    return at + 2;
  }
  if (letter !== 0x75) return source.fail(at + 1, 'one of "\\/bfnrtu behind a backslash');
  const unit = hex4(bytes, at + 2);
  if (unit < 0) return source.fail(at + 2, 'four hexadecimal digits behind \\u');
  if (unit < 0xd800 || unit > 0xdfff) {
    writeCodePoint(out, unit);
    return at + 6;
  }
  const low = unit < 0xdc00 && bytes[at + 6] === BACKSLASH && bytes[at + 7] === 0x75 ? hex4(bytes, at + 8) : -1;
  if (low >= 0xdc00 && low <= 0xdfff) {
    writeCodePoint(out, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
    return at + 12;
  }
  source.repaired = true;
  writeCodePoint(out, 0xfffd);
  return at + 6;
}

function hex4(bytes: Uint8Array, at: number): number {
  let unit = 0;
  for (let i = at; i < at + 4; i++) {
    const byte = bytes[i] ?? 0;
    const letter = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) unit = unit * 16 + byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) unit = unit * 16 + letter - 0x57;
    else return -1;
  }
  return unit;
}

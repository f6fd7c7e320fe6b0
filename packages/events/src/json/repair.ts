import type { GrowingBytes } from '../columns/bytes.js';
import { isWideInteger, NumberValue, readNumber } from './number.js';
import { writeQuoted } from './quote.js';
import type { Source } from './source.js';
import { readText } from './text.js';

const number = new NumberValue();
const NULL = Buffer.from('null');
/** Makes a float of an integer and keeps its digits: the engine reads no JSON with an integer beyond 64 bits. */
const FLOAT = Buffer.from('e0');

/**
 * Appends to `out` the text of the valid value from `at` to `end` with everything in it storable: strings re-written
 * with U+FFFD for what is no text, floats for integers beyond int64, null for numbers beyond double and for what lies
 * deeper than `depth` levels. Other bytes stay as they are.
 */
export function writeRepaired(
  source: Source,
  at: number,
  end: number,
  depth: number,
  out: GrowingBytes,
  scratch: GrowingBytes,
): void {
  const { buffer: bytes } = source;
  let level = 0;
  let i = at;
  while (i < end) {
    const byte = bytes[i]!;
    if (byte === 0x22) {
      scratch.clear();
      i = readText(source, i + 1, scratch);
      if (level <= depth) writeQuoted(out, scratch.buffer, scratch.start, scratch.cursor - scratch.start);
      continue;
    }
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      const next = readNumber(source, i, number);
      if (level <= depth) {
        out.push(number.kind === 'none' ? NULL : bytes.subarray(i, next));
        if (isWideInteger(source, i, next, number)) out.push(FLOAT);
      }
      i = next;
      continue;
    }
    const opens = byte === 0x7b || byte === 0x5b;
    const closes = byte === 0x7d || byte === 0x5d;
    if (opens) level++;
    if (level <= depth) out.pushByte(byte);
    else if (opens && level === depth + 1) out.push(NULL);
    if (closes) level--;
    i++;
  }
}

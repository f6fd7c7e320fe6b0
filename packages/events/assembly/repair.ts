import { Bytes } from './bytes';
import { NONE, beginsNumber, isWideInteger, numberKind, readNumber } from './number';
import { readText, textAt, textLength } from './text';
import { writeAscii } from './memory';

/**
 * Appends to `out` the text of the valid value from `at` to `end`, made storable: strings rewritten with U+FFFD for invalid
 * text, floats for integers beyond int64, null for numbers beyond double and for anything deeper than `depth` levels. Other
 * bytes stay as they are.
 */
export function writeRepaired(at: usize, end: usize, depth: usize, out: Bytes): void {
  let level: usize = 0;
  let i = at;
  while (i < end) {
    const byte = load<u8>(i);
    if (byte == 0x22) {
      i = readText(i + 1);
      if (level <= depth) writeQuoted(out);
      continue;
    }
    if (beginsNumber(byte)) {
      const next = readNumber(i);
      if (level <= depth) {
        if (numberKind() == NONE) pushAscii(out, 'null');
        else out.push(i, next - i);
        // Makes the integer a float but keeps its digits: the engine cannot read JSON with an integer beyond 64 bits.
        if (isWideInteger(i, next)) pushAscii(out, 'e0');
      }
      i = next;
      continue;
    }
    const opens = byte == 0x7b || byte == 0x5b;
    if (opens) level++;
    if (level <= depth) out.push8(byte);
    else if (opens && level == depth + 1) pushAscii(out, 'null');
    if (byte == 0x7d || byte == 0x5d) level--;
    i++;
  }
}

export function pushAscii(out: Bytes, text: string): void {
  const to = out.reserve(text.length);
  out.end = to + writeAscii(to, text);
}

/** Appends the text read last as a quoted JSON string, escaping only what must be escaped. */
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

/** The letter that stands for a control character after a backslash, or 0. */
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

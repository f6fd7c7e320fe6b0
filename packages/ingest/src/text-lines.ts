import type { EncodeResult } from '@millrace/events';
import { EventLines, member } from './event-lines.js';
import type { FormatOptions } from './formats/format.js';

/** Encodes lines of text as events with one field; skips empty lines. */
export function encodeTextLines(body: Uint8Array, field: string, max: number, options: FormatOptions): EncodeResult {
  const lines = new EventLines(1.2 * body.length, max, options);
  writeTextLines(Buffer.from(body.buffer, body.byteOffset, body.byteLength), member(field), lines);
  return lines.encode();
}

/** Writes each line of a text as an event with one property. */
export function writeTextLines(text: Buffer, name: Buffer, lines: EventLines): void {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(0x0a, start);
    const next = found < 0 ? text.length : found;
    const end = next > start && text[next - 1] === 0x0d ? next - 1 : next;
    if (end > start) {
      lines.begin();
      lines.utf8(name, text, start, end);
      lines.end();
    }
    start = next + 1;
  }
}

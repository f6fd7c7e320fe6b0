import { parseIso } from './iso.js';
import { parseEpoch } from './epoch.js';

/** Nanoseconds since the epoch of the timestamp between `start` and `end`, whatever of the known formats it is in; undefined when it is in none. */
export function parseTimestamp(bytes: Uint8Array, start: number, end: number): bigint | undefined {
  return (
    parseIso(bytes, start, end) ?? detect(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString())
  );
}

/** The same for text. */
export function parseTimestampText(text: string): bigint | undefined {
  const bytes = Buffer.from(text);
  return parseTimestamp(bytes, 0, bytes.length);
}

function detect(text: string): bigint | undefined {
  return parseEpoch(text);
}

import { textBytes, type TextBytes, uninitialised } from '../columns/bytes.js';

/** Bytes before the name in a block's directory entry: the lengths of name, type and body. */
export const ENTRY = 12;

/** How many entries are kept for later blocks: nearly every block has the same columns. */
const MOST_KEPT = 4096;
/** Type → name → entry. */
const kept = new Map<string, Map<string, TextBytes>>();
let count = 0;

/** The directory entry of a column, still without the length of its body. */
export function entryOf(name: string, type: string): TextBytes {
  const known = kept.get(type)?.get(name);
  if (known !== undefined) return known;
  if (count === MOST_KEPT) {
    kept.clear();
    count = 0;
  }
  const entry = newEntry(name, type);
  const ofType = kept.get(type) ?? new Map<string, TextBytes>();
  kept.set(type, ofType.set(name, entry));
  count++;
  return entry;
}

function newEntry(name: string, type: string): TextBytes {
  const nameBytes = Buffer.byteLength(name);
  const entry = uninitialised(ENTRY + nameBytes + Buffer.byteLength(type));
  const bytes = Buffer.from(entry.buffer);
  bytes.writeUInt32LE(nameBytes, 0);
  bytes.writeUInt32LE(bytes.length - ENTRY - nameBytes, 4);
  bytes.write(name, ENTRY);
  bytes.write(type, ENTRY + nameBytes);
  return textBytes(entry);
}

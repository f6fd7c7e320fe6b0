import { textBytes, type TextBytes, uninitialised } from '../columns/bytes.js';

/** Bytes before the name in a block's directory entry: the lengths of name, type and body. */
export const ENTRY = 12;

/** Maximum cached entries: nearly every block has the same columns. */
const MAX_KEPT = 4096;
/** Type → name → entry. */
const interned = new Map<string, Map<string, TextBytes>>();
let count = 0;

/** The directory entry of a column, still without the length of its body. */
export function entryOf(name: string, type: string): TextBytes {
  const known = interned.get(type)?.get(name);
  if (known !== undefined) return known;
  if (count === MAX_KEPT) {
    interned.clear();
    count = 0;
  }
  const entry = newEntry(name, type);
  const ofType = interned.get(type) ?? new Map<string, TextBytes>();
  interned.set(type, ofType.set(name, entry));
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

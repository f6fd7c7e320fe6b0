import { textBytes, type TextBytes, uninitializedBytes } from '../columns/bytes.js';

/** Bytes before the name in a block's directory entry: the lengths of name, type and body. */
export const ENTRY = 12;

/** Maximum cached entries: nearly every block has the same columns. */
const MAX_KEPT = 4096;
/** Type → name → entry. */
const internedEntries = new Map<string, Map<string, TextBytes>>();
let count = 0;

/** The directory entry of a column, still without the length of its body. */
export function entryOf(name: string, type: string): TextBytes {
  const known = internedEntries.get(type)?.get(name);
  if (known !== undefined) return known;
  if (count === MAX_KEPT) {
    internedEntries.clear();
    count = 0;
  }
  const entry = newEntry(name, type);
  const ofType = internedEntries.get(type) ?? new Map<string, TextBytes>();
  internedEntries.set(type, ofType.set(name, entry));
  count++;
  return entry;
}

function newEntry(name: string, type: string): TextBytes {
  const nameBytes = Buffer.byteLength(name);
  const entry = uninitializedBytes(ENTRY + nameBytes + Buffer.byteLength(type));
  const bytes = Buffer.from(entry.buffer);
  bytes.writeUInt32LE(nameBytes, 0);
  bytes.writeUInt32LE(bytes.length - ENTRY - nameBytes, 4);
  bytes.write(name, ENTRY);
  bytes.write(type, ENTRY + nameBytes);
  return textBytes(entry);
}

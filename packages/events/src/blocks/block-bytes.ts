import type { Block, BlockColumn } from './block.js';
import { copyShort, textBytes, uninitializedBytes } from '../columns/bytes.js';
import { ENTRY, entryOf } from './block-entry.js';
import { DICTIONARY_STRING, FIELD_STORAGE, OVERFLOW_TYPE, TIME_TYPE } from '../fields.js';

/**
 * A block as bytes, for the log. Numbers are little endian.
 *
 * | bytes                | content                                                     |
 * |----------------------|-------------------------------------------------------------|
 * | 4                    | `MBK1`                                                      |
 * | 4                    | number of rows                                              |
 * | 4                    | number of columns                                           |
 * | 4                    | length of the directory that follows                        |
 * | directory            | per column: 4 length of the name, 4 length of the type, 4 length of the body, name, type |
 * | …                    | the bodies in the order of the directory                    |
 *
 * Deserializing reads only the directory, so its cost depends on the number of columns, not on
 * their size.
 */
const MAGIC = 0x314b424d;
const HEADER = 16;

/** A column of a block that is about to be written. */
export interface UnwrittenColumn {
  readonly name: string;
  readonly type: string;
  /** Bytes of its Native body. */
  readonly bytes: number;
}

/** The bytes do not form a block: written by something else, or damaged. */
export class BlockError extends Error {
  override readonly name = 'BlockError';
}

/** Bytes per row of the types with a fixed width, including the null map. */
const WIDTHS: ReadonlyMap<string, number> = new Map([
  [TIME_TYPE, 8],
  [FIELD_STORAGE.datetime.type, 9],
  [FIELD_STORAGE.integer.type, 9],
  [FIELD_STORAGE.float.type, 9],
  [FIELD_STORAGE.boolean.type, 2],
]);
/** Minimum bytes per row of the others. */
const MIN_WIDTHS: ReadonlyMap<string, number> = new Map([
  [FIELD_STORAGE.string.type, 2],
  [DICTIONARY_STRING, 1],
  [OVERFLOW_TYPE, 8],
]);

/** Serializes the block into one contiguous buffer; {@link deserializeBlock} parses it. */
export function serializeBlock({ rows, columns, serialized }: Block): Uint8Array {
  if (serialized?.length === 0) throw new TypeError('the memory of this block was given away');
  if (serialized !== undefined) return serialized;
  const sized = columns.map(({ name, type, data }) => ({ name, type, bytes: data.length }));
  return writeBlock(rows, sized, (to, start) => {
    let at = start;
    for (const { data } of columns) {
      to.set(data, at);
      at += data.length;
    }
  }).serialized;
}

/**
 * Writes a block in the form the log takes, so that none of it is copied again; `writeBodies`
 * writes the bodies of all its columns from `at` on.
 */
export function writeBlock(
  rows: number,
  columns: readonly UnwrittenColumn[],
  writeBodies: (to: Uint8Array, at: number) => void,
): Block & { readonly serialized: Uint8Array } {
  const entries = columns.map(({ name, type }) => entryOf(name, type));
  const directory = entries.reduce((sum, entry) => sum + entry.buffer.length, 0);
  const bodies = columns.reduce((sum, { bytes }) => sum + bytes, 0);
  const serialized = uninitializedBytes(HEADER + directory + bodies);
  const target = textBytes(serialized);
  target.view.setUint32(0, MAGIC, true);
  target.view.setUint32(4, rows, true);
  target.view.setUint32(8, columns.length, true);
  target.view.setUint32(12, directory, true);
  let at = HEADER;
  let body = HEADER + directory;
  writeBodies(serialized, body);
  const written = columns.map(({ name, type, bytes }, index) => {
    const entry = entries[index]!;
    copyShort(entry, 0, target, at, entry.buffer.length);
    target.view.setUint32(at + 8, bytes, true);
    at += entry.buffer.length;
    const data = serialized.subarray(body, body + bytes);
    body += bytes;
    return { name, type, data };
  });
  return { rows, columns: written, serialized };
}

/** The block in `bytes`; its columns are views of these bytes. Throws {@link BlockError}. */
export function deserializeBlock(bytes: Uint8Array): Block {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw damagedError(0, 'it does not begin with MBK1');
  const rows = view.getUint32(4, true);
  const count = view.getUint32(8, true);
  const bodies = HEADER + view.getUint32(12, true);
  if (bodies > bytes.length) throw damagedError(12, `its directory ends at byte ${bodies} of ${bytes.length}`);
  const columns: BlockColumn[] = [];
  let at = HEADER;
  let body = bodies;
  for (let index = 0; index < count; index++) {
    if (at + ENTRY > bodies) throw damagedError(at, `its directory has ${index} columns of ${count}`);
    const name = at + ENTRY;
    const type = name + view.getUint32(at, true);
    const next = type + view.getUint32(at + 4, true);
    const end = body + view.getUint32(at + 8, true);
    if (next > bodies) throw damagedError(at, `the name of column ${index} exceeds the directory`);
    if (end > bytes.length) throw damagedError(at, `column ${index} ends at byte ${end} of ${bytes.length}`);
    const column = { name: text(bytes, name, type), type: text(bytes, type, next), data: bytes.subarray(body, end) };
    checkSize(column, rows, at);
    columns.push(column);
    at = next;
    body = end;
  }
  if (at !== bodies) throw damagedError(at, `${bodies - at} bytes of its directory belong to no column`);
  if (body !== bytes.length) throw damagedError(body, `${bytes.length - body} bytes belong to no column`);
  return { rows, columns, serialized: bytes };
}

function checkSize({ name, type, data }: BlockColumn, rows: number, at: number): void {
  const width = WIDTHS.get(type);
  const min = MIN_WIDTHS.get(type);
  if (width === undefined && min === undefined) throw damagedError(at, `column ${name} has the unknown type ${type}`);
  const fits = width === undefined ? data.length >= rows * min! : data.length === rows * width;
  if (!fits) throw damagedError(at, `column ${name} of type ${type} has ${data.length} bytes for ${rows} rows`);
}

function text(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
}

function damagedError(at: number, what: string): BlockError {
  return new BlockError(`not a block, byte ${at}: ${what}`);
}

import type { Block } from './blocks/block.js';
import { readVarint, varintWidth } from './columns/varint.js';
import { OVERFLOW_COLUMN } from './fields.js';

/**
 * The distinct physical names in the overflow column of a block. Reads the name of every value
 * there.
 */
export function overflowNames({ rows, columns }: Block): ReadonlySet<string> {
  const names = new Set<string>();
  const data = columns.find(({ name }) => name === OVERFLOW_COLUMN)?.data;
  if (data === undefined || rows === 0) return names;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const values = bytes.readUInt32LE((rows - 1) * 8);
  let at = rows * 8;
  for (let value = 0; value < values; value++) {
    const length = readVarint(bytes, at);
    at += varintWidth(length);
    names.add(bytes.toString('utf8', at, at + length));
    at += length;
  }
  return names;
}

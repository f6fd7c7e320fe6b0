import type { Block, BlockColumn } from '../blocks/block.js';
import { OVERFLOW_COLUMN, TIME_COLUMN, parsePhysicalName } from '../fields.js';

/**
 * A row as a test writes it: physical name → value. Integers and `_time` are bigints; `_overflow`
 * is an object.
 */
export type Row = Record<string, unknown>;

/**
 * The rows of a block, read by the rules of the Native format, independently of the code that wrote
 * it.
 */
export function readBlock(block: Block): Row[] {
  const rows: Row[] = Array.from({ length: block.rows }, () => ({}));
  for (const column of block.columns) {
    const values = readColumn(column, block.rows);
    values.forEach((value, row) => {
      if (value !== undefined) Object.defineProperty(rows[row]!, column.name, { value, enumerable: true });
    });
  }
  return rows;
}

class Cursor {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  uint(width: number): number {
    const value = width === 8 ? Number(this.#bytes.readBigUInt64LE(this.at)) : this.#bytes.readUIntLE(this.at, width);
    this.at += width;
    return value;
  }

  int64(): bigint {
    this.at += 8;
    return this.#bytes.readBigInt64LE(this.at - 8);
  }

  float64(): number {
    this.at += 8;
    return this.#bytes.readDoubleLE(this.at - 8);
  }

  string(): string {
    let length = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.uint(1);
      length += (byte % 128) * factor;
      if (byte < 128) break;
    }
    const bytes = this.#bytes.subarray(this.at, this.at + length);
    if (bytes.length < length) throw new Error('a string exceeds its column');
    this.at += length;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  }

  assertEnd(): void {
    if (this.at !== this.#bytes.length) throw new Error(`${this.#bytes.length - this.at} bytes are left`);
  }
}

function readColumn({ name, type, data }: BlockColumn, rows: number): unknown[] {
  const cursor = new Cursor(data);
  const each = <T>(read: (row: number) => T) => Array.from({ length: rows }, (_, row) => read(row));
  let values: unknown[];
  if (name === TIME_COLUMN) {
    values = each(() => cursor.int64());
  } else if (name === OVERFLOW_COLUMN) {
    values = readMaps(cursor, rows);
  } else if (type.startsWith('LowCardinality')) {
    values = readDictionary(cursor, rows);
  } else {
    const nulls = each(() => cursor.uint(1));
    const read = reader(name, cursor);
    values = each((row) => {
      const value = read();
      return nulls[row] === 0 ? value : undefined;
    });
  }
  cursor.assertEnd();
  return values;
}

function reader(name: string, cursor: Cursor): () => unknown {
  switch (parsePhysicalName(name)?.type) {
    case 'integer':
      return () => cursor.int64();
    case 'float':
      return () => cursor.float64();
    case 'boolean':
      return () => cursor.uint(1) === 1;
    case 'string':
    case 'array':
    case 'map':
      return () => cursor.string();
    default:
      throw new Error(`unexpected column ${name}`);
  }
}

function readDictionary(cursor: Cursor, rows: number): unknown[] {
  if (cursor.uint(8) !== 1) throw new Error('wrong version of the keys');
  const flags = cursor.uint(8);
  if (flags >> 8 !== 6) throw new Error('wrong flags');
  const keys = Array.from({ length: cursor.uint(8) }, () => cursor.string());
  if (cursor.uint(8) !== rows) throw new Error('wrong number of rows');
  if (new Set(keys.slice(1)).size !== keys.length - 1) throw new Error('a key comes twice');
  return Array.from({ length: rows }, () => {
    const key = cursor.uint(1 << (flags & 0xff));
    if (key >= keys.length) throw new Error('an index exceeds the keys');
    return key === 0 ? undefined : keys[key];
  });
}

function readMaps(cursor: Cursor, rows: number): unknown[] {
  const ends = Array.from({ length: rows }, () => cursor.uint(8));
  const total = ends.at(-1) ?? 0;
  const names = Array.from({ length: total }, () => cursor.string());
  const texts = Array.from({ length: total }, () => cursor.string());
  return ends.map((end, row) => {
    const start = row === 0 ? 0 : ends[row - 1]!;
    if (end === start) return undefined;
    const entries = names.slice(start, end).map((name, index) => [name, texts[start + index]] as const);
    if (new Set(names.slice(start, end)).size !== entries.length) throw new Error('a name comes twice in a row');
    return Object.fromEntries(entries);
  });
}

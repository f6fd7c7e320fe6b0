import type { Block } from './block.js';
import { type UnwrittenColumn, writeBlock } from './block-bytes.js';
import { textBytes, uninitializedBytes } from '../columns/bytes.js';
import { varintWidth, writeVarint } from '../columns/varint.js';
import { DICTIONARY_STRING, FIELD_STORAGE, physicalName, TIME_COLUMN, TIME_TYPE } from '../fields.js';
import { BlockTooLarge, DICTIONARY_ENTRIES } from '../limits.js';

/** A column of rows with fixed fields, which no encoder of events has to find. */
export type FixedColumn =
  /** Nanoseconds since the epoch; every row has one. */
  | { readonly kind: 'time'; readonly values: BigInt64Array }
  | {
      readonly kind: 'integer' | 'float';
      readonly field: string;
      /** A row's value has the bits of this type. */
      readonly values: BigInt64Array | Float64Array;
      /** 1 for a row without a value; all have one if omitted. */
      readonly nulls?: Uint8Array;
    }
  | {
      readonly kind: 'string';
      readonly field: string;
      readonly texts: readonly string[];
      /** For each row the number of its text, counted from 1; 0 if it has none. */
      readonly keys: Uint32Array;
      /** Whether the texts are written once each. */
      readonly repeat: boolean;
    };

interface ColumnBody extends UnwrittenColumn {
  write(to: Uint8Array, at: number): void;
}

/**
 * Makes a block of typed values.
 * @throws BlockTooLarge above the limit
 */
export function makeBlock(
  rows: number,
  columns: readonly FixedColumn[],
  { maxBlockBytes }: { readonly maxBlockBytes: number },
): Block & { readonly serialized: Uint8Array } {
  const bodies = columns.map((column) => bodyOf(rows, column));
  if (bodies.reduce((sum, { bytes }) => sum + bytes, 0) > maxBlockBytes)
    throw new BlockTooLarge('the rows of one request take too much room; send fewer');
  return writeBlock(rows, bodies, (to, start) => {
    let at = start;
    for (const body of bodies) {
      body.write(to, at);
      at += body.bytes;
    }
  });
}

function bodyOf(rows: number, column: FixedColumn): ColumnBody {
  switch (column.kind) {
    case 'time':
      return {
        name: TIME_COLUMN,
        type: TIME_TYPE,
        bytes: 8 * rows,
        write: (to, at) => to.set(bytesOf(column.values, rows), at),
      };
    case 'integer':
    case 'float':
      return {
        name: physicalName(column.field, column.kind),
        type: FIELD_STORAGE[column.kind].type,
        bytes: 9 * rows,
        write: (to, at) => {
          if (column.nulls === undefined) to.fill(0, at, at + rows);
          else to.set(column.nulls.subarray(0, rows), at);
          to.set(bytesOf(column.values, rows), at + rows);
        },
      };
    case 'string':
      return column.repeat && column.texts.length < DICTIONARY_ENTRIES
        ? dictionaryBody(rows, column)
        : plainBody(rows, column);
  }
}

const bytesOf = ({ buffer, byteOffset }: BigInt64Array | Float64Array, rows: number): Uint8Array =>
  new Uint8Array(buffer, byteOffset, 8 * rows);

type StringColumn = Extract<FixedColumn, { readonly kind: 'string' }>;

/** Strings as Native writes them: each with its length before it. */
function entriesOf(texts: readonly string[]): readonly Uint8Array[] {
  return texts.map((text) => {
    const length = Buffer.byteLength(text);
    const entry = uninitializedBytes(varintWidth(length) + length);
    Buffer.from(entry.buffer).write(text, writeVarint(entry, 0, length));
    return entry;
  });
}

const sizeOf = (entries: readonly Uint8Array[]): number => entries.reduce((sum, { length }) => sum + length, 0);

/** The layout stands in `../../assembly/columns/dictionary.ts`. */
function dictionaryBody(rows: number, { field, texts, keys }: StringColumn): ColumnBody {
  const entries = entriesOf(texts);
  const keyBytes = texts.length < 0x100 ? 1 : 2;
  return {
    name: physicalName(field, 'string'),
    type: DICTIONARY_STRING,
    bytes: 33 + sizeOf(entries) + rows * keyBytes,
    write: (to, start) => {
      const { view } = textBytes(to);
      view.setBigInt64(start, 1n, true);
      view.setBigInt64(start + 8, BigInt((keyBytes >> 1) | (1 << 9) | (1 << 10)), true);
      view.setBigInt64(start + 16, BigInt(texts.length + 1), true);
      to[start + 24] = 0;
      let at = start + 25;
      for (const entry of entries) {
        to.set(entry, at);
        at += entry.length;
      }
      view.setBigInt64(at, BigInt(rows), true);
      at += 8;
      if (keyBytes === 1) for (let row = 0; row < rows; row++) to[at + row] = keys[row]!;
      else for (let row = 0; row < rows; row++) view.setUint16(at + 2 * row, keys[row]!, true);
    },
  };
}

function plainBody(rows: number, { field, texts, keys }: StringColumn): ColumnBody {
  const entries = entriesOf(texts);
  let bytes = rows;
  for (let row = 0; row < rows; row++) bytes += keys[row] === 0 ? 1 : entries[keys[row]! - 1]!.length;
  return {
    name: physicalName(field, 'string'),
    type: FIELD_STORAGE.string.type,
    bytes,
    write: (to, start) => {
      let at = start + rows;
      for (let row = 0; row < rows; row++) {
        const key = keys[row]!;
        to[start + row] = key === 0 ? 1 : 0;
        if (key === 0) to[at++] = 0;
        else {
          to.set(entries[key - 1]!, at);
          at += entries[key - 1]!.length;
        }
      }
    },
  };
}

import { eventTimes } from './batch';
import { Bytes } from './bytes';
import { Column } from './columns/column';
import {
  currentRow,
  Field,
  fieldsOfBody,
  ARRAY_TYPE,
  BOOLEAN_TYPE,
  FLOAT_TYPE,
  INTEGER_TYPE,
  MAP_TYPE,
  STRING_TYPE,
} from './field';
import { KnownField } from './known-field';
import { Overflow } from './overflow';
import { TextColumn } from './columns/text-column';

/**
 * Lays out the columns of a batch. Host and core share a table with one row per (field, type) that
 * has values, in order of first occurrence; every number has four bytes. The core writes the table;
 * the host fills in the entries marked `both`.
 *
 * | at | by   | content                                                                 |
 * |----|------|-------------------------------------------------------------------------|
 * | 0  | core | id of the field                                                         |
 * | 4  | core | type                                                                    |
 * | 8  | core | number of values                                                        |
 * | 12 | core | bytes of the values alone                                               |
 * | 16 | core | address of the column                                                   |
 * | 20 | both | where the values go, see below                                          |
 * | 24 | both | physical name, if they go into the overflow column: address             |
 * | 28 | both | … and length                                                            |
 * | 32 | core | after `layOut`: bytes of the Native body of a dedicated column          |
 * | 36 | core | … 1 if that is a dictionary                                             |
 * | 40 | core | statistics of a string column: 1 if its values repeat                   |
 * | 44 | core | … the number of values at which to check again                          |
 * | 48 | core | address of the retained `KnownField`                                    |
 */
const ROW: usize = 52;

/** Where values go: a dedicated column; anything else is the overflow column. */
const OWN: i32 = 1;
/** The overflow column, and the dataset knows it. */
const KNOWN: i32 = 2;
/** The overflow column, as retained from an earlier body: the host need not handle the row. */
const UNTOLD: i32 = 3;

let table: Bytes = new Bytes(0);
let overflow: Bytes | null = null;

/** A body begins. */
export function beginBlock(): void {
  table = new Bytes(0);
  overflow = null;
}

/** Fills the table; returns how many rows it has. */
export function describeColumns(): i32 {
  table = new Bytes(ROW * 16);
  const fields = fieldsOfBody();
  for (let at = fields.start; at < fields.end; at += 4) {
    const field = changetype<Field>(<usize>load<u32>(at));
    describe(field, INTEGER_TYPE, field.integers);
    describe(field, STRING_TYPE, field.strings);
    describe(field, BOOLEAN_TYPE, field.booleans);
    describe(field, FLOAT_TYPE, field.floats);
    describe(field, MAP_TYPE, field.maps);
    describe(field, ARRAY_TYPE, field.arrays);
  }
  return <i32>(table.length / ROW);
}

export function columnTable(): usize {
  return table.start;
}

function describe(field: Field, type: i32, column: Column | null): void {
  if (column == null || column.count == 0) return;
  const row = table.reserve(ROW);
  memory.fill(row, 0, ROW);
  store<i32>(row, field.id);
  store<i32>(row, type, 4);
  store<i32>(row, column.count, 8);
  store<u32>(row, <u32>column.bytes, 12);
  store<u32>(row, <u32>changetype<usize>(column), 16);
  const known = changetype<KnownField>(field.known);
  store<u32>(row, <u32>field.known, 48);
  if (known.isKnown(type, column.count, currentRow())) {
    store<i32>(row, UNTOLD, 20);
    store<u32>(row, <u32>known.name, 24);
    store<u32>(row, <u32>known.nameLength, 28);
  }
  table.end += ROW;
}

/**
 * Determines how large each column is as Native; returns the size of the overflow column, 0 if
 * there is none.
 */
export function layOut(): usize {
  const rows = currentRow();
  const rest = new Overflow();
  let overflows = false;
  let total: u64 = 0;
  let largest: usize = 0;
  for (let row = table.start; row < table.end; row += ROW) {
    const column = changetype<Column>(<usize>load<u32>(row, 16));
    const place = load<i32>(row, 20);
    if (place == KNOWN) {
      const known = changetype<KnownField>(<usize>load<u32>(row, 48));
      known.remember(load<i32>(row, 4), load<u32>(row, 24), load<u32>(row, 28));
    }
    if (place != OWN) {
      rest.add(column, load<u32>(row, 24), load<u32>(row, 28));
      overflows = true;
    } else {
      const bytes = column.nativeBytes(rows);
      store<u32>(row, <u32>bytes, 32);
      total += bytes;
      largest = max(largest, bytes);
    }
    if (column instanceof TextColumn) noteTexts(row, <TextColumn>column);
  }
  beginBodies(total, largest);
  if (!overflows) return 0;
  const body = rest.native(rows);
  overflow = body;
  return body.length;
}

function noteTexts(row: usize, column: TextColumn): void {
  store<i32>(row, column.isDictionary ? 1 : 0, 36);
  store<i32>(row, column.habitRepeats ? 1 : 0, 40);
  store<i32>(row, column.habitNextLook, 44);
}

/** Bodies are written together up to this many bytes, so that a block is not in memory twice. */
const TOGETHER: u64 = 1 << 20;

/** The bodies written last, and the next ones. */
let bodies: usize = 0;
let timeSegment: i32 = 0;
let nextRow: usize = 0;
let together: Bytes = new Bytes(0);

function beginBodies(total: u64, largest: usize): void {
  timeSegment = 0;
  nextRow = table.start;
  together = new Bytes(max(largest, <usize>min(total, TOGETHER)));
}

/** The address of the bodies written last. */
export function bodiesAt(): usize {
  return bodies;
}

/**
 * Writes the next Native bodies, or parts of them, one after another: `_time`, the columns of their
 * own, the overflow column. Returns how many bytes, 0 after the last one.
 */
export function writeBodies(): usize {
  const times = eventTimes();
  if (timeSegment < times.segmentCount) {
    bodies = times.segmentStart(timeSegment);
    return times.segmentEnd(timeSegment++) - bodies;
  }
  const written = writeColumns();
  if (written > 0) return written;
  const rest = overflow;
  if (rest == null) return 0;
  overflow = null;
  bodies = rest.start;
  return rest.length;
}

function writeColumns(): usize {
  const rows = currentRow();
  const to = together;
  to.clear();
  for (; nextRow < table.end; nextRow += ROW) {
    if (load<i32>(nextRow, 20) != OWN) continue;
    const bytes: usize = load<u32>(nextRow, 32);
    if (to.end + bytes > to.limit) break;
    changetype<Column>(<usize>load<u32>(nextRow, 16)).writeNative(rows, to.end);
    to.end += bytes;
  }
  bodies = to.start;
  return to.length;
}

import { eventTimes } from './batch';
import { Bytes } from './bytes';
import { Column } from './columns/column';
import { currentRow, Field, ARRAY_TYPE, BOOLEAN_TYPE, FLOAT_TYPE, INTEGER_TYPE, MAP_TYPE, STRING_TYPE } from './field';
import { Overflow } from './overflow';
import { TextColumn } from './columns/text-column';

/**
 * Lays out the columns of a batch. Host and reader share a table with one row for each (field,
 * type) that has values, in the order in which the fields were first met; every number has four
 * bytes.
 *
 * | at | who  | what                                                                    |
 * |----|------|-------------------------------------------------------------------------|
 * | 0  | ours | id of the field                                                         |
 * | 4  | ours | type                                                                    |
 * | 8  | ours | values                                                                  |
 * | 12 | ours | bytes of the values alone                                               |
 * | 16 | ours | address of the column                                                   |
 * | 20 | host | 1 for a column of its own, 0 for the overflow column                    |
 * | 24 | host | physical name, if it goes into the overflow column: address             |
 * | 28 | host | … and length                                                            |
 * | 32 | ours | after `layOut`: bytes of the Native body of a column of its own         |
 * | 36 | ours | … 1 if that is a dictionary                                             |
 * | 40 | ours | what is known of the texts of a string column: 1 if they repeat         |
 * | 44 | ours | … the number of values at which to look again                           |
 */
const ROW: usize = 48;

let fields: Bytes = new Bytes(0);
let table: Bytes = new Bytes(0);
let overflow: Bytes | null = null;

/** A body begins. */
export function beginBlock(): void {
  fields = new Bytes(256);
  table = new Bytes(0);
  overflow = null;
}

export function addField(field: Field): void {
  fields.push32(<i32>changetype<usize>(field));
}

/** Fills the table; returns how many rows it has. */
export function describeColumns(): i32 {
  table = new Bytes(ROW * 16);
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
    if (load<i32>(row, 20) == 0) {
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

/**
 * Bodies are written together up to this many bytes, so that a block is not held in memory twice.
 */
const TOGETHER: u64 = 1 << 20;

/** The bodies written last, and what to write next. */
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
    if (load<i32>(nextRow, 20) == 0) continue;
    const bytes: usize = load<u32>(nextRow, 32);
    if (to.end + bytes > to.limit) break;
    changetype<Column>(<usize>load<u32>(nextRow, 16)).writeNative(rows, to.end);
    to.end += bytes;
  }
  bodies = to.start;
  return to.length;
}

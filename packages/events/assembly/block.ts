import { eventTimes } from './batch';
import { Bytes, segmentCount, segmentEnd, segmentStart } from './bytes';
import { Column } from './column';
import { currentRow, Field, ARRAY_TYPE, BOOLEAN_TYPE, FLOAT_TYPE, INTEGER_TYPE, MAP_TYPE, STRING_TYPE } from './field';
import { Overflow } from './overflow';
import { TextColumn } from './text-column';

/**
 * What becomes of the columns of a batch. Host and reader share a table of them, a row for each (field, type) with values in the order in which
 * the fields were met; every number has four bytes.
 *
 * | at | who  | what                                                                    |
 * |----|------|-------------------------------------------------------------------------|
 * | 0  | ours | id of the field                                                         |
 * | 4  | ours | type                                                                    |
 * | 8  | ours | values                                                                  |
 * | 12 | ours | bytes they take by themselves                                           |
 * | 16 | ours | address of the column                                                   |
 * | 20 | host | 1 for a column of its own, 0 for the overflow column                    |
 * | 24 | host | of one in the overflow column, its physical name: address               |
 * | 28 | host | … and length                                                            |
 * | 32 | ours | once it is laid out: bytes of the Native body of a column of its own    |
 * | 36 | ours | … 1 if that is a dictionary                                             |
 * | 40 | ours | what is known of the texts of a string column: 1 if they repeat         |
 * | 44 | ours | … and of so many they did not                                           |
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

/** Makes the table; answers how many rows it has. */
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

/** Says how large each column is as Native; answers the size of the overflow column, 0 if there is none. */
export function layOut(): usize {
  const rows = currentRow();
  const rest = new Overflow();
  let overflows = false;
  for (let row = table.start; row < table.end; row += ROW) {
    const column = changetype<Column>(<usize>load<u32>(row, 16));
    if (load<i32>(row, 20) == 0) {
      rest.add(column, load<u32>(row, 24), load<u32>(row, 28));
      overflows = true;
    } else {
      store<u32>(row, <u32>column.nativeBytes(rows), 32);
    }
    if (column instanceof TextColumn) noteTexts(row, <TextColumn>column);
  }
  if (!overflows) return 0;
  const body = rest.native(rows);
  overflow = body;
  return body.length;
}

function noteTexts(row: usize, column: TextColumn): void {
  store<i32>(row, column.isDictionary ? 1 : 0, 36);
  store<i32>(row, column.habitRepeats ? 1 : 0, 40);
  store<i32>(row, column.habitLooked, 44);
}

/** Writes the Native bodies one behind the other: `_time`, the columns of their own, the overflow column. */
export function writeBodies(to: usize): void {
  const rows = currentRow();
  let at = writeTimes(to);
  for (let row = table.start; row < table.end; row += ROW) {
    if (load<i32>(row, 20) == 0) continue;
    changetype<Column>(<usize>load<u32>(row, 16)).writeNative(rows, at);
    at += load<u32>(row, 32);
  }
  const rest = overflow;
  if (rest != null) memory.copy(at, rest.start, rest.length);
}

function writeTimes(to: usize): usize {
  const times = eventTimes();
  const segments = segmentCount(times);
  let at = to;
  for (let segment = 0; segment < segments; segment++) {
    const start = segmentStart(times, segment);
    const length = segmentEnd(times, segment) - start;
    memory.copy(at, start, length);
    at += length;
  }
  return at;
}

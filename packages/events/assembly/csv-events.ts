import { dropLongColumn, refuseValue } from './batch';
import { beginEvent, endEvent } from './body';
import { Bytes } from './bytes';
import { CELL, NOT_ASCII, NO_ROW, ROW, cellTable, readCell, readRow, rowAt } from './csv';
import { storeString } from './event';
import { Field, STRING_TYPE } from './field';
import { MAP, OTHER, TIME, TOO_LONG } from './keys';
import { addOtherCell } from './other-fields';
import { repairText, shortenText, textAt, textLength } from './text';
import { setTimeText } from './time';

/**
 * Turns CSV rows into events: every cell is a string, even an empty one, except that an empty time
 * counts as none.
 */

let longest: usize = 0;
/** For each column, 4 bytes for the role of its name and 4 for its field. */
let columns: Bytes = new Bytes(0);
const COLUMN: usize = 8;
/** Number of columns before trailing ones without a name in the header. */
let named: usize = 0;

/** A body begins. */
export function beginCsvEvents(longestValue: usize): void {
  longest = longestValue;
  columns = new Bytes(64);
}

/**
 * Sets the number of named columns. Cells of later columns are stored only if they are not empty.
 */
export function setNamedColumns(count: i32): void {
  named = <usize>count;
}

/** Adds the next column: the role of its name, and the address of its field, if it has one. */
export function addColumn(role: i32, field: usize): void {
  columns.push32(role);
  columns.push32(<i32>field);
}

/**
 * Parses and stores rows until there are no more or one fails; the event of a failed row has begun,
 * and the host must end it. Returns the last result of `readRow`. A row may have at most as many
 * cells as there are columns.
 */
export function readRows(): i32 {
  const max = <i32>(columns.length / COLUMN);
  while (true) {
    const state = readRow(max);
    if (state == NO_ROW) return state;
    beginEvent();
    if (state != ROW) return state;
    storeRow();
    endEvent(rowAt());
  }
}

function storeRow(): void {
  const cells = cellTable();
  const namedEnd = cells.start + named * CELL;
  let column = columns.start;
  for (let cell = cells.start; cell < cells.end; cell += CELL) {
    if (cell >= namedEnd && load<u32>(cell) == load<u32>(cell, 4)) {
      column += COLUMN;
      continue;
    }
    const role = load<i32>(column);
    if (role <= MAP) storeCell(changetype<Field>(<usize>load<u32>(column, 4)), cell);
    else if (role == TOO_LONG) dropLongColumn(<i32>((column - columns.start) / COLUMN));
    else if (role >= OTHER) storeOther(<i32>((column - columns.start) / COLUMN), cell);
    else storeTime(role == TIME, cell);
    column += COLUMN;
  }
}

function storeCell(field: Field, cell: usize): void {
  if (!field.allows(STRING_TYPE)) {
    refuseValue(field, STRING_TYPE);
    return;
  }
  readTextOf(cell);
  storeString(field);
}

/** Stores the cell of a column whose name exceeds the number of names per body. */
function storeOther(column: i32, cell: usize): void {
  readTextOf(cell);
  addOtherCell(column);
}

function readTextOf(cell: usize): void {
  readCell(cell);
  if ((load<i32>(cell, 8) & NOT_ASCII) != 0) repairText(textAt(), textAt() + textLength());
  if (textLength() > longest) shortenText(longest);
}

function storeTime(declared: bool, cell: usize): void {
  readCell(cell);
  if (textLength() > 0) setTimeText(declared, textAt(), textLength());
}

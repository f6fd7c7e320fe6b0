import { dropLongName, refuseValue } from './batch';
import { beginEvent, endEvent } from './body';
import { Bytes } from './bytes';
import { CELL, NOT_ASCII, NO_ROW, ROW, cellTable, readCell, readRow, rowAt } from './csv';
import { storeString } from './event';
import { Field, STRING_TYPE } from './field';
import { KeyNode, MAP, TIME, TOO_LONG, newNode } from './keys';
import { repairText, tellTooLong, textAt, textLength } from './text';
import { setTimeText } from './time';

/** Rows of CSV become events: every cell is a string, the empty one too, except that an empty time counts as none. */

let longest: usize = 0;
/** Of each column 4 bytes for its node and 4 for its field. */
let columns: Bytes = new Bytes(0);
const COLUMN: usize = 8;

/** A body begins. */
export function beginCsvEvents(longestValue: usize): void {
  longest = longestValue;
  columns = new Bytes(64);
}

/** The next column is of the node with the next number, of that {@link KeyNode.role}. */
export function addColumn(role: i32): void {
  const node = newNode(role);
  columns.push32(<i32>node.address);
  // Asked for here, fields are in the order of the columns, whichever has a value first.
  columns.push32(<i32>changetype<usize>(node.field));
}

/**
 * Reads and stores rows until there is none or one fails, whose event has begun then and is the host's to end; answers as `readRow` does. A row
 * may have as many cells as there are columns.
 */
export function readRows(): i32 {
  const most = <i32>(columns.length / COLUMN);
  while (true) {
    const state = readRow(most);
    if (state == NO_ROW) return state;
    beginEvent();
    if (state != ROW) return state;
    storeRow();
    endEvent(rowAt());
  }
}

function storeRow(): void {
  const cells = cellTable();
  let column = columns.start;
  for (let cell = cells.start; cell < cells.end; cell += CELL) {
    const node = changetype<KeyNode>(<usize>load<u32>(column));
    if (node.role <= MAP) storeCell(changetype<Field>(<usize>load<u32>(column, 4)), cell);
    else if (node.role == TOO_LONG) dropLongName(node.id);
    else storeTime(node.role == TIME, cell);
    column += COLUMN;
  }
}

function storeCell(field: Field, cell: usize): void {
  if (!field.allows(STRING_TYPE)) {
    refuseValue(field, STRING_TYPE);
    return;
  }
  readCell(cell);
  if ((load<i32>(cell, 8) & NOT_ASCII) != 0) repairText(textAt(), textAt() + textLength());
  if (textLength() > longest) tellTooLong();
  storeString(field);
}

function storeTime(declared: bool, cell: usize): void {
  readCell(cell);
  if (textLength() > 0) setTimeText(declared, textAt(), textLength());
}

import { Bytes } from './bytes';
import { Field, beginRows, keepRow, undoRow } from './field';
import { dropColumn, dropName, dropped, refuse as hostRefuse } from './host';

/**
 * The rows of a batch while they are being parsed. An event appends its values one by one and is
 * then committed or rolled back; a field that occurs twice in one event keeps the later value.
 */

/** `_time` of each row. */
let times: Bytes = new Bytes(0);
let earliest: i64 = i64.MAX_VALUE;
let latest: i64 = i64.MIN_VALUE;
/** Whether a value of the current event was dropped. */
let hasDropped: bool = false;

/** A body begins. */
export function beginBatch(): void {
  beginRows();
  times = new Bytes(64, true);
  earliest = i64.MAX_VALUE;
  latest = i64.MIN_VALUE;
  hasDropped = false;
}

/** The current event loses a value because of the schema. */
export function refuseValue(field: Field, type: i32): void {
  field.clear();
  hasDropped = true;
  hostRefuse(field.id, type);
}

/** The current event loses the value of a node whose name is too long. */
export function dropLongName(node: i32): void {
  hasDropped = true;
  dropName(node);
}

/** The current event loses the value of a CSV column whose name is too long. */
export function dropLongColumn(column: i32): void {
  hasDropped = true;
  dropColumn(column);
}

/** The current event becomes a row. */
export function commitEvent(time: i64): void {
  times.push64(time);
  earliest = min(earliest, time);
  latest = max(latest, time);
  keepRow();
  tellDropped(true);
}

/** Undoes everything the current event added. */
export function rollbackEvent(): void {
  undoRow();
  tellDropped(false);
}

function tellDropped(stored: bool): void {
  if (!hasDropped) return;
  hasDropped = false;
  dropped(stored);
}

export function eventTimes(): Bytes {
  return times;
}

export function earliestTime(): i64 {
  return earliest;
}

export function latestTime(): i64 {
  return latest;
}

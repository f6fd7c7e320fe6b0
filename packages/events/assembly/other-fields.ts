import { Bytes } from './bytes';
import { Field, currentRow } from './field';
import { otherColumn, otherField, otherName } from './host';
import { writeQuoted } from './canonical';

/**
 * Values of an event whose names exceed the number of names per body: members of one JSON object,
 * which becomes the value of a map field.
 */

/**
 * The object of the current event so far, without the closing brace; empty if it has no such names.
 */
let members: Bytes = new Bytes(0);
/** The field, once it is needed in this body. */
let field: Field | null = null;
/** Bytes of the longest name as a JSON string. */
let longestName: usize = 0;
let events: i32 = 0;

/** A body begins. */
export function beginOthers(): void {
  members = new Bytes(64);
  field = null;
  events = 0;
}

/** Names are at most so many bytes long; every byte may be written as \u00xx. */
export function setLongestName(bytes: usize): void {
  longestName = 6 * bytes + 2;
}

/** An event begins. */
export function clearOthers(): void {
  members.clear();
}

/** Begins the member of a node; its value must follow. */
export function beginOther(node: i32): Bytes {
  const to = beginName();
  members.end += otherName(node, to);
  members.push8(0x3a);
  return members;
}

/** Adds the cell of a CSV column whose text was read last. */
export function addOtherCell(column: i32): void {
  const to = beginName();
  members.end += otherColumn(column, to);
  members.push8(0x3a);
  writeQuoted(members);
}

function beginName(): usize {
  members.push8(members.length == 0 ? 0x7b : 0x2c);
  return members.reserve(longestName);
}

/** The event has been read and becomes a row. */
export function storeOthers(): void {
  if (members.length == 0) return;
  members.push8(0x7d);
  if (field == null) field = changetype<Field>(otherField());
  const own = field!;
  own.begin();
  const column = own.mapColumn();
  column.push(currentRow(), members.start, members.length);
  own.end(column);
  events++;
}

/** Events that have such names. */
export function eventsWithOthers(): i32 {
  return events;
}

import { beginBatch, commitEvent, dropLongName, earliestTime, latestTime, refuseValue, rollbackEvent } from './batch';
import { addField, beginBlock, columnTable, describeColumns, layOut, writeBodies } from './block';
import { beginEvents, readObjectOf, storeString } from './event';
import { Field, STRING_TYPE, currentRow } from './field';
import { setSeed } from './hash';
import { timeless } from './host';
import { KeyNode, beginKeys, newRoot } from './keys';
import { SLACK, take } from './memory';
import {
  beginMerge,
  isMergedDictionary,
  mergeDictionary,
  mergePlain,
  mergedBytes,
  mergedLooked,
  mergedRepeats,
  writeMerged,
} from './merge';
import { beginSkipping, skipValue } from './skip';
import { expected, failedAt, setSourceEnd, skipSpace } from './source';
import { beginTexts, repairText, setText, singleQuotes, tellTooLong, textAt, textLength } from './text';
import { beginTimes, eventTime, hasTime, isDeclaredWrong, resetTime, setTimeText } from './time';

/**
 * The encoder: reads events from the bytes of a body straight into columns, and writes these as the engine wants them. What the host calls is
 * here; what it is asked is in `host.ts`. All that a body takes is given back when the next one begins.
 */

export {
  setSeed,
  describeColumns,
  columnTable,
  layOut,
  writeBodies,
  rollbackEvent as rollback,
  currentRow as rowCount,
};
export { failedAt, expected, hasTime, eventTime, resetTime, earliestTime, latestTime };
export {
  beginMerge,
  mergePlain,
  mergeDictionary,
  mergedBytes,
  writeMerged,
  isMergedDictionary,
  mergedRepeats,
  mergedLooked,
};

let longestValue: usize = 0;
let root: KeyNode | null = null;
let labelsRoot: KeyNode | null = null;
let labels: usize = 0;
let labelsEnd: usize = 0;
let bodyEnd: usize = 0;

/** A body begins: its limits, the time of arrival, and whether the host reads all times. */
export function begin(longest: usize, mostLevels: usize, longestName: usize, arrival: i64, ofLayout: bool): void {
  heap.reset();
  longestValue = longest;
  labels = 0;
  beginTexts();
  beginSkipping();
  beginKeys(longestName);
  beginTimes(arrival, ofLayout);
  beginBatch();
  beginEvents(mostLevels, longest);
  beginBlock();
  root = newRoot();
  labelsRoot = newRoot();
}

/** Memory for the host to write into; zeros stand behind it. */
export function room(bytes: usize): usize {
  const start = take(bytes);
  memory.fill(start + bytes, 0, SLACK);
  return start;
}

/** What is read from now on ends there. */
export function setEnd(end: usize): void {
  bodyEnd = end;
  setSourceEnd(end);
}

/** The members of an object, which was checked, that come before those of every event; its `{` stands at `at`. */
export function setLabels(at: usize, end: usize): void {
  labels = at;
  labelsEnd = end;
}

/** A field the host has named; answers its address. What is known of its texts is told as in the table of columns. */
export function newField(id: i32, allowed: i32, repeats: bool, looked: i32): usize {
  const field = new Field(id, allowed, repeats, looked);
  addField(field);
  return changetype<usize>(field);
}

/** An event begins. Labels come first, so that its own keys win as later ones. */
export function beginEvent(): void {
  resetTime();
  if (labels == 0) return;
  setSourceEnd(labelsEnd);
  readObjectOf(labelsRoot!, labels + 1);
  setSourceEnd(bodyEnd);
}

/** The event that begins at `at` was read: it becomes a row, unless its time is none. */
export function endEvent(at: usize): void {
  if (hasTime()) commitEvent(eventTime());
  else timeless(at, isDeclaredWrong());
}

/** The `{` of the event read last. */
let lastEvent: usize = 0;

export function lastEventAt(): usize {
  return lastEvent;
}

/**
 * Reads and stores the event whose `{` stands at `at`, and those behind it with white space between, and in an array a comma. Answers the address behind the
 * last one before anything else comes, or 0 if the first is no JSON.
 */
export function readEvents(at: usize, inArray: bool): usize {
  const events = root!;
  let start = at;
  let end: usize = 0;
  while (true) {
    beginEvent();
    const next = readObjectOf(events, start + 1);
    if (next == 0) break;
    endEvent(start);
    lastEvent = start;
    end = next;
    start = skipSpace(next);
    if (inArray) {
      if (load<u8>(start) != 0x2c) return end;
      start = skipSpace(start + 1);
    }
    if (load<u8>(start) != 0x7b) return end;
  }
  // The next call reads it again, and says what is wrong with it.
  if (end != 0) rollbackEvent();
  return end;
}

/** Checks any value; answers the address behind it, or 0. */
export function skip(at: usize): usize {
  return skipValue(at, usize.MAX_VALUE);
}

/** The current event has no value that the host says it has not: a cell of a column whose name is too long. */
export { dropLongName };

/** A cell that is the event's time. */
export function timeCell(declared: bool, at: usize, end: usize, quoted: bool): void {
  setCell(at, end, quoted);
  setTimeText(declared, textAt(), textLength());
}

/** A cell of a field; `ascii` if it is known to be, `quoted` if it holds quotes twice. */
export function cell(address: usize, at: usize, end: usize, ascii: bool, quoted: bool): void {
  const field = changetype<Field>(address);
  if (!field.allows(STRING_TYPE)) {
    refuseValue(field, STRING_TYPE);
    return;
  }
  setCell(at, end, quoted);
  if (!ascii) repairText(textAt(), textAt() + textLength());
  if (textLength() > longestValue) tellTooLong();
  storeString(field);
}

function setCell(at: usize, end: usize, quoted: bool): void {
  if (quoted) singleQuotes(at, end);
  else setText(at, end - at);
}

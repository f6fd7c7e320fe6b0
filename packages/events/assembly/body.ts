import { commitEvent, rollbackEvent } from './batch';
import { readObjectOf } from './event';
import { timeless } from './host';
import { KeyNode } from './keys';
import { setSourceEnd, skipSpace } from './source';
import { eventTime, hasTime, isDeclaredWrong, resetTime } from './time';

/** The events of a body, one behind the other: how each begins and ends, and those of JSON. */

/** Above the keys of events and above those of labels. */
let root: KeyNode = changetype<KeyNode>(0);
let labelsRoot: KeyNode = changetype<KeyNode>(0);
let labels: usize = 0;
let labelsEnd: usize = 0;
let bodyEnd: usize = 0;
/** The `{` of the event read last. */
let lastEvent: usize = 0;

/** A body begins. */
export function beginBody(): void {
  labels = 0;
}

/** The roots of its keys. */
export function setRoots(events: usize, ofLabels: usize): void {
  root = changetype<KeyNode>(events);
  labelsRoot = changetype<KeyNode>(ofLabels);
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

/** An event begins. Labels come first, so that its own keys win as later ones. */
export function beginEvent(): void {
  resetTime();
  if (labels == 0) return;
  setSourceEnd(labelsEnd);
  readObjectOf(labelsRoot, labels + 1);
  setSourceEnd(bodyEnd);
}

/** The event that begins at `at` was read: it becomes a row, unless its time is none. */
export function endEvent(at: usize): void {
  if (hasTime()) commitEvent(eventTime());
  else timeless(at, isDeclaredWrong());
}

export function lastEventAt(): usize {
  return lastEvent;
}

/**
 * Reads and stores the event whose `{` stands at `at`, and those behind it with white space between, and in an array a comma. Answers the address behind the
 * last one before anything else comes, or 0 if the first is no JSON.
 */
export function readEvents(at: usize, inArray: bool): usize {
  const events = root;
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
